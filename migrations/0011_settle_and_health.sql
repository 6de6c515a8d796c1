-- What an attempt's end says about its destination: a cool-down, that it is gone, that it is failing or well again.

-- What another URL, a resume or a delivery means for the breaker.
CREATE FUNCTION waybill.close_breaker(p_subscriber text) RETURNS void
LANGUAGE sql SET search_path = waybill, pg_catalog, pg_temp AS $$
  UPDATE gates SET fault_streak = 0, faults_since = NULL, breaker_until = NULL, breaker_level = 0, probe_key = NULL
    WHERE subscriber_id = p_subscriber
$$;

-- Counts faults of the receiver in a row and opens its breaker after ten of them over half a minute or more; each probe
-- that fails doubles how long it stays open, up to a quarter of an hour. One that has failed for `pauseAfterMs` is paused
-- by the system. `health` is a word of policy: well (delivered), answered, fault; none where it says nothing of the
-- receiver. Answers what happened, if it is worth telling. Call with the gate locked.
CREATE FUNCTION waybill.heed_health(
  o waybill.obligations, g waybill.gates, s waybill.subscribers, p_health text, p_attempt int, p_now timestamptz
) RETURNS text
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_said text; v_pause_ms bigint := coalesce((s.policy ->> 'pauseAfterMs')::bigint, 14 * 86400000::bigint); v_reason text;
BEGIN
  IF p_health IN ('well', 'answered') THEN
    IF g.breaker_until IS NOT NULL THEN
      v_said := 'breaker-closed';
      UPDATE gates SET next_slot_at = NULL WHERE subscriber_id = g.subscriber_id;
      PERFORM wake_paced(g.subscriber_id, 0.5 * takes_per_second(g), p_now);
    END IF;
    IF g.breaker_until IS NOT NULL OR g.fault_streak > 0 THEN PERFORM close_breaker(g.subscriber_id); END IF;
    IF p_health = 'well' AND g.failing_since IS NOT NULL THEN
      UPDATE gates SET failing_since = NULL WHERE subscriber_id = g.subscriber_id;
    END IF;
  ELSE
    g.fault_streak := least(g.fault_streak, 1000000) + 1;
    g.faults_since := coalesce(g.faults_since, p_now);
    g.failing_since := coalesce(g.failing_since, p_now);
    IF g.breaker_until IS NOT NULL AND g.breaker_until <= p_now THEN
      g.breaker_level := least(g.breaker_level + 1, 5);
      g.breaker_until := p_now + least(interval '30 seconds' * 2 ^ g.breaker_level, interval '15 minutes');
    ELSIF g.breaker_until IS NULL AND g.fault_streak >= 10 AND g.faults_since <= p_now - interval '30 seconds' THEN
      v_said := 'breaker-opened';
      g.breaker_until := p_now + interval '30 seconds';
    END IF;
    UPDATE gates SET fault_streak = g.fault_streak, faults_since = g.faults_since, failing_since = g.failing_since,
        breaker_level = g.breaker_level, breaker_until = g.breaker_until
      WHERE subscriber_id = g.subscriber_id;
    IF v_pause_ms > 0 AND g.paused_at IS NULL AND g.failing_since <= p_now - make_interval(secs => v_pause_ms / 1000.0) THEN
      v_said := 'failing-paused';
      v_reason := 'failing: nothing delivered since '
        || to_char(g.failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
      UPDATE gates SET paused_at = p_now, paused_by = 'system', paused_reason = v_reason, paused_until = NULL
        WHERE subscriber_id = g.subscriber_id;
    END IF;
  END IF;
  IF v_said IS NOT NULL THEN
    INSERT INTO audit (at, account, key, subscriber_id, event_id, act, actor, reason, source, detail)
      VALUES (p_now, s.account, o.key, o.subscriber_id, o.event_id,
        CASE v_said WHEN 'failing-paused' THEN 'subscriber pause' WHEN 'breaker-opened' THEN 'breaker open'
          ELSE 'breaker close' END, 'system', v_reason, 'ledger',
        jsonb_build_object('attempt', p_attempt, 'faults', g.fault_streak));
  END IF;
  RETURN v_said;
END $$;

-- Only where the attempt went to the URL that still holds; a 410 only where nobody has resumed the subscriber since it
-- was sent. Answers what is worth telling. Call with gate and obligation locked.
DROP FUNCTION waybill.heed_answer(waybill.obligations, jsonb, int, timestamptz);
CREATE FUNCTION waybill.heed_answer(o waybill.obligations, i jsonb, p_attempt int, p_now timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_cool_ms bigint := least(coalesce((i -> 'next' ->> 'coolMs')::bigint, 0), 30 * 86400000::bigint);
  v_gone boolean := i ->> 'class' = 'gone';
  v_health text := coalesce(i -> 'next' ->> 'health', 'none');
  v_sent_at timestamptz; v_reason text; g waybill.gates; s waybill.subscribers; v_said text;
BEGIN
  SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;
  -- It got faster by much since the line formed, and no rate sets the line's pace: who waits in it needn't wait so long.
  IF g.next_slot_at > p_now + interval '10 seconds'
      AND make_interval(secs => g.line_send_ms / 1000.0 / g.max_concurrency) > 4 * place_takes(g, p_now)
      AND g.breaker_until IS NULL AND coalesce(g.cool_until <= p_now, true) THEN
    UPDATE gates SET next_slot_at = NULL, line_send_ms = NULL WHERE subscriber_id = o.subscriber_id RETURNING * INTO g;
    PERFORM wake_paced(g.subscriber_id, 0.8 * takes_per_second(g), p_now);
  END IF;
  IF v_cool_ms <= 0 AND NOT v_gone AND (v_health = 'none' OR (v_health <> 'fault'
      AND g.fault_streak = 0 AND g.failing_since IS NULL AND g.breaker_until IS NULL)) THEN
    RETURN NULL;
  END IF;
  SELECT x.started_at INTO v_sent_at
    FROM attempt_intents x JOIN subscribers y ON y.id = o.subscriber_id AND y.url_version = x.url_version
    WHERE x.key = o.key AND x.attempt = p_attempt AND y.state = 'live';
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO s FROM subscribers WHERE id = o.subscriber_id;
  IF v_cool_ms > 0 THEN
    UPDATE gates SET
        cool_streak = CASE WHEN cool_until > p_now THEN cool_streak
          WHEN cool_until > p_now - interval '10 minutes' THEN least(cool_streak + 1, 10) ELSE 0 END,
        cool_status = CASE WHEN cool_until > p_now + make_interval(secs => v_cool_ms / 1000.0) THEN cool_status
          ELSE (i ->> 'status')::smallint END,
        cool_until = greatest(cool_until, p_now + make_interval(secs => v_cool_ms / 1000.0))
      WHERE subscriber_id = o.subscriber_id RETURNING * INTO g;
  END IF;
  IF v_gone AND g.gone_at IS NULL AND v_sent_at >= coalesce(g.resumed_at, '-infinity') THEN
    v_reason := 'gone: the receiver answered 410 at '
      || to_char(p_now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      || coalesce('; paused before by ' || g.paused_by || ': ' || g.paused_reason, '');
    UPDATE gates SET gone_at = p_now, paused_at = p_now, paused_by = 'system', paused_reason = v_reason, paused_until = NULL
      WHERE subscriber_id = o.subscriber_id RETURNING * INTO g;
    INSERT INTO audit (at, account, key, subscriber_id, event_id, act, actor, reason, source, detail)
      VALUES (p_now, s.account, o.key, o.subscriber_id, o.event_id, 'subscriber gone', 'system', v_reason, 'ledger',
        jsonb_build_object('attempt', p_attempt));
  END IF;
  IF v_health IN ('well', 'answered', 'fault') THEN
    v_said := heed_health(o, g, s, v_health, p_attempt, p_now);
  END IF;
  RETURN v_said;
END $$;

-- As before; a shadow attempt ends as `shadowed`, and what is stale ends with the attempt that failed it. The answer says
-- so where the attempt was the one that made the system pause its subscriber, or opened or closed its breaker.
CREATE OR REPLACE FUNCTION waybill.settle(p_items jsonb, p_worker text, p_now timestamptz DEFAULT NULL)
RETURNS TABLE (ord int, answer jsonb)
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  -- An array, and no list read from JSON: of that the planner expects a hundred rows, and reads whole tables for them.
  v_keys text[] := ARRAY(SELECT j ->> 'key' FROM jsonb_array_elements(p_items) j);
  i jsonb; o waybill.obligations; g waybill.gates;
  v_attempt int; v_open boolean; v_late boolean; v_counted boolean; v_wait bigint; v_to text; v_took int;
  v_redrive_ms bigint; v_crashes smallint; v_becomes text; v_held boolean; v_said text;
BEGIN
  PERFORM 1 FROM gates WHERE subscriber_id IN
    (SELECT x.subscriber_id FROM obligations x WHERE x.key = ANY (v_keys)) ORDER BY subscriber_id FOR NO KEY UPDATE;
  PERFORM 1 FROM obligations WHERE key = ANY (v_keys) ORDER BY key FOR NO KEY UPDATE;
  v_now := coalesce(p_now, clock_timestamp());

  FOR ord, i IN SELECT t.n, t.j FROM jsonb_array_elements(p_items) WITH ORDINALITY t (j, n) LOOP
    SELECT * INTO o FROM obligations WHERE key = i ->> 'key';
    IF NOT FOUND THEN
      answer := jsonb_build_object('answer', 'missing');
      RETURN NEXT; CONTINUE;
    END IF;
    SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;
    v_attempt := (i ->> 'attempt')::int;
    v_open := o.lease_attempt IS NOT DISTINCT FROM v_attempt;
    v_late := NOT v_open AND EXISTS (SELECT FROM attempt_outcomes x
      WHERE x.key = o.key AND x.attempt = v_attempt AND x.class = 'worker_crash');
    IF NOT v_open AND (NOT v_late OR EXISTS (SELECT FROM attempt_outcomes x
        WHERE x.key = o.key AND x.attempt = v_attempt AND x.late)) THEN
      answer := jsonb_build_object('answer', 'repeated', 'standing', standing_of(o, g, v_now));
      RETURN NEXT; CONTINUE;
    END IF;

    v_counted := (i ->> 'counted')::boolean AND v_open;
    v_to := i -> 'next' ->> 'to';
    v_wait := coalesce((i -> 'next' ->> 'waitMs')::bigint, 0);
    v_redrive_ms := coalesce((i -> 'next' ->> 'redriveWindowMs')::bigint, 0);
    v_took := (i ->> 'tookMs')::int;

    IF v_open THEN
      -- An attempt that was given up as unknown has been found delivered meanwhile: nothing more is owed.
      IF v_to <> 'delivered' AND EXISTS (SELECT FROM attempt_outcomes x
          WHERE x.key = o.key AND x.late AND x.outcome = 'delivered') THEN
        v_to := 'delivered';
      END IF;
      -- A send that outlived its lease is our crash by another name, and counts towards the hold like one.
      v_crashes := CASE WHEN v_counted OR v_to = 'delivered' THEN 0
        WHEN i ->> 'class' = 'lease_over' THEN o.crashes + 1 ELSE o.crashes END;
      v_becomes := CASE WHEN o.disposition <> 'attempting' THEN o.disposition
        WHEN v_to <> 'waiting' THEN v_to
        WHEN o.held_at IS NOT NULL OR v_crashes >= 3 THEN 'held' ELSE 'waiting' END;
      v_held := v_becomes = 'held';
      UPDATE obligations SET
          disposition = v_becomes, rev = rev + 1, crashes = v_crashes,
          lease_attempt = NULL, lease_try = NULL, lease_until = NULL,
          try = CASE WHEN v_counted THEN greatest(try, lease_try) ELSE try END,
          initiator = CASE WHEN v_counted THEN 'schedule' ELSE initiator END,
          last_outcome = i ->> 'outcome', last_class = i ->> 'class', last_status = (i ->> 'status')::smallint,
          next_eligible_at = v_now + make_interval(secs => v_wait / 1000.0),
          finished_at = CASE WHEN v_becomes IN ('delivered', 'shadowed', 'dead') THEN v_now ELSE finished_at END,
          redrive_until = CASE WHEN v_becomes = 'dead' THEN v_now + make_interval(secs => v_redrive_ms / 1000.0)
            ELSE redrive_until END,
          held_at = CASE WHEN v_held THEN coalesce(held_at, v_now) END,
          held_by = CASE WHEN v_held THEN coalesce(held_by, 'system') END,
          held_reason = CASE WHEN v_held THEN coalesce(held_reason, 'worker-crash') END,
          held_until = CASE WHEN v_held THEN held_until END,
          frozen_ms = CASE WHEN v_held THEN v_wait END
        WHERE key = o.key RETURNING * INTO o;
      IF v_took IS NOT NULL AND abs(v_took - g.avg_send_ms) > g.avg_send_ms / 4 THEN
        UPDATE gates SET avg_send_ms = greatest(1, (avg_send_ms * 3 + v_took) / 4)
          WHERE subscriber_id = o.subscriber_id;
      END IF;
    ELSIF i ->> 'outcome' = 'delivered' AND o.lease_attempt IS NULL
        AND o.disposition IN ('pending', 'waiting', 'held', 'dead') THEN
      -- The lease was over and `unknown` on record, but the answer had been read: nothing more is owed.
      UPDATE obligations SET disposition = 'delivered', finished_at = v_now, rev = rev + 1, crashes = 0,
          held_at = NULL, held_by = NULL, held_reason = NULL, held_until = NULL, frozen_ms = NULL,
          last_outcome = 'delivered', last_class = i ->> 'class', last_status = (i ->> 'status')::smallint
        WHERE key = o.key RETURNING * INTO o;
      PERFORM nudge(o.key, 'recheck', NULL, NULL, NULL, v_now);
    END IF;

    INSERT INTO attempt_outcomes (key, attempt, late, outcome, class, status, sent, counted, error, retry_after,
        retry_clamped, location, address, response_bytes, response_digest, took_ms, worker, disposition,
        next_eligible_at, settled_at)
      VALUES (o.key, v_attempt, v_late, i ->> 'outcome', i ->> 'class', (i ->> 'status')::smallint, i ->> 'sent',
        v_counted, i ->> 'error', i ->> 'retryAfter', coalesce((i ->> 'retryClamped')::boolean, false),
        i ->> 'location', i ->> 'address', (i ->> 'responseBytes')::bigint, i ->> 'responseDigest', v_took,
        p_worker, o.disposition,
        CASE WHEN o.disposition IN ('waiting', 'held') THEN o.next_eligible_at END, v_now);
    v_said := heed_answer(o, i, v_attempt, v_now);
    IF o.disposition = 'waiting' THEN o := end_if_moot(o, v_now); END IF;
    SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;
    IF i ->> 'excerpt' IS NOT NULL THEN
      INSERT INTO response_excerpts (key, attempt, encoding, bytes, at)
        VALUES (o.key, v_attempt, i ->> 'excerptEncoding', decode(i ->> 'excerpt', 'base64'), v_now);
    END IF;
    answer := jsonb_build_object('answer', CASE WHEN v_late THEN 'late' ELSE 'settled' END,
      'said', v_said, 'standing', standing_of(o, g, v_now));
    RETURN NEXT;
  END LOOP;
END $$;
