-- What people do: one obligation or one subscriber at a time, each act judged, answered and audited in one
-- transaction. A refusal changes nothing but the audit.

-- Where an obligation stands, after what time has done to it: a lease that ran out, a validity that is over.
CREATE FUNCTION waybill.look(p_key text, p_worker text, p_now timestamptz DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  o waybill.obligations; g waybill.gates;
BEGIN
  SELECT * INTO o FROM obligations WHERE key = p_key FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  v_now := coalesce(p_now, clock_timestamp());
  IF o.lease_attempt IS NOT NULL AND o.lease_until <= v_now THEN o := record_crash(o, p_worker, v_now); END IF;
  o := end_if_moot(o, v_now);
  SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;
  RETURN standing_of(o, g, v_now);
END $$;

-- The guardrails of a redrive, in one place: NULL where it may go ahead, else the error code of the refusal.
CREATE FUNCTION waybill.judge_redrive(o waybill.obligations, p_now timestamptz) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
BEGIN
  RETURN CASE
    WHEN o.disposition IN ('delivered', 'expired', 'terminated', 'removed') THEN 'already_final'
    WHEN o.disposition <> 'dead' THEN 'not_dead'
    WHEN o.redrive_until <= p_now THEN 'redrive_window_over'
    WHEN (SELECT s.state FROM subscribers s WHERE s.id = o.subscriber_id) <> 'live' THEN 'subscriber_removed'
    WHEN o.valid_until <= p_now THEN 'validity_over'
    WHEN NOT EXISTS (SELECT FROM event_payloads p JOIN events e ON e.id = p.event_id
      WHERE p.event_id = o.event_id AND sha256(p.bytes) = e.payload_digest) THEN 'payload_unavailable'
  END;
END $$;

-- One act on one obligation. p_account scopes it for our own doors; a signal from Temporal's tools has none,
-- since whoever may signal the workflow has named it already.
CREATE FUNCTION waybill.act(
  p_account text, p_key text, p_verb text, p_actor text, p_reason text, p_request_id text, p_source text,
  p_now timestamptz DEFAULT NULL
) RETURNS jsonb
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  o waybill.obligations; g waybill.gates; q waybill.operator_requests;
  v_account text; v_refused text; v_changed boolean := false; v_answer jsonb; v_before text;
BEGIN
  SELECT x.* INTO o FROM obligations x JOIN events e ON e.id = x.event_id
    WHERE x.key = p_key AND (p_account IS NULL OR e.account = p_account) FOR NO KEY UPDATE OF x;
  IF NOT FOUND THEN RETURN jsonb_build_object('ok', false, 'code', 'not_found'); END IF;
  v_now := coalesce(p_now, clock_timestamp());
  SELECT e.account INTO v_account FROM events e WHERE e.id = o.event_id;
  v_before := o.disposition;

  -- A signal from Temporal's own tools may lack what every act must carry: nobody did it, or for no reason.
  IF p_actor = '' OR p_reason = '' OR p_request_id = '' THEN
    SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;
    INSERT INTO audit (at, account, key, subscriber_id, event_id, act, actor, reason, request_id, source, refused)
      VALUES (v_now, v_account, o.key, o.subscriber_id, o.event_id, p_verb, p_actor, p_reason, p_request_id,
        p_source, 'invalid_field');
    RETURN jsonb_build_object('ok', false, 'code', 'invalid_field', 'changed', false, 'repeated', false,
      'standing', standing_of(o, g, v_now));
  END IF;

  SELECT * INTO q FROM operator_requests WHERE scope = p_key AND request_id = p_request_id;
  IF FOUND THEN
    IF q.verb = p_verb AND q.actor = p_actor AND q.reason = p_reason THEN
      SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;
      IF p_source <> 'temporal' THEN
        PERFORM nudge(p_key, p_verb, p_actor, p_reason, p_request_id, v_now);
      END IF;
      RETURN q.answer || jsonb_build_object('repeated', true, 'standing', standing_of(o, g, v_now),
        'confirmed', o.lease_attempt IS NULL OR o.lease_until <= v_now);
    END IF;
    v_refused := 'request_id_reused';
  ELSE
    o := end_if_moot(o, v_now);
    IF p_verb = 'pause' THEN
      IF o.disposition NOT IN ('pending', 'attempting', 'waiting', 'held') THEN
        v_refused := CASE WHEN o.disposition = 'dead' THEN 'not_open' ELSE 'already_final' END;
      ELSIF o.held_at IS NULL THEN
        v_changed := true;
        UPDATE obligations SET held_at = v_now, held_by = p_actor, held_reason = 'paused',
            frozen_ms = CASE WHEN disposition <> 'attempting' THEN greatest(ms_between(v_now, next_eligible_at), 0) END,
            disposition = CASE WHEN disposition = 'attempting' THEN disposition ELSE 'held' END, rev = rev + 1
          WHERE key = o.key RETURNING * INTO o;
      END IF;
    ELSIF p_verb = 'resume' THEN
      IF o.disposition IN ('delivered', 'expired', 'terminated', 'removed') THEN
        v_refused := 'already_final';
      ELSIF o.held_at IS NULL THEN
        v_refused := 'not_held';
      ELSE
        v_changed := true;
        UPDATE obligations SET held_at = NULL, held_by = NULL, held_reason = NULL, crashes = 0,
            next_eligible_at = CASE WHEN disposition = 'held'
              THEN v_now + make_interval(secs => coalesce(frozen_ms, 0) / 1000.0) ELSE next_eligible_at END,
            frozen_ms = NULL,
            disposition = CASE WHEN disposition = 'held' THEN CASE WHEN attempts = 0 THEN 'pending' ELSE 'waiting' END
              ELSE disposition END, rev = rev + 1
          WHERE key = o.key RETURNING * INTO o;
      END IF;
    ELSIF p_verb = 'terminate' THEN
      IF o.disposition IN ('delivered', 'expired', 'terminated', 'removed') THEN
        v_refused := 'already_final';
      ELSE
        v_changed := true;
        UPDATE obligations SET disposition = 'terminated', finished_at = v_now, rev = rev + 1,
            held_at = NULL, held_by = NULL, held_reason = NULL, frozen_ms = NULL
          WHERE key = o.key RETURNING * INTO o;
      END IF;
    ELSIF p_verb = 'redrive' THEN
      v_refused := judge_redrive(o, v_now);
      IF v_refused IS NULL THEN
        v_changed := true;
        UPDATE obligations SET disposition = 'pending', round = round + 1, try = 0, crashes = 0, rev = rev + 1,
            next_eligible_at = v_now, redrive_until = NULL, finished_at = NULL,
            initiator = 'redrive by ' || p_actor || ' (' || p_request_id || ')'
          WHERE key = o.key RETURNING * INTO o;
      END IF;
    ELSE
      RAISE EXCEPTION 'unknown verb %', p_verb;
    END IF;
  END IF;

  SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;
  INSERT INTO audit (at, account, key, subscriber_id, event_id, act, actor, reason, request_id, source, refused, detail)
    VALUES (v_now, v_account, o.key, o.subscriber_id, o.event_id, p_verb, p_actor, p_reason, p_request_id,
      p_source, v_refused, jsonb_build_object('before', v_before, 'after', o.disposition));
  v_answer := jsonb_strip_nulls(jsonb_build_object('ok', v_refused IS NULL, 'code', v_refused, 'changed', v_changed,
    'disposition', o.disposition, 'confirmed', o.lease_attempt IS NULL OR o.lease_until <= v_now));
  IF v_refused IS DISTINCT FROM 'request_id_reused' THEN
    INSERT INTO operator_requests (scope, request_id, verb, actor, reason, answer, at)
      VALUES (p_key, p_request_id, p_verb, p_actor, p_reason, v_answer, v_now);
  END IF;
  IF v_changed AND p_source <> 'temporal' THEN
    PERFORM nudge(p_key, p_verb, p_actor, p_reason, p_request_id, v_now);
  END IF;
  RETURN v_answer || jsonb_build_object('repeated', false, 'standing', standing_of(o, g, v_now));
END $$;

-- The signal to the workflow leaves with the act's own commit: a door that dies after it loses nothing, and a
-- door needs no access to Temporal.
CREATE FUNCTION waybill.nudge(
  p_key text, p_signal text, p_actor text, p_reason text, p_request_id text, p_due_at timestamptz
) RETURNS void
LANGUAGE sql SET search_path = waybill, pg_catalog, pg_temp AS $$
  INSERT INTO outbox (kind, key, message, due_at) VALUES ('nudge', p_key,
    jsonb_strip_nulls(jsonb_build_object('signal', p_signal, 'actor', p_actor, 'reason', p_reason,
      'requestId', p_request_id)), p_due_at)
$$;

-- One act on one subscriber: pause, resume or remove. A pause is one row; a resume wakes what came due in the
-- meantime; a removal ends everything still owed.
CREATE FUNCTION waybill.act_on_subscriber(
  p_account text, p_subscriber text, p_verb text, p_actor text, p_reason text, p_request_id text, p_source text,
  p_now timestamptz DEFAULT NULL
) RETURNS jsonb
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz; g waybill.gates; s waybill.subscribers; q waybill.operator_requests;
  v_refused text; v_changed boolean := false; v_count int := 0; v_open int; v_answer jsonb;
BEGIN
  SELECT * INTO s FROM subscribers WHERE id = p_subscriber AND account = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('ok', false, 'code', 'not_found'); END IF;
  -- The same lock as claim takes: after it no claim can be under way that doesn't see this act.
  SELECT * INTO g FROM gates WHERE subscriber_id = p_subscriber FOR NO KEY UPDATE;
  v_now := coalesce(p_now, clock_timestamp());

  SELECT * INTO q FROM operator_requests WHERE scope = p_subscriber AND request_id = p_request_id;
  IF FOUND AND q.verb = p_verb AND q.actor = p_actor AND q.reason = p_reason THEN
    SELECT count(*) INTO v_open FROM obligations WHERE subscriber_id = p_subscriber
      AND lease_attempt IS NOT NULL AND lease_until > v_now;
    RETURN q.answer || jsonb_build_object('repeated', true, 'inFlight', v_open, 'confirmed', v_open = 0);
  ELSIF FOUND THEN
    v_refused := 'request_id_reused';
  ELSIF s.state = 'removed' THEN
    v_refused := CASE WHEN p_verb = 'remove' THEN NULL ELSE 'subscriber_removed' END;
  ELSIF p_verb = 'pause' THEN
    v_changed := g.paused_at IS NULL;
    IF v_changed THEN
      UPDATE gates SET paused_at = v_now, paused_by = p_actor, paused_reason = p_reason
        WHERE subscriber_id = p_subscriber;
    END IF;
  ELSIF p_verb = 'resume' THEN
    v_changed := g.paused_at IS NOT NULL;
    IF v_changed THEN
      UPDATE gates SET paused_at = NULL, paused_by = NULL, paused_reason = NULL WHERE subscriber_id = p_subscriber;
      INSERT INTO outbox (kind, key, message, due_at)
        SELECT 'nudge', o.key, jsonb_build_object('signal', 'recheck'), greatest(v_now, o.next_eligible_at)
          FROM obligations o
          -- A few seconds more: one that falls due while this commits may have been told that it is paused.
          WHERE o.subscriber_id = p_subscriber AND o.disposition IN ('pending', 'waiting')
            AND o.next_eligible_at <= v_now + interval '5 seconds';
      GET DIAGNOSTICS v_count = ROW_COUNT;
    END IF;
  ELSIF p_verb = 'remove' THEN
    v_changed := true;
    UPDATE subscribers SET state = 'removed', removed_at = v_now, updated_at = v_now WHERE id = p_subscriber;
    PERFORM 1 FROM obligations WHERE subscriber_id = p_subscriber
      AND disposition IN ('pending', 'attempting', 'waiting', 'held', 'dead') ORDER BY key FOR NO KEY UPDATE;
    WITH ended AS (
      UPDATE obligations SET disposition = 'removed', finished_at = v_now, rev = rev + 1,
          held_at = NULL, held_by = NULL, held_reason = NULL, frozen_ms = NULL
        WHERE subscriber_id = p_subscriber AND disposition IN ('pending', 'attempting', 'waiting', 'held', 'dead')
        RETURNING key, event_id
    ), audited AS (
      INSERT INTO audit (at, account, key, subscriber_id, event_id, act, actor, reason, request_id, source)
        SELECT v_now, p_account, key, p_subscriber, event_id, 'removed', p_actor, p_reason, p_request_id, p_source
          FROM ended
    )
    INSERT INTO outbox (kind, key, message, due_at)
      SELECT 'nudge', key, jsonb_build_object('signal', 'recheck'), v_now FROM ended;
    GET DIAGNOSTICS v_count = ROW_COUNT;
  ELSE
    RAISE EXCEPTION 'unknown verb %', p_verb;
  END IF;

  SELECT count(*) INTO v_open FROM obligations WHERE subscriber_id = p_subscriber
    AND lease_attempt IS NOT NULL AND lease_until > v_now;
  INSERT INTO audit (at, account, subscriber_id, act, actor, reason, request_id, source, refused, detail)
    VALUES (v_now, p_account, p_subscriber, 'subscriber ' || p_verb, p_actor, p_reason, p_request_id, p_source,
      v_refused, jsonb_build_object('changed', v_changed, 'obligations', v_count));
  v_answer := jsonb_strip_nulls(jsonb_build_object('ok', v_refused IS NULL, 'code', v_refused, 'changed', v_changed,
    'obligations', v_count));
  IF v_refused IS DISTINCT FROM 'request_id_reused' THEN
    INSERT INTO operator_requests (scope, request_id, verb, actor, reason, answer, at)
      VALUES (p_subscriber, p_request_id, p_verb, p_actor, p_reason, v_answer, v_now);
  END IF;
  RETURN v_answer || jsonb_build_object('repeated', false, 'inFlight', v_open, 'confirmed', v_open = 0);
END $$;
