-- A claim whose answer was lost on the way is asked again by whoever asked: it has sent nothing, so it is given the lease
-- that it holds already, and no crash is put on record that never was.

ALTER TABLE waybill.obligations ADD COLUMN lease_token text; -- of the execution that holds the lease; known to it alone

-- All that a sender needs, for the lease that stands on the row.
CREATE FUNCTION waybill.granted(o waybill.obligations, g waybill.gates, p_lease_ms bigint, p_now timestamptz)
RETURNS jsonb
LANGUAGE sql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
  SELECT jsonb_build_object('answer', 'go', 'attempt', o.lease_attempt, 'leaseMs', p_lease_ms,
      'subscriber', jsonb_build_object('id', s.id, 'urlSealed', s.url_sealed, 'policy', s.policy, 'secrets', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'sealed', x.sealed) ORDER BY x.created_at DESC, x.id), '[]')
          FROM subscriber_secrets x
          WHERE x.subscriber_id = s.id AND (x.expires_at IS NULL OR x.expires_at > p_now))),
      'event', jsonb_build_object('id', e.id, 'shipment', e.shipment_id, 'version', e.version, 'type', e.type,
        'contentType', e.content_type, 'digest', encode(e.payload_digest, 'hex')),
      'standing', standing_of(o, g, p_now))
    FROM subscribers s, events e WHERE s.id = o.subscriber_id AND e.id = o.event_id
$$;

-- As before but for the token. Workers of an earlier release ask without one, which the defaults allow.
DROP FUNCTION waybill.claim(text[], int[], int[], text[], text, int, timestamptz);
CREATE FUNCTION waybill.claim(
  p_keys text[], p_rounds int[], p_tries int[], p_run_ids text[], p_worker text, p_margin_ms int,
  p_now timestamptz DEFAULT NULL, p_tokens text[] DEFAULT NULL
) RETURNS TABLE (ord int, answer jsonb)
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  o waybill.obligations; g waybill.gates; s waybill.subscribers;
  v_open int; v_lease_ms bigint; v_standing jsonb; v_wait bigint;
BEGIN
  PERFORM 1 FROM gates WHERE subscriber_id IN
    (SELECT x.subscriber_id FROM obligations x WHERE x.key = ANY (p_keys)) ORDER BY subscriber_id FOR NO KEY UPDATE;
  PERFORM 1 FROM obligations WHERE key = ANY (p_keys) ORDER BY key FOR NO KEY UPDATE;
  v_now := coalesce(p_now, clock_timestamp());

  FOR i IN 1 .. cardinality(p_keys) LOOP
    ord := i;
    SELECT * INTO o FROM obligations WHERE key = p_keys[i];
    IF NOT FOUND THEN
      answer := jsonb_build_object('answer', 'missing');
      RETURN NEXT; CONTINUE;
    END IF;
    SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;

    IF o.lease_attempt IS NOT NULL THEN
      IF o.lease_until > v_now AND o.lease_token = p_tokens[i]
          AND o.disposition = 'attempting' AND o.held_at IS NULL AND g.paused_at IS NULL THEN
        answer := granted(o, g, ms_between(v_now, o.lease_until), v_now);
      ELSIF o.lease_until > v_now THEN
        answer := jsonb_build_object('answer', 'in_flight', 'waitMs', ms_between(v_now, o.lease_until),
          'standing', standing_of(o, g, v_now));
      ELSE
        answer := jsonb_build_object('answer', 'unknown', 'attempt', o.lease_attempt);
        o := record_crash(o, p_worker, v_now);
        answer := answer || jsonb_build_object('crashes', o.crashes, 'standing', standing_of(o, g, v_now));
      END IF;
      RETURN NEXT; CONTINUE;
    END IF;

    o := end_if_moot(o, v_now);
    v_standing := standing_of(o, g, v_now);
    IF v_standing ->> 'is' IN ('over', 'dead') THEN
      answer := jsonb_build_object('answer', 'over', 'standing', v_standing);
    ELSIF p_rounds[i] < o.round OR (p_rounds[i] = o.round AND p_tries[i] <= o.try) THEN
      answer := jsonb_build_object('answer', 'settled', 'standing', v_standing);
    ELSIF v_standing ->> 'is' <> 'due' THEN
      answer := jsonb_build_object('answer', 'not_yet', 'reason', v_standing ->> 'reason', 'standing', v_standing);
    ELSE
      SELECT count(*) INTO v_open FROM obligations x
        WHERE x.subscriber_id = o.subscriber_id AND x.lease_attempt IS NOT NULL AND x.lease_until > v_now;
      IF v_open >= g.max_concurrency THEN
        -- A place in line: each asker is given the moment at which a slot should come free for it. Never more
        -- than a minute ahead, since a receiver may mend and the line with it.
        UPDATE gates SET next_slot_at = least(v_now + interval '1 minute', greatest(next_slot_at, v_now) +
            make_interval(secs => avg_send_ms / 1000.0 / max_concurrency))
          WHERE subscriber_id = o.subscriber_id RETURNING * INTO g;
        v_wait := greatest(1000, ms_between(v_now, g.next_slot_at));
        v_wait := least(v_wait, greatest(ms_between(v_now, o.valid_until), 0));
        answer := jsonb_build_object('answer', 'not_yet', 'reason', 'concurrency', 'standing',
          v_standing || jsonb_build_object('is', 'waiting', 'reason', 'concurrency', 'waitMs', v_wait));
      ELSE
        SELECT * INTO s FROM subscribers WHERE id = o.subscriber_id;
        v_lease_ms := (s.policy ->> 'timeoutMs')::int + p_margin_ms;
        UPDATE obligations SET
            attempts = attempts + 1, lease_attempt = attempts + 1, lease_try = p_tries[i], lease_token = p_tokens[i],
            lease_until = v_now + make_interval(secs => v_lease_ms / 1000.0),
            disposition = 'attempting', rev = rev + 1
          WHERE key = o.key RETURNING * INTO o;
        answer := granted(o, g, v_lease_ms, v_now);
        INSERT INTO attempt_intents (key, attempt, round, try, initiator, worker, run_id, url_version, url_origin,
            secret_ids, started_at, lease_until)
          VALUES (o.key, o.attempts, o.round, p_tries[i], o.initiator, p_worker, p_run_ids[i], s.url_version,
            s.url_origin, ARRAY(SELECT jsonb_array_elements(answer #> '{subscriber,secrets}') ->> 'id'), v_now,
            o.lease_until);
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

REVOKE EXECUTE ON FUNCTION waybill.granted, waybill.claim FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.granted, waybill.claim TO waybill_app;
