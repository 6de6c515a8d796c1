-- Intake and fan-out: one call each, so that a publisher's role needs no more than EXECUTE.

CREATE FUNCTION waybill.ms_between(p_from timestamptz, p_to timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT ceil(extract(epoch FROM p_to - p_from) * 1000)::bigint $$;

-- Never raises for a repeated or conflicting event: the caller's own transaction must survive it.
CREATE FUNCTION waybill.publish(
  p_account text, p_shipment text, p_version bigint, p_key_prefix text, p_type text, p_type_patterns text[],
  p_content_type text, p_labels jsonb, p_occurred_at timestamptz, p_not_before timestamptz,
  p_valid_until timestamptz, p_payload bytea, p_published_by text, p_now timestamptz DEFAULT NULL
) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_digest bytea := sha256(p_payload);
  e waybill.events;
  v_differ text[];
BEGIN
  INSERT INTO events (account, shipment_id, version, key_prefix, type, type_patterns, content_type, labels,
      occurred_at, not_before, valid_until, payload_digest, payload_bytes, published_at, published_by)
    VALUES (p_account, p_shipment, p_version, p_key_prefix, p_type, p_type_patterns, p_content_type, p_labels,
      p_occurred_at, p_not_before, p_valid_until, v_digest, length(p_payload), v_now, p_published_by)
    ON CONFLICT (account, shipment_id, version) DO NOTHING
    RETURNING * INTO e;
  IF e.id IS NOT NULL THEN
    INSERT INTO event_payloads (event_id, bytes) VALUES (e.id, p_payload);
    INSERT INTO outbox (kind, event_id, due_at) VALUES ('event', e.id, v_now);
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

-- All obligations of an event in one statement, over one snapshot: a subscriber added or removed while it runs
-- is in or out as that snapshot saw it, and a repeated call finds the work done.
CREATE FUNCTION waybill.match_event(p_event_id bigint, p_now timestamptz DEFAULT NULL) RETURNS int
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  e waybill.events;
  v_count int;
BEGIN
  SELECT * INTO e FROM events WHERE id = p_event_id FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
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
