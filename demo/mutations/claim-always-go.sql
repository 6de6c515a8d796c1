-- Broken on purpose: everybody who asks may send. No look at lease, final state, pause, wait or concurrency.
CREATE OR REPLACE FUNCTION waybill.claim(
  p_keys text[], p_rounds int[], p_tries int[], p_run_ids text[], p_worker text, p_margin_ms int,
  p_now timestamptz DEFAULT NULL
) RETURNS TABLE (ord int, answer jsonb)
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  o waybill.obligations; g waybill.gates; s waybill.subscribers; e waybill.events;
  v_lease_ms int; v_secrets jsonb;
BEGIN
  FOR i IN 1 .. cardinality(p_keys) LOOP
    ord := i;
    SELECT * INTO o FROM obligations WHERE key = p_keys[i];
    SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;
    SELECT * INTO s FROM subscribers WHERE id = o.subscriber_id;
    SELECT * INTO e FROM events WHERE id = o.event_id;
    SELECT jsonb_agg(jsonb_build_object('id', x.id, 'sealed', x.sealed)) INTO v_secrets
      FROM subscriber_secrets x WHERE x.subscriber_id = s.id;
    v_lease_ms := (s.policy ->> 'timeoutMs')::int + p_margin_ms;
    UPDATE obligations SET attempts = attempts + 1, lease_attempt = attempts + 1, lease_try = p_tries[i],
        lease_until = v_now + make_interval(secs => v_lease_ms / 1000.0), disposition = 'attempting', rev = rev + 1
      WHERE key = o.key RETURNING * INTO o;
    INSERT INTO attempt_intents (key, attempt, round, try, initiator, worker, run_id, url_version, url_origin,
        secret_ids, started_at, lease_until)
      VALUES (o.key, o.attempts, o.round, p_tries[i], o.initiator, p_worker, p_run_ids[i], s.url_version,
        s.url_origin, ARRAY(SELECT jsonb_array_elements(v_secrets) ->> 'id'), v_now, o.lease_until);
    answer := jsonb_build_object('answer', 'go', 'attempt', o.attempts, 'leaseMs', v_lease_ms,
      'subscriber', jsonb_build_object('id', s.id, 'urlSealed', s.url_sealed, 'secrets', v_secrets,
        'policy', s.policy),
      'event', jsonb_build_object('id', e.id, 'shipment', e.shipment_id, 'version', e.version, 'type', e.type,
        'contentType', e.content_type, 'digest', encode(e.payload_digest, 'hex')),
      'standing', standing_of(o, g, v_now));
    RETURN NEXT;
  END LOOP;
END $$;
