-- What belongs to one destination: headers and TLS texts of its own, several secrets at a time, a cool-down that all
-- its deliveries share, and an end when its receiver says that it is gone.

ALTER TABLE waybill.subscribers
  ADD COLUMN header_names   text[] NOT NULL DEFAULT '{}', -- safe to show; the values are not
  ADD COLUMN headers_sealed text,
  ADD COLUMN auth_type      text CHECK (auth_type IN ('bearer', 'basic')),
  ADD COLUMN auth_sealed    text,
  ADD COLUMN tls_shown      jsonb,                        -- what may be shown of the TLS texts
  ADD COLUMN tls_sealed     text,
  -- Both would set one header, and one of them would be ignored.
  ADD CONSTRAINT subscribers_one_authorization
    CHECK (auth_type IS NULL OR NOT 'authorization' = ANY (header_names));

ALTER TABLE waybill.gates
  ADD COLUMN gone_at     timestamptz,                     -- disabled by a 410; stands beside a pause by the system
  ADD COLUMN resumed_at  timestamptz,
  ADD COLUMN cool_until  timestamptz,
  ADD COLUMN cool_status smallint,                        -- of the answer that asked for it
  ADD COLUMN cool_streak int NOT NULL DEFAULT 0;          -- cool-downs in a row, each soon after the one before

ALTER TABLE waybill.subscriber_secrets ADD COLUMN revoked_at timestamptz;

-- What the answer to one attempt says about its destination: a cool-down, or that it is gone. Only where the attempt
-- went to the URL that still holds, and a 410 only where nobody has resumed the subscriber since it was sent.
-- Call with gate and obligation locked.
CREATE FUNCTION waybill.heed_answer(o waybill.obligations, i jsonb, p_attempt int, p_now timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_cool_ms bigint := least(coalesce((i -> 'next' ->> 'coolMs')::bigint, 0), 30 * 86400000::bigint);
  v_gone boolean := i ->> 'class' = 'gone';
  v_sent_at timestamptz; v_account text; v_reason text; g waybill.gates;
BEGIN
  IF v_cool_ms <= 0 AND NOT v_gone THEN RETURN; END IF;
  SELECT x.started_at, s.account INTO v_sent_at, v_account
    FROM attempt_intents x JOIN subscribers s ON s.id = o.subscriber_id AND s.url_version = x.url_version
    WHERE x.key = o.key AND x.attempt = p_attempt AND s.state = 'live';
  IF NOT FOUND THEN RETURN; END IF;
  SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;
  IF v_cool_ms > 0 THEN
    UPDATE gates SET
        cool_streak = CASE WHEN cool_until > p_now THEN cool_streak
          WHEN cool_until > p_now - interval '10 minutes' THEN least(cool_streak + 1, 10) ELSE 0 END,
        cool_status = CASE WHEN cool_until > p_now + make_interval(secs => v_cool_ms / 1000.0) THEN cool_status
          ELSE (i ->> 'status')::smallint END,
        cool_until = greatest(cool_until, p_now + make_interval(secs => v_cool_ms / 1000.0))
      WHERE subscriber_id = o.subscriber_id;
  END IF;
  IF v_gone AND g.gone_at IS NULL AND v_sent_at >= coalesce(g.resumed_at, '-infinity') THEN
    v_reason := 'gone: the receiver answered 410 at '
      || to_char(p_now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      || coalesce('; paused before by ' || g.paused_by || ': ' || g.paused_reason, '');
    UPDATE gates SET gone_at = p_now, paused_at = p_now, paused_by = 'system', paused_reason = v_reason
      WHERE subscriber_id = o.subscriber_id;
    INSERT INTO audit (at, account, key, subscriber_id, event_id, act, actor, reason, source, detail)
      VALUES (p_now, v_account, o.key, o.subscriber_id, o.event_id, 'subscriber gone', 'system', v_reason, 'ledger',
        jsonb_build_object('attempt', p_attempt));
  END IF;
END $$;

-- As before; held with a reason of its own where the receiver is gone.
CREATE OR REPLACE FUNCTION waybill.standing_of(o waybill.obligations, g waybill.gates, p_now timestamptz) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_is text; v_wait bigint; v_reason text;
  v_to_validity bigint := greatest(ms_between(p_now, o.valid_until), 0);
BEGIN
  IF o.disposition IN ('delivered', 'expired', 'terminated', 'removed') THEN
    v_is := 'over';
  ELSIF o.disposition = 'dead' THEN
    v_is := CASE WHEN o.redrive_until <= p_now THEN 'over' ELSE 'dead' END;
    v_wait := greatest(ms_between(p_now, o.redrive_until), 0);
  ELSIF o.lease_attempt IS NOT NULL AND o.lease_until > p_now THEN
    v_is := 'attempting';
    v_wait := ms_between(p_now, o.lease_until);
  ELSIF o.held_at IS NOT NULL THEN
    v_is := 'held';
    v_reason := o.held_reason;
    v_wait := v_to_validity;
  ELSIF o.next_eligible_at > p_now THEN
    v_is := 'waiting';
    v_reason := 'not_due';
    v_wait := least(ms_between(p_now, o.next_eligible_at), v_to_validity);
  ELSIF g.paused_at IS NOT NULL THEN
    v_is := 'held';
    v_reason := CASE WHEN g.gone_at IS NULL THEN 'subscriber_paused' ELSE 'subscriber_gone' END;
    v_wait := v_to_validity;
  ELSE
    v_is := 'due';
    v_wait := 0;
  END IF;
  RETURN jsonb_build_object('is', v_is, 'disposition', o.disposition, 'rev', o.rev, 'round', o.round,
    'tries', o.try, 'attempts', o.attempts, 'waitMs', coalesce(v_wait, 0), 'reason', v_reason,
    'outcome', o.last_outcome, 'class', o.last_class, 'status', o.last_status,
    'leaseMs', CASE WHEN o.lease_attempt IS NULL THEN 0 ELSE greatest(ms_between(p_now, o.lease_until), 0) END);
END $$;

-- What a sender needs of the subscriber: for a claim and, in the same words, for a drill.
CREATE FUNCTION waybill.send_target(s waybill.subscribers, p_now timestamptz) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
  SELECT jsonb_build_object('id', s.id, 'urlSealed', s.url_sealed, 'policy', s.policy,
    'headersSealed', s.headers_sealed, 'authSealed', s.auth_sealed, 'tlsSealed', s.tls_sealed, 'secrets', (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'sealed', x.sealed) ORDER BY x.created_at DESC, x.id), '[]')
      FROM subscriber_secrets x
      WHERE x.subscriber_id = s.id AND (x.expires_at IS NULL OR x.expires_at > p_now)))
$$;

-- All that a sender needs, now with the subscriber's own headers and TLS texts.
CREATE OR REPLACE FUNCTION waybill.granted(o waybill.obligations, g waybill.gates, p_lease_ms bigint, p_now timestamptz)
RETURNS jsonb
LANGUAGE sql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
  SELECT jsonb_build_object('answer', 'go', 'attempt', o.lease_attempt, 'leaseMs', p_lease_ms,
      'subscriber', send_target(s, p_now),
      'event', jsonb_build_object('id', e.id, 'shipment', e.shipment_id, 'version', e.version, 'type', e.type,
        'contentType', e.content_type, 'digest', encode(e.payload_digest, 'hex')),
      'standing', standing_of(o, g, p_now))
    FROM subscribers s, events e WHERE s.id = o.subscriber_id AND e.id = o.event_id
$$;

-- As before; a destination that cools down refuses, and a sender is given the sealed headers and TLS texts. Workers of an
-- earlier release, which would send without these, ask without p_sends_own and get no lease where there are any.
DROP FUNCTION waybill.claim(text[], int[], int[], text[], text, int, timestamptz, text[]);
CREATE FUNCTION waybill.claim(
  p_keys text[], p_rounds int[], p_tries int[], p_run_ids text[], p_worker text, p_margin_ms int,
  p_now timestamptz DEFAULT NULL, p_tokens text[] DEFAULT NULL, p_sends_own boolean DEFAULT false
) RETURNS TABLE (ord int, answer jsonb)
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  o waybill.obligations; g waybill.gates; s waybill.subscribers;
  v_open int; v_lease_ms bigint; v_standing jsonb; v_wait bigint; v_spread double precision;
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
    ELSIF g.cool_until > v_now THEN
      -- A place in line behind the cool-down. Each further one in a row doubles the spread, so that a long queue
      -- before a receiver that lets few through doesn't ask again as a whole each time.
      v_spread := 2 ^ least(g.cool_streak, 10);
      UPDATE gates SET next_slot_at = least(
          cool_until + least(interval '1 minute' * v_spread, interval '10 minutes'),
          greatest(next_slot_at, cool_until) + make_interval(secs => v_spread * avg_send_ms / 1000.0 / max_concurrency))
        WHERE subscriber_id = o.subscriber_id RETURNING * INTO g;
      v_wait := greatest(1000, ms_between(v_now, g.next_slot_at));
      v_wait := least(v_wait, greatest(ms_between(v_now, o.valid_until), 0));
      answer := jsonb_build_object('answer', 'not_yet', 'reason', 'cooling-down', 'standing',
        v_standing || jsonb_build_object('is', 'waiting', 'reason', 'cooling-down', 'waitMs', v_wait));
    ELSIF NOT p_sends_own AND EXISTS (SELECT FROM subscribers x WHERE x.id = o.subscriber_id
        AND num_nonnulls(x.headers_sealed, x.auth_sealed, x.tls_sealed) > 0) THEN
      v_wait := least(60000, greatest(ms_between(v_now, o.valid_until), 0));
      answer := jsonb_build_object('answer', 'not_yet', 'reason', 'worker-too-old', 'standing',
        v_standing || jsonb_build_object('is', 'waiting', 'reason', 'worker-too-old', 'waitMs', v_wait));
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

-- As before; what an answer says about the whole destination is heeded in the same transaction.
CREATE OR REPLACE FUNCTION waybill.settle(p_items jsonb, p_worker text, p_now timestamptz DEFAULT NULL)
RETURNS TABLE (ord int, answer jsonb)
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  i jsonb; o waybill.obligations; g waybill.gates;
  v_attempt int; v_open boolean; v_late boolean; v_counted boolean; v_wait bigint; v_to text; v_took int;
  v_redrive_ms bigint; v_crashes smallint; v_becomes text; v_held boolean;
BEGIN
  PERFORM 1 FROM gates WHERE subscriber_id IN
    (SELECT x.subscriber_id FROM obligations x
      WHERE x.key IN (SELECT j ->> 'key' FROM jsonb_array_elements(p_items) j))
    ORDER BY subscriber_id FOR NO KEY UPDATE;
  PERFORM 1 FROM obligations
    WHERE key IN (SELECT j ->> 'key' FROM jsonb_array_elements(p_items) j) ORDER BY key FOR NO KEY UPDATE;
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
          finished_at = CASE WHEN v_becomes IN ('delivered', 'dead') THEN v_now ELSE finished_at END,
          redrive_until = CASE WHEN v_becomes = 'dead' THEN v_now + make_interval(secs => v_redrive_ms / 1000.0)
            ELSE redrive_until END,
          held_at = CASE WHEN v_held THEN coalesce(held_at, v_now) END,
          held_by = CASE WHEN v_held THEN coalesce(held_by, 'system') END,
          held_reason = CASE WHEN v_held THEN coalesce(held_reason, 'worker-crash') END,
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
          held_at = NULL, held_by = NULL, held_reason = NULL, frozen_ms = NULL,
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
    PERFORM heed_answer(o, i, v_attempt, v_now);
    SELECT * INTO g FROM gates WHERE subscriber_id = o.subscriber_id;
    IF i ->> 'excerpt' IS NOT NULL THEN
      INSERT INTO response_excerpts (key, attempt, encoding, bytes, at)
        VALUES (o.key, v_attempt, i ->> 'excerptEncoding', decode(i ->> 'excerpt', 'base64'), v_now);
    END IF;
    answer := jsonb_build_object('answer', CASE WHEN v_late THEN 'late' ELSE 'settled' END,
      'standing', standing_of(o, g, v_now));
    RETURN NEXT;
  END LOOP;
END $$;

-- Wakes whatever a subscriber's pause or cool-down has kept waiting; answers how many. Call with its gate locked.
CREATE FUNCTION waybill.wake_due(p_subscriber text, p_now timestamptz) RETURNS int
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE v_count int;
BEGIN
  INSERT INTO outbox (kind, key, message, due_at)
    SELECT 'nudge', o.key, jsonb_build_object('signal', 'recheck'), greatest(p_now, o.next_eligible_at)
      FROM obligations o
      -- A few seconds more: one that falls due while this commits may have been told of the pause or cool-down.
      WHERE o.subscriber_id = p_subscriber AND o.disposition IN ('pending', 'waiting')
        AND o.next_eligible_at <= p_now + interval '5 seconds';
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count;
END $$;

-- What a change of the subscriber means for its gate. What a receiver asked for at the old URL doesn't bind the new one.
CREATE FUNCTION waybill.adjust_gate(p_subscriber text, p_max_concurrency int, p_new_url boolean, p_now timestamptz)
RETURNS void
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE g waybill.gates;
BEGIN
  SELECT * INTO g FROM gates WHERE subscriber_id = p_subscriber FOR NO KEY UPDATE;
  UPDATE gates SET max_concurrency = coalesce(p_max_concurrency, max_concurrency),
      cool_until = CASE WHEN p_new_url THEN NULL ELSE cool_until END,
      next_slot_at = CASE WHEN p_new_url THEN NULL ELSE next_slot_at END
    WHERE subscriber_id = p_subscriber;
  IF p_new_url AND g.cool_until > p_now THEN
    PERFORM wake_due(p_subscriber, p_now);
  END IF;
END $$;

-- As before; a resume ends a disabling, or a cool-down where nothing is paused.
CREATE OR REPLACE FUNCTION waybill.act_on_subscriber(
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
    v_changed := g.paused_at IS NOT NULL OR coalesce(g.cool_until > v_now, false);
    IF v_changed THEN
      -- What the receiver asked for outlives a pause; a resume of what isn't paused is the word to end it.
      UPDATE gates SET paused_at = NULL, paused_by = NULL, paused_reason = NULL, gone_at = NULL, resumed_at = v_now,
          cool_until = CASE WHEN g.paused_at IS NULL THEN NULL ELSE cool_until END,
          next_slot_at = CASE WHEN g.paused_at IS NULL THEN NULL ELSE next_slot_at END
        WHERE subscriber_id = p_subscriber;
      v_count := wake_due(p_subscriber, v_now);
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

-- Adds a secret and gives the ones without an end theirs. p_overlap_ms 0 ends them at once.
CREATE FUNCTION waybill.rotate_secret(
  p_account text, p_subscriber text, p_secret_id text, p_sealed text, p_overlap_ms bigint, p_max_live int,
  p_actor text, p_reason text, p_request_id text, p_source text, p_now timestamptz DEFAULT NULL
) RETURNS jsonb
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz; s waybill.subscribers; q waybill.operator_requests;
  v_refused text; v_ends timestamptz; v_answer jsonb;
BEGIN
  SELECT * INTO s FROM subscribers WHERE id = p_subscriber AND account = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN jsonb_build_object('ok', false, 'code', 'not_found'); END IF;
  -- The same lock as claim takes: a claim sees the secrets from before or from after.
  PERFORM 1 FROM gates WHERE subscriber_id = p_subscriber FOR NO KEY UPDATE;
  v_now := coalesce(p_now, clock_timestamp());
  v_ends := v_now + make_interval(secs => p_overlap_ms / 1000.0);

  SELECT * INTO q FROM operator_requests WHERE scope = p_subscriber AND request_id = p_request_id;
  IF FOUND AND q.verb = 'secret rotate' AND q.actor = p_actor AND q.reason = p_reason
      AND (q.answer ->> 'overlapMs')::bigint = p_overlap_ms THEN
    RETURN q.answer || jsonb_build_object('repeated', true);
  ELSIF FOUND THEN
    v_refused := 'request_id_reused';
  ELSIF s.state = 'removed' THEN
    v_refused := 'subscriber_removed';
  ELSIF (SELECT count(*) FROM subscriber_secrets x WHERE x.subscriber_id = p_subscriber
      AND (CASE WHEN x.expires_at IS NULL THEN v_ends ELSE x.expires_at END) > v_now) >= p_max_live THEN
    v_refused := 'too_many_secrets';
  ELSE
    UPDATE subscriber_secrets SET expires_at = v_ends WHERE subscriber_id = p_subscriber AND expires_at IS NULL;
    INSERT INTO subscriber_secrets (id, subscriber_id, sealed, created_at)
      VALUES (p_secret_id, p_subscriber, p_sealed, v_now);
  END IF;

  INSERT INTO audit (at, account, subscriber_id, act, actor, reason, request_id, source, refused, detail)
    VALUES (v_now, p_account, p_subscriber, 'secret rotate', p_actor, p_reason, p_request_id, p_source, v_refused,
      jsonb_build_object('secretId', CASE WHEN v_refused IS NULL THEN p_secret_id END, 'overlapMs', p_overlap_ms));
  v_answer := jsonb_strip_nulls(jsonb_build_object('ok', v_refused IS NULL, 'code', v_refused,
    'changed', v_refused IS NULL, 'overlapMs', p_overlap_ms,
    'secretId', CASE WHEN v_refused IS NULL THEN p_secret_id END));
  IF v_refused IS DISTINCT FROM 'request_id_reused' THEN
    INSERT INTO operator_requests (scope, request_id, verb, actor, reason, answer, at)
      VALUES (p_subscriber, p_request_id, 'secret rotate', p_actor, p_reason, v_answer, v_now);
  END IF;
  RETURN v_answer || jsonb_build_object('repeated', false);
END $$;

-- Ends one secret at once. The current one stays: without it nothing could be signed once the others have ended.
CREATE FUNCTION waybill.revoke_secret(
  p_account text, p_secret_id text, p_actor text, p_reason text, p_request_id text, p_source text,
  p_now timestamptz DEFAULT NULL
) RETURNS jsonb
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz; v_id text; x waybill.subscriber_secrets; q waybill.operator_requests;
  v_refused text; v_changed boolean := false; v_open int; v_answer jsonb;
BEGIN
  SELECT s.id INTO v_id FROM subscriber_secrets y JOIN subscribers s ON s.id = y.subscriber_id
    WHERE y.id = p_secret_id AND s.account = p_account FOR NO KEY UPDATE OF s;
  IF NOT FOUND THEN RETURN jsonb_build_object('ok', false, 'code', 'not_found'); END IF;
  PERFORM 1 FROM gates WHERE subscriber_id = v_id FOR NO KEY UPDATE;
  v_now := coalesce(p_now, clock_timestamp());
  SELECT * INTO x FROM subscriber_secrets WHERE id = p_secret_id;
  -- Sends under way may have been given it already.
  SELECT count(*) INTO v_open FROM obligations o JOIN attempt_intents i ON i.key = o.key AND i.attempt = o.lease_attempt
    WHERE o.subscriber_id = v_id AND o.lease_until > v_now AND p_secret_id = ANY (i.secret_ids);

  SELECT * INTO q FROM operator_requests WHERE scope = v_id AND request_id = p_request_id;
  IF FOUND AND q.verb = 'secret revoke' AND q.actor = p_actor AND q.reason = p_reason
      AND q.answer ->> 'secretId' = p_secret_id THEN
    RETURN q.answer || jsonb_build_object('repeated', true, 'inFlight', v_open, 'confirmed', v_open = 0);
  ELSIF FOUND THEN
    v_refused := 'request_id_reused';
  ELSIF x.expires_at IS NULL THEN
    v_refused := 'secret_in_use';
  ELSIF x.expires_at > v_now THEN
    v_changed := true;
    UPDATE subscriber_secrets SET expires_at = v_now, revoked_at = v_now WHERE id = p_secret_id;
  END IF;

  INSERT INTO audit (at, account, subscriber_id, act, actor, reason, request_id, source, refused, detail)
    VALUES (v_now, p_account, v_id, 'secret revoke', p_actor, p_reason, p_request_id, p_source, v_refused,
      jsonb_build_object('secretId', p_secret_id, 'changed', v_changed));
  v_answer := jsonb_strip_nulls(jsonb_build_object('ok', v_refused IS NULL, 'code', v_refused,
    'changed', v_changed, 'secretId', p_secret_id));
  IF v_refused IS DISTINCT FROM 'request_id_reused' THEN
    INSERT INTO operator_requests (scope, request_id, verb, actor, reason, answer, at)
      VALUES (v_id, p_request_id, 'secret revoke', p_actor, p_reason, v_answer, v_now);
  END IF;
  RETURN v_answer || jsonb_build_object('repeated', false, 'inFlight', v_open, 'confirmed', v_open = 0);
END $$;

REVOKE EXECUTE ON FUNCTION waybill.heed_answer, waybill.send_target, waybill.claim, waybill.wake_due, waybill.adjust_gate,
  waybill.rotate_secret, waybill.revoke_secret FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.heed_answer, waybill.send_target, waybill.claim, waybill.wake_due, waybill.adjust_gate,
  waybill.rotate_secret, waybill.revoke_secret TO waybill_app;
