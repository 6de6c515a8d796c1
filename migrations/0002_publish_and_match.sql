-- Intake and fan-out: one call each, so that a publisher's role needs no more than EXECUTE.

CREATE FUNCTION waybill.ms_between(p_from timestamptz, p_to timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT ceil(extract(epoch FROM p_to - p_from) * 1000)::bigint $$;

-- Everything outside A-Z a-z 0-9 _ - percent-encoded as UTF-8: contract.ts, encodePart.
CREATE FUNCTION waybill.encode_part(p_text text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT string_agg(CASE WHEN c COLLATE "C" ~ '^[A-Za-z0-9_-]$' THEN c ELSE
      upper(regexp_replace(encode(convert_to(c, 'UTF8'), 'hex'), '(..)', '%\1', 'g')) END, '' ORDER BY n)
    FROM regexp_split_to_table(p_text, '') WITH ORDINALITY t (c, n)
$$;

-- Every filter that matches the type: a.b.c -> a.b.c, a.b.*, a.*, *.
CREATE FUNCTION waybill.patterns_of(p_type text) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT ARRAY[p_type, '*'] || ARRAY(
    SELECT array_to_string(w[1:n], '.') || '.*'
      FROM string_to_array(p_type, '.') w, generate_series(1, cardinality(w) - 1) n)
$$;

-- Never raises for a repeated or conflicting event: the caller's own transaction must survive it.
CREATE FUNCTION waybill.publish_at(
  p_account text, p_shipment text, p_version bigint, p_type text, p_content_type text, p_labels jsonb,
  p_occurred_at timestamptz, p_not_before timestamptz, p_valid_until timestamptz, p_payload bytea,
  p_published_by text, p_now timestamptz
) RETURNS jsonb
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_digest bytea := sha256(p_payload);
  e waybill.events;
  v_differ text[];
BEGIN
  INSERT INTO events (account, shipment_id, version, key_prefix, type, type_patterns, content_type, labels,
      occurred_at, not_before, valid_until, payload_digest, payload_bytes, published_at, published_by)
    VALUES (p_account, p_shipment, p_version, encode_part(p_shipment), p_type, patterns_of(p_type), p_content_type,
      p_labels, p_occurred_at, p_not_before, p_valid_until, v_digest, length(p_payload), p_now, p_published_by)
    ON CONFLICT (account, shipment_id, version) DO NOTHING
    RETURNING * INTO e;
  IF e.id IS NOT NULL THEN
    INSERT INTO event_payloads (event_id, bytes) VALUES (e.id, p_payload);
    INSERT INTO outbox (kind, event_id, due_at) VALUES ('event', e.id, p_now);
    RETURN jsonb_build_object('status', 'created', 'eventId', e.id, 'publishedAt', e.published_at,
      'digest', encode(e.payload_digest, 'hex'));
  END IF;

  SELECT * INTO e FROM events
    WHERE account = p_account AND shipment_id = p_shipment AND version = p_version;
  v_differ := array_remove(ARRAY[
    CASE WHEN e.payload_digest <> v_digest THEN 'payload' END,
    CASE WHEN e.content_type IS DISTINCT FROM p_content_type THEN 'contentType' END,
    CASE WHEN e.type <> p_type THEN 'type' END,
    CASE WHEN e.labels <> p_labels THEN 'labels' END,
    CASE WHEN e.occurred_at IS DISTINCT FROM p_occurred_at THEN 'occurredAt' END,
    CASE WHEN e.not_before IS DISTINCT FROM p_not_before THEN 'notBefore' END,
    CASE WHEN e.valid_until IS DISTINCT FROM p_valid_until THEN 'validUntil' END], NULL);
  RETURN jsonb_build_object('status', CASE WHEN cardinality(v_differ) = 0 THEN 'same' ELSE 'conflict' END,
    'eventId', e.id, 'publishedAt', e.published_at, 'digest', encode(e.payload_digest, 'hex'),
    'differ', to_jsonb(v_differ));
END $$;

-- What a publisher's role may call: the time is the database's own.
CREATE FUNCTION waybill.publish(
  p_account text, p_shipment text, p_version bigint, p_type text, p_content_type text, p_labels jsonb,
  p_occurred_at timestamptz, p_not_before timestamptz, p_valid_until timestamptz, p_payload bytea,
  p_published_by text
) RETURNS jsonb
LANGUAGE sql SECURITY DEFINER SET search_path = waybill, pg_catalog, pg_temp AS $$
  SELECT publish_at(p_account, p_shipment, p_version, p_type, p_content_type, p_labels, p_occurred_at,
    p_not_before, p_valid_until, p_payload, p_published_by, clock_timestamp())
$$;

-- All obligations of an event in one statement, over one snapshot: a subscriber added or removed while it runs
-- is in or out as that snapshot saw it, and a repeated call finds the work done.
CREATE FUNCTION waybill.match_event(p_event_id bigint, p_now timestamptz DEFAULT NULL) RETURNS int
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  e waybill.events;
  v_count int;
BEGIN
  SELECT * INTO e FROM events WHERE id = p_event_id FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  v_now := coalesce(p_now, clock_timestamp());
  IF e.matched_at IS NOT NULL THEN RETURN e.obligation_count; END IF;

  INSERT INTO obligations (key, event_id, subscriber_id, disposition, next_eligible_at, valid_until, created_at)
    SELECT e.key_prefix || ':' || s.id || ':' || e.version, e.id, s.id, 'pending',
        greatest(coalesce(e.not_before, v_now), v_now),
        least(e.valid_until, coalesce(e.not_before, e.published_at) + make_interval(secs =>
          coalesce((s.policy -> 'validityMsByType' ->> e.type)::bigint, (s.policy ->> 'validityMs')::bigint) / 1000.0)),
        v_now
      FROM subscribers s
      WHERE s.account = e.account AND s.state = 'live'
        AND s.event_types && e.type_patterns AND s.labels <@ e.labels;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  UPDATE events SET matched_at = v_now, obligation_count = v_count WHERE id = e.id;
  INSERT INTO audit (at, account, event_id, act, actor, source, detail)
    VALUES (v_now, e.account, e.id, 'match', 'system', 'fan-out', jsonb_build_object('obligations', v_count));
  RETURN v_count;
END $$;
