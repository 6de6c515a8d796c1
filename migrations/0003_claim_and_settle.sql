-- The heart: who may send now (claim), what came of it (settle), where an obligation stands (standing).

-- Where an obligation stands, for whoever has to decide what comes next. Durations, never clock times, so that
-- a caller's clock doesn't matter.
CREATE FUNCTION waybill.standing_of(o waybill.obligations, g waybill.gates, p_now timestamptz) RETURNS jsonb
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
    v_reason := 'subscriber_paused';
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

-- Validity runs on while an obligation waits or is held, and a removed subscriber is owed nothing.
-- Call with the row locked.
CREATE FUNCTION waybill.end_if_moot(o waybill.obligations, p_now timestamptz) RETURNS waybill.obligations
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_end text; v_account text;
BEGIN
  IF o.disposition IN ('pending', 'attempting', 'waiting', 'held') AND o.lease_attempt IS NULL THEN
    SELECT CASE WHEN s.state = 'removed' THEN 'removed' WHEN o.valid_until <= p_now THEN 'expired' END, s.account
      INTO v_end, v_account FROM subscribers s WHERE s.id = o.subscriber_id;
    IF v_end IS NOT NULL THEN
      UPDATE obligations SET disposition = v_end, finished_at = p_now, rev = rev + 1,
          held_at = NULL, held_by = NULL, held_reason = NULL, frozen_ms = NULL
        WHERE key = o.key RETURNING * INTO o;
      INSERT INTO audit (at, account, key, subscriber_id, event_id, act, actor, reason, source)
        VALUES (p_now, v_account, o.key, o.subscriber_id, o.event_id, v_end, 'system',
          CASE v_end WHEN 'removed' THEN 'subscriber removed' ELSE 'validity over' END, 'ledger');
    END IF;
  END IF;
  RETURN o;
END $$;

-- A lease that ran out without an outcome: the send may have happened, so it is recorded as `unknown` and uses
-- no try. The third in a row holds the obligation: a delivery that kills workers isn't repeated for ever.
CREATE FUNCTION waybill.record_crash(o waybill.obligations, p_worker text, p_now timestamptz)
RETURNS waybill.obligations
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_attempt int := o.lease_attempt;
  v_third boolean := o.crashes + 1 >= 3;
  v_becomes text; v_held boolean;
BEGIN
  v_becomes := CASE WHEN o.disposition <> 'attempting' THEN o.disposition
    WHEN EXISTS (SELECT FROM attempt_outcomes x WHERE x.key = o.key AND x.late AND x.outcome = 'delivered')
      THEN 'delivered'
    WHEN o.held_at IS NOT NULL OR v_third THEN 'held' ELSE 'waiting' END;
  v_held := v_becomes = 'held';
  UPDATE obligations SET
      disposition = v_becomes, rev = rev + 1, crashes = crashes + 1,
      lease_attempt = NULL, lease_try = NULL, lease_until = NULL,
      last_outcome = 'unknown', last_class = 'worker_crash', last_status = NULL, next_eligible_at = p_now,
      finished_at = CASE WHEN v_becomes = 'delivered' THEN p_now ELSE finished_at END,
      held_at = CASE WHEN v_held THEN coalesce(held_at, p_now) END,
      held_by = CASE WHEN v_held THEN coalesce(held_by, 'system') END,
      held_reason = CASE WHEN v_held THEN coalesce(held_reason, 'worker-crash') END,
      frozen_ms = CASE WHEN v_held THEN 0 END
    WHERE key = o.key RETURNING * INTO o;
  INSERT INTO attempt_outcomes (key, attempt, outcome, class, sent, counted, error, worker, disposition,
      next_eligible_at, settled_at)
    VALUES (o.key, v_attempt, 'unknown', 'worker_crash', 'maybe', false,
      'the lease ended without an outcome', p_worker, o.disposition,
      CASE WHEN o.disposition IN ('waiting', 'held') THEN o.next_eligible_at END, p_now);
  IF v_held AND v_third THEN
    INSERT INTO audit (at, account, key, subscriber_id, event_id, act, actor, reason, source)
      SELECT p_now, s.account, o.key, o.subscriber_id, o.event_id, 'hold', 'system', 'worker-crash', 'ledger'
        FROM subscribers s WHERE s.id = o.subscriber_id;
  END IF;
  RETURN o;
END $$;

-- May this obligation be sent now? One row per asked key, in the order asked. Answers: go, settled, in_flight,
-- unknown, not_yet, over, missing. The gates are locked first and in id order, and everything is read in later
-- statements: a count in the locking statement would overshoot the cap, and unsorted locks would deadlock.
CREATE FUNCTION waybill.claim(
  p_keys text[], p_rounds int[], p_tries int[], p_run_ids text[], p_worker text, p_margin_ms int,
  p_now timestamptz DEFAULT NULL
) RETURNS TABLE (ord int, answer jsonb)
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  o waybill.obligations; g waybill.gates; s waybill.subscribers; e waybill.events;
  v_open int; v_lease_ms int; v_secrets jsonb; v_standing jsonb; v_wait bigint;
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
      IF o.lease_until > v_now THEN
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
        SELECT * INTO e FROM events WHERE id = o.event_id;
        SELECT coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'sealed', x.sealed) ORDER BY x.created_at DESC, x.id), '[]')
          INTO v_secrets FROM subscriber_secrets x
          WHERE x.subscriber_id = s.id AND (x.expires_at IS NULL OR x.expires_at > v_now);
        v_lease_ms := (s.policy ->> 'timeoutMs')::int + p_margin_ms;
        UPDATE obligations SET
            attempts = attempts + 1, lease_attempt = attempts + 1, lease_try = p_tries[i],
            lease_until = v_now + make_interval(secs => v_lease_ms / 1000.0),
            disposition = 'attempting', rev = rev + 1
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
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Puts what an attempt came to on record and moves the obligation on, in one transaction. The outcome is
-- always recorded; the disposition is guarded: a final state stays, and an older attempt can't overwrite what
-- a newer one is doing. Repeating a settle is harmless.
CREATE FUNCTION waybill.settle(p_items jsonb, p_worker text, p_now timestamptz DEFAULT NULL)
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
    IF i ->> 'excerpt' IS NOT NULL THEN
      INSERT INTO response_excerpts (key, attempt, encoding, bytes, at)
        VALUES (o.key, v_attempt, i ->> 'excerptEncoding', decode(i ->> 'excerpt', 'base64'), v_now);
    END IF;
    answer := jsonb_build_object('answer', CASE WHEN v_late THEN 'late' ELSE 'settled' END,
      'standing', standing_of(o, g, v_now));
    RETURN NEXT;
  END LOOP;
END $$;
