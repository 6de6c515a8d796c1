-- What people do with pauses of any reach, cohorts and limits; pauses that end by themselves.

-- Whether an act that is repeated under its request id asks for the same end as it did before. The answer's `until` is the end
-- that holds: what is paused already keeps the one it has. A signal that follows an act
-- of our own doors names none.
CREATE FUNCTION waybill.same_until(p_answer jsonb, p_until timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (p_answer ->> 'askedUntil')::timestamptz IS NOT DISTINCT FROM p_until
$$;

-- Lets go what waits of each of these destinations: all at once where it is no more than may be sent side by side, else in
-- pages and below a ramp. Half of what the destination takes is the ramp where nobody names one, from 1 to 100 a second.
-- Call with the gates locked, after their pause has been taken away; answers how many wait.
CREATE FUNCTION waybill.let_go(p_subscribers text[], p_ramp double precision, p_now timestamptz) RETURNS int
LANGUAGE sql SET search_path = waybill, pg_catalog, pg_temp AS $$
  WITH waiting AS (
    SELECT g.subscriber_id, g.max_concurrency, coalesce(p_ramp, least(100, greatest(1, takes_per_second(g) / 2))) AS ramp,
        -- A few seconds more: one that falls due while this commits may have been told to wait.
        (SELECT count(*) FROM obligations o WHERE o.subscriber_id = g.subscriber_id
          AND o.disposition IN ('pending', 'waiting') AND o.next_eligible_at <= p_now + interval '5 seconds') AS n
      FROM gates g WHERE g.subscriber_id = ANY (p_subscribers)
  ), judged AS MATERIALIZED (
    SELECT *, n > max_concurrency OR (p_ramp IS NOT NULL AND n > 0) AS many FROM waiting
  ), ramped AS (
    UPDATE gates g SET next_slot_at = NULL, resumed_at = p_now, ramp_per_s = CASE WHEN j.many THEN j.ramp END,
        ramp_from = CASE WHEN j.many THEN p_now END, ramp_until = NULL
      FROM judged j WHERE g.subscriber_id = j.subscriber_id
  ), waking AS (
    INSERT INTO wakes (subscriber_id, after_event, last_event, per_second, due_at)
      SELECT subscriber_id, -1, (SELECT max(id) FROM events), CASE WHEN many THEN greatest(0.8 * ramp, 0.01) ELSE 1000 END,
          p_now
        FROM judged WHERE n > 0
      ON CONFLICT (subscriber_id) DO UPDATE SET after_event = -1, last_event = excluded.last_event,
        per_second = excluded.per_second, due_at = excluded.due_at, page_at = NULL
  )
  SELECT coalesce(sum(n), 0)::int FROM judged
$$;

-- As before, with the gate locked first.
CREATE OR REPLACE FUNCTION waybill.look(p_key text, p_worker text, p_now timestamptz DEFAULT NULL) RETURNS jsonb
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  o waybill.obligations; g waybill.gates;
BEGIN
  SELECT x.* INTO g FROM gates x WHERE x.subscriber_id = (SELECT y.subscriber_id FROM obligations y WHERE y.key = p_key)
    FOR NO KEY UPDATE;
  SELECT * INTO o FROM obligations WHERE key = p_key FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  v_now := coalesce(p_now, clock_timestamp());
  IF o.lease_attempt IS NOT NULL AND o.lease_until <= v_now THEN o := record_crash(o, p_worker, v_now); END IF;
  o := end_if_moot(o, v_now);
  RETURN standing_of(o, g, v_now);
END $$;

-- As before, with the gate locked first; a pause may have an end.
DROP FUNCTION waybill.act(text, text, text, text, text, text, text, timestamptz);
CREATE FUNCTION waybill.act(
  p_account text, p_key text, p_verb text, p_actor text, p_reason text, p_request_id text, p_source text,
  p_now timestamptz DEFAULT NULL, p_until timestamptz DEFAULT NULL
) RETURNS jsonb
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  o waybill.obligations; g waybill.gates; q waybill.operator_requests;
  v_account text; v_refused text; v_changed boolean := false; v_answer jsonb; v_before text;
BEGIN
  PERFORM 1 FROM gates WHERE subscriber_id = (SELECT x.subscriber_id FROM obligations x WHERE x.key = p_key) FOR NO KEY UPDATE;
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
    IF q.verb = p_verb AND q.actor = p_actor AND q.reason = p_reason
        AND (p_source = 'temporal' OR same_until(q.answer, p_until)) THEN
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
        UPDATE obligations SET held_at = v_now, held_by = p_actor, held_reason = 'paused', held_until = p_until,
            frozen_ms = CASE WHEN disposition <> 'attempting' THEN greatest(ms_between(v_now, next_eligible_at), 0) END,
            disposition = CASE WHEN disposition = 'attempting' THEN disposition ELSE 'held' END, rev = rev + 1
          WHERE key = o.key RETURNING * INTO o;
        IF p_until IS NOT NULL THEN
          INSERT INTO pause_ends (kind, account, target, paused_at, due_at)
            VALUES ('obligation', v_account, o.key, v_now, p_until);
        END IF;
      END IF;
    ELSIF p_verb = 'resume' THEN
      IF is_final(o.disposition) THEN
        v_refused := 'already_final';
      ELSIF o.held_at IS NULL THEN
        v_refused := 'not_held';
      ELSE
        v_changed := true;
        UPDATE obligations SET held_at = NULL, held_by = NULL, held_reason = NULL, held_until = NULL, crashes = 0,
            next_eligible_at = CASE WHEN disposition = 'held'
              THEN v_now + make_interval(secs => coalesce(frozen_ms, 0) / 1000.0) ELSE next_eligible_at END,
            frozen_ms = NULL,
            disposition = CASE WHEN disposition = 'held' THEN CASE WHEN attempts = 0 THEN 'pending' ELSE 'waiting' END
              ELSE disposition END, rev = rev + 1
          WHERE key = o.key RETURNING * INTO o;
      END IF;
    ELSIF p_verb = 'terminate' THEN
      IF is_final(o.disposition) THEN
        v_refused := 'already_final';
      ELSE
        v_changed := true;
        UPDATE obligations SET disposition = 'terminated', finished_at = v_now, rev = rev + 1,
            held_at = NULL, held_by = NULL, held_reason = NULL, held_until = NULL, frozen_ms = NULL
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
    'disposition', o.disposition, 'confirmed', o.lease_attempt IS NULL OR o.lease_until <= v_now,
    'until', o.held_until, 'askedUntil', p_until));
  IF v_refused IS DISTINCT FROM 'request_id_reused' THEN
    INSERT INTO operator_requests (scope, request_id, verb, actor, reason, answer, at)
      VALUES (p_key, p_request_id, p_verb, p_actor, p_reason, v_answer, v_now);
  END IF;
  IF v_changed AND p_source <> 'temporal' THEN
    PERFORM nudge(p_key, p_verb, p_actor, p_reason, p_request_id, v_now);
  END IF;
  RETURN v_answer || jsonb_build_object('repeated', false, 'standing', standing_of(o, g, v_now));
END $$;

-- As before; a pause may have an end, and a resume lets what was held go at a pace: below p_ramp a second, where more is
-- held than may be sent side by side. It also closes the breaker.
DROP FUNCTION waybill.act_on_subscriber(text, text, text, text, text, text, text, timestamptz);
CREATE FUNCTION waybill.act_on_subscriber(
  p_account text, p_subscriber text, p_verb text, p_actor text, p_reason text, p_request_id text, p_source text,
  p_now timestamptz DEFAULT NULL, p_until timestamptz DEFAULT NULL, p_ramp double precision DEFAULT NULL
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
  IF FOUND AND q.verb = p_verb AND q.actor = p_actor AND q.reason = p_reason AND same_until(q.answer, p_until) THEN
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
      UPDATE gates SET paused_at = v_now, paused_by = p_actor, paused_reason = p_reason, paused_until = p_until
        WHERE subscriber_id = p_subscriber;
      IF p_until IS NOT NULL THEN
        INSERT INTO pause_ends (kind, account, target, paused_at, due_at)
          VALUES ('subscriber', p_account, p_subscriber, v_now, p_until);
      END IF;
    END IF;
  ELSIF p_verb = 'resume' THEN
    v_changed := g.paused_at IS NOT NULL OR g.breaker_until IS NOT NULL OR coalesce(g.cool_until > v_now, false);
    IF v_changed THEN
      -- What the receiver asked for outlives a pause; a resume of what isn't paused is the word to end it.
      UPDATE gates SET paused_at = NULL, paused_by = NULL, paused_reason = NULL, paused_until = NULL, gone_at = NULL,
          failing_since = NULL,
          cool_until = CASE WHEN g.paused_at IS NULL THEN NULL ELSE cool_until END
        WHERE subscriber_id = p_subscriber;
      PERFORM close_breaker(p_subscriber);
      v_count := let_go(ARRAY[p_subscriber], p_ramp, v_now);
    END IF;
  ELSIF p_verb = 'remove' THEN
    v_changed := true;
    UPDATE subscribers SET state = 'removed', removed_at = v_now, updated_at = v_now WHERE id = p_subscriber;
    PERFORM 1 FROM obligations WHERE subscriber_id = p_subscriber
      AND disposition IN ('pending', 'attempting', 'waiting', 'held', 'dead') ORDER BY key FOR NO KEY UPDATE;
    WITH ended AS (
      UPDATE obligations SET disposition = 'removed', finished_at = v_now, rev = rev + 1,
          held_at = NULL, held_by = NULL, held_reason = NULL, held_until = NULL, frozen_ms = NULL
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
    'obligations', v_count, 'until', (SELECT x.paused_until FROM gates x WHERE x.subscriber_id = p_subscriber),
    'askedUntil', p_until));
  IF v_refused IS DISTINCT FROM 'request_id_reused' THEN
    INSERT INTO operator_requests (scope, request_id, verb, actor, reason, answer, at)
      VALUES (p_subscriber, p_request_id, p_verb, p_actor, p_reason, v_answer, v_now);
  END IF;
  RETURN v_answer || jsonb_build_object('repeated', false, 'inFlight', v_open, 'confirmed', v_open = 0);
END $$;

-- One act on a cohort, or with cohort '' on the whole account. A pause is one row; from the answer on no claim is granted
-- that doesn't know of it. A cohort that is switched off starts nothing new: what runs goes on.
CREATE FUNCTION waybill.act_on_scope(
  p_account text, p_cohort text, p_verb text, p_actor text, p_reason text, p_request_id text, p_source text,
  p_now timestamptz DEFAULT NULL, p_until timestamptz DEFAULT NULL, p_ramp double precision DEFAULT NULL
) RETURNS jsonb
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_scope text := CASE WHEN p_cohort = '' THEN 'account ' || p_account
    ELSE 'cohort ' || encode_part(p_account) || ' ' || p_cohort END; -- either name may hold spaces
  v_now timestamptz; c waybill.cohorts; q waybill.operator_requests;
  v_refused text; v_changed boolean := false; v_count int := 0; v_open int; v_answer jsonb; v_repeated boolean := false;
BEGIN
  -- A switch waits for fan-outs that are being written, a pause for claims: neither for what it doesn't bear on.
  PERFORM pg_advisory_xact_lock(hashtext(CASE WHEN p_verb IN ('on', 'off') THEN 'waybill.cohorts' ELSE 'waybill.pauses' END));
  IF p_cohort <> '' THEN
    SELECT * INTO c FROM cohorts WHERE account = p_account AND name = p_cohort FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN jsonb_build_object('ok', false, 'code', 'not_found'); END IF;
  END IF;
  v_now := coalesce(p_now, clock_timestamp());

  SELECT * INTO q FROM operator_requests WHERE scope = v_scope AND request_id = p_request_id;
  IF FOUND AND q.verb = p_verb AND q.actor = p_actor AND q.reason = p_reason AND same_until(q.answer, p_until) THEN
    v_repeated := true;
    v_answer := q.answer;
  ELSIF FOUND THEN
    v_refused := 'request_id_reused';
  ELSIF p_verb = 'pause' THEN
    INSERT INTO pauses (account, cohort, paused_at, paused_by, paused_reason, paused_until)
      VALUES (p_account, p_cohort, v_now, p_actor, p_reason, p_until) ON CONFLICT DO NOTHING;
    v_changed := FOUND;
    IF v_changed AND p_until IS NOT NULL THEN
      INSERT INTO pause_ends (kind, account, target, paused_at, due_at)
        VALUES ('scope', p_account, p_cohort, v_now, p_until);
    END IF;
  ELSIF p_verb = 'resume' THEN
    DELETE FROM pauses WHERE account = p_account AND cohort = p_cohort;
    v_changed := FOUND;
    IF v_changed THEN
      -- All of them while claims stand still, so in one go.
      v_count := let_go(ARRAY(SELECT x.subscriber_id FROM gates x JOIN subscribers s ON s.id = x.subscriber_id
        WHERE s.account = p_account AND s.state = 'live' AND (p_cohort = '' OR x.cohort = p_cohort)
        ORDER BY x.subscriber_id FOR NO KEY UPDATE OF x), p_ramp, v_now);
    END IF;
  ELSIF p_verb IN ('on', 'off') AND p_cohort <> '' THEN
    v_changed := c.is_on <> (p_verb = 'on');
    UPDATE cohorts SET is_on = (p_verb = 'on'), updated_at = v_now WHERE account = p_account AND name = p_cohort AND v_changed;
  ELSE
    RAISE EXCEPTION 'unknown verb %', p_verb;
  END IF;

  SELECT count(*) INTO v_open FROM obligations o JOIN gates x ON x.subscriber_id = o.subscriber_id
      JOIN subscribers s ON s.id = x.subscriber_id
    WHERE o.lease_attempt IS NOT NULL AND o.lease_until > v_now
      AND s.account = p_account AND (p_cohort = '' OR x.cohort = p_cohort);
  IF v_repeated THEN
    RETURN v_answer || jsonb_build_object('repeated', true, 'inFlight', v_open, 'confirmed', v_open = 0);
  END IF;
  INSERT INTO audit (at, account, act, actor, reason, request_id, source, refused, detail)
    VALUES (v_now, p_account, CASE WHEN p_cohort = '' THEN 'account ' ELSE 'cohort ' END || p_verb, p_actor, p_reason,
      p_request_id, p_source, v_refused, jsonb_strip_nulls(jsonb_build_object('cohort', nullif(p_cohort, ''),
        'changed', v_changed, 'obligations', v_count, 'until', p_until)));
  v_answer := jsonb_strip_nulls(jsonb_build_object('ok', v_refused IS NULL, 'code', v_refused, 'changed', v_changed,
    'obligations', v_count, 'askedUntil', p_until,
    'until', (SELECT x.paused_until FROM pauses x WHERE x.account = p_account AND x.cohort = p_cohort)));
  IF v_refused IS DISTINCT FROM 'request_id_reused' THEN
    INSERT INTO operator_requests (scope, request_id, verb, actor, reason, answer, at)
      VALUES (v_scope, p_request_id, p_verb, p_actor, p_reason, v_answer, v_now);
  END IF;
  RETURN v_answer || jsonb_build_object('repeated', false, 'inFlight', v_open, 'confirmed', v_open = 0);
END $$;

-- Ends one pause whose end has come, if it is still that pause; false where none is due. A relay that dies leaves it due.
CREATE FUNCTION waybill.end_due_pause(p_now timestamptz DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE v_now timestamptz := coalesce(p_now, clock_timestamp()); x waybill.pause_ends; v_id text;
BEGIN
  SELECT * INTO x FROM pause_ends WHERE due_at <= v_now ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM pause_ends WHERE id = x.id;
  v_id := 'end of pause ' || x.id;
  -- Whoever acts on the same holds these: only after that it shows whether the pause is still the one that is meant.
  IF x.kind = 'obligation' THEN
    PERFORM 1 FROM gates WHERE subscriber_id = (SELECT o.subscriber_id FROM obligations o WHERE o.key = x.target)
      FOR NO KEY UPDATE;
    PERFORM 1 FROM obligations WHERE key = x.target FOR NO KEY UPDATE;
  ELSIF x.kind = 'subscriber' THEN
    PERFORM 1 FROM subscribers WHERE id = x.target FOR NO KEY UPDATE;
    PERFORM 1 FROM gates WHERE subscriber_id = x.target FOR NO KEY UPDATE;
  ELSE
    PERFORM pg_advisory_xact_lock(hashtext('waybill.pauses'));
  END IF;
  IF x.kind = 'obligation' AND EXISTS (SELECT FROM obligations WHERE key = x.target AND held_at = x.paused_at) THEN
    PERFORM act(x.account, x.target, 'resume', 'system', 'its pause has ended', v_id, 'ledger', p_now);
  ELSIF x.kind = 'subscriber' AND EXISTS (SELECT FROM gates WHERE subscriber_id = x.target AND paused_at = x.paused_at) THEN
    PERFORM act_on_subscriber(x.account, x.target, 'resume', 'system', 'its pause has ended', v_id, 'ledger', p_now);
  ELSIF x.kind = 'scope'
      AND EXISTS (SELECT FROM pauses WHERE account = x.account AND cohort = x.target AND paused_at = x.paused_at) THEN
    PERFORM act_on_scope(x.account, x.target, 'resume', 'system', 'its pause has ended', v_id, 'ledger', p_now);
  END IF;
  RETURN true;
END $$;

-- What a change of the subscriber means for its gate. What a receiver asked for at the old URL doesn't bind the new one,
-- and neither does its breaker. Another limit makes a new line: who waits in the old one is woken at the new pace. Out of a
-- cohort that is paused it is let go as after a resume.
CREATE FUNCTION waybill.adjust_gate(p_subscriber text, p_gate jsonb, p_new_url boolean, p_now timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE g waybill.gates; h waybill.gates;
BEGIN
  SELECT * INTO g FROM gates WHERE subscriber_id = p_subscriber FOR NO KEY UPDATE;
  UPDATE gates SET
      account = coalesce(account, (SELECT s.account FROM subscribers s WHERE s.id = p_subscriber)),
      max_concurrency = coalesce((p_gate ->> 'maxConcurrency')::int, max_concurrency),
      rate_per_s = CASE WHEN p_gate ? 'ratePerSecond' THEN (p_gate ->> 'ratePerSecond')::double precision ELSE rate_per_s END,
      shadow = coalesce((p_gate ->> 'shadow')::boolean, shadow),
      order_policy = coalesce(p_gate ->> 'order', order_policy),
      order_wait_ms = coalesce((p_gate ->> 'orderWaitMs')::bigint, order_wait_ms),
      cohort = CASE WHEN p_gate ? 'cohort' THEN p_gate ->> 'cohort' ELSE cohort END,
      cool_until = CASE WHEN p_new_url THEN NULL ELSE cool_until END,
      failing_since = CASE WHEN p_new_url THEN NULL ELSE failing_since END
    WHERE subscriber_id = p_subscriber RETURNING * INTO h;
  IF p_new_url THEN PERFORM close_breaker(p_subscriber); END IF;
  IF pause_of(h) IS NULL AND pause_of(g) IS NOT NULL THEN
    PERFORM let_go(ARRAY[p_subscriber], NULL, p_now);
    RETURN;
  END IF;
  IF h.rate_per_s IS DISTINCT FROM g.rate_per_s THEN
    -- A moment reserved at a slower rate would keep the first request at the new one waiting.
    UPDATE gates SET next_send_at = least(next_send_at, p_now + make_interval(secs => coalesce(1 / h.rate_per_s, 0)))
      WHERE subscriber_id = p_subscriber AND next_send_at IS NOT NULL;
  END IF;
  -- Nothing waits where there is neither a line nor an order, and what a cool-down or a breaker keeps waits on.
  IF coalesce(h.cool_until <= p_now, true) AND (p_new_url OR h.breaker_until IS NULL)
      AND ((g.next_slot_at > p_now AND (p_new_url OR h.rate_per_s IS DISTINCT FROM g.rate_per_s
          OR h.max_concurrency <> g.max_concurrency))
        OR h.order_policy <> g.order_policy OR h.order_wait_ms <> g.order_wait_ms) THEN
    UPDATE gates SET next_slot_at = NULL, line_send_ms = NULL WHERE subscriber_id = p_subscriber;
    PERFORM wake_paced(p_subscriber, 0.8 * takes_per_second(h), p_now);
  END IF;
END $$;
-- As an earlier release calls it.
CREATE OR REPLACE FUNCTION waybill.adjust_gate(p_subscriber text, p_max_concurrency int, p_new_url boolean, p_now timestamptz)
RETURNS void
LANGUAGE sql SET search_path = waybill, pg_catalog, pg_temp AS $$
  SELECT adjust_gate(p_subscriber, jsonb_strip_nulls(jsonb_build_object('maxConcurrency', p_max_concurrency)), p_new_url, p_now)
$$;
