-- Claim and settle with rate, line, breaker and order. Everything about one destination is decided under the lock of its
-- gate, and so is everything about the versions of one shipment for it.

-- A newer version of the shipment is owed to the same subscriber, or has been sent to it.
CREATE FUNCTION waybill.has_newer(o waybill.obligations) RETURNS boolean
LANGUAGE sql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT FROM events e
    JOIN events n ON n.account = e.account AND n.shipment_id = e.shipment_id AND n.version > e.version
    JOIN obligations x ON x.event_id = n.id AND x.subscriber_id = o.subscriber_id
    WHERE e.id = o.event_id AND (x.attempts > 0 OR x.disposition NOT IN ('terminated', 'removed', 'expired')))
$$;

-- As before; also superseded, where only the newest version is wanted.
CREATE OR REPLACE FUNCTION waybill.end_if_moot(o waybill.obligations, p_now timestamptz) RETURNS waybill.obligations
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_end text; v_account text; v_order text;
BEGIN
  IF is_open(o.disposition) AND o.lease_attempt IS NULL THEN
    SELECT CASE WHEN s.state = 'removed' THEN 'removed' WHEN o.valid_until <= p_now THEN 'expired' END, s.account,
        x.order_policy
      INTO v_end, v_account, v_order
      FROM subscribers s JOIN gates x ON x.subscriber_id = s.id WHERE s.id = o.subscriber_id;
    IF v_end IS NULL AND v_order = 'skip-stale' AND has_newer(o) THEN v_end := 'superseded'; END IF;
    IF v_end IS NOT NULL THEN
      UPDATE obligations SET disposition = v_end, finished_at = p_now, rev = rev + 1,
          held_at = NULL, held_by = NULL, held_reason = NULL, held_until = NULL, frozen_ms = NULL
        WHERE key = o.key RETURNING * INTO o;
      INSERT INTO audit (at, account, key, subscriber_id, event_id, act, actor, reason, source)
        VALUES (p_now, v_account, o.key, o.subscriber_id, o.event_id, v_end, 'system',
          CASE v_end WHEN 'removed' THEN 'subscriber removed' WHEN 'expired' THEN 'validity over'
            ELSE 'a newer version is owed' END, 'ledger');
    END IF;
  END IF;
  RETURN o;
END $$;

-- Where this version stands among the shipment's others for the same subscriber: how long it has to wait for them (NULL:
-- not at all), and what its request is marked with. A version that waits is one of its own lane: what the lane has moved
-- past no longer holds anything up.
CREATE FUNCTION waybill.place_in_order(
  o waybill.obligations, g waybill.gates, p_now timestamptz, OUT wait_ms bigint, OUT mark text
)
LANGUAGE plpgsql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  e waybill.events; v_leased timestamptz; v_begun bigint; v_newer_began boolean; v_waited bigint; v_left bigint; v_before text;
BEGIN
  IF g.order_policy = 'none' THEN RETURN; END IF;
  SELECT * INTO e FROM events WHERE id = o.event_id;
  SELECT max(x.lease_until) FILTER (WHERE x.lease_attempt IS NOT NULL AND x.lease_until > p_now),
      max(n.version) FILTER (WHERE x.attempts > 0 AND n.version < e.version),
      coalesce(bool_or(x.attempts > 0 AND n.version > e.version), false)
    INTO v_leased, v_begun, v_newer_began
    FROM events n JOIN obligations x ON x.event_id = n.id AND x.subscriber_id = o.subscriber_id
    WHERE n.account = e.account AND n.shipment_id = e.shipment_id AND x.key <> o.key;
  IF v_leased IS NOT NULL THEN
    wait_ms := ms_between(p_now, v_leased);
    RETURN;
  END IF;
  IF g.order_policy = 'skip-stale' THEN RETURN; END IF;
  IF v_newer_began THEN
    mark := 'out-of-order';
    RETURN;
  END IF;

  IF o.attempts = 0 THEN
    -- A pause of its destination is no reason to send out of order after it.
    v_waited := ms_between(greatest(o.next_eligible_at, g.resumed_at), p_now);
    v_left := g.order_wait_ms - v_waited;
    IF v_left > 0 AND EXISTS (SELECT FROM events n JOIN obligations x ON x.event_id = n.id AND x.subscriber_id = o.subscriber_id
        WHERE n.account = e.account AND n.shipment_id = e.shipment_id AND n.version < e.version
          AND n.version >= coalesce(v_begun, 0) AND is_open(x.disposition)) THEN
      wait_ms := least(v_left, 600000);
      RETURN;
    END IF;
    -- Published and not matched yet: whether it is owed an older version mostly shows in a moment.
    IF v_left > 0 AND EXISTS (SELECT FROM events n WHERE n.account = e.account AND n.shipment_id = e.shipment_id
        AND n.version < e.version AND n.version > coalesce(v_begun, -1) AND n.matched_at IS NULL) THEN
      wait_ms := least(v_left, greatest(1000, v_waited / 2));
      RETURN;
    END IF;
  END IF;
  SELECT x.disposition INTO v_before
    FROM events n JOIN obligations x ON x.event_id = n.id AND x.subscriber_id = o.subscriber_id
    WHERE n.account = e.account AND n.shipment_id = e.shipment_id AND n.version < e.version
    ORDER BY n.version DESC LIMIT 1;
  IF is_open(v_before) OR v_before IN ('dead', 'expired', 'terminated') THEN mark := 'gap'; END IF;
END $$;

-- Once a version is off the wire others may go on: with skip-stale the newest, with serialize what is late in any case, since
-- it waits for nothing else, and after an end the next one. It locks those, so whoever ends an obligation has the gate locked
-- before.
CREATE FUNCTION waybill.wake_next_version() RETURNS trigger
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE v_policy text; v_key text;
BEGIN
  SELECT order_policy INTO v_policy FROM gates WHERE subscriber_id = NEW.subscriber_id;
  IF v_policy = 'none' OR NEW.lease_attempt IS NOT NULL OR (v_policy = 'skip-stale' AND OLD.lease_attempt IS NULL) THEN
    RETURN NULL;
  END IF;
  FOR v_key IN
    WITH lane AS (
      SELECT x.key, n.version, n.version > e.version AS newer, x.attempts > 0 AS began,
          x.disposition IN ('pending', 'waiting') AND x.lease_attempt IS NULL AND x.key <> NEW.key AS waits
        FROM events e JOIN events n ON n.account = e.account AND n.shipment_id = e.shipment_id
          JOIN obligations x ON x.event_id = n.id AND x.subscriber_id = NEW.subscriber_id
        WHERE e.id = NEW.event_id
    )
    SELECT key FROM lane WHERE waits AND CASE v_policy
      WHEN 'skip-stale' THEN version = (SELECT max(version) FROM lane WHERE waits)
      ELSE version < (SELECT max(version) FROM lane WHERE began)
        OR (NOT is_open(NEW.disposition) AND version = (SELECT min(version) FROM lane WHERE waits AND newer)) END
  LOOP
    -- A refusal that is still on its way to its workflow is the older truth from now on.
    UPDATE obligations SET rev = rev + 1 WHERE key = v_key;
    PERFORM nudge(v_key, 'recheck', NULL, NULL, NULL, coalesce(NEW.finished_at, clock_timestamp()));
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER wake_next_version AFTER UPDATE ON waybill.obligations FOR EACH ROW
  WHEN ((OLD.lease_attempt IS NOT NULL AND NEW.lease_attempt IS NULL)
    OR (OLD.disposition IN ('pending', 'attempting', 'waiting', 'held')
      AND NEW.disposition NOT IN ('pending', 'attempting', 'waiting', 'held', 'superseded')))
  EXECUTE FUNCTION waybill.wake_next_version();

-- All that a sender needs; now also the moment that is reserved for it, whether nothing is to leave the house, and what
-- its place among the versions is to be called.
DROP FUNCTION waybill.granted(waybill.obligations, waybill.gates, bigint, timestamptz);
CREATE FUNCTION waybill.granted(
  o waybill.obligations, g waybill.gates, p_start_ms bigint, p_mark text, p_now timestamptz
) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
  SELECT jsonb_build_object('answer', 'go', 'attempt', o.lease_attempt, 'leaseMs', ms_between(p_now, o.lease_until),
      'startInMs', p_start_ms, 'shadow', g.shadow, 'orderMark', p_mark,
      'subscriber', send_target(s, p_now),
      'event', jsonb_build_object('id', e.id, 'shipment', e.shipment_id, 'version', e.version, 'type', e.type,
        'contentType', e.content_type, 'digest', encode(e.payload_digest, 'hex')),
      'standing', standing_of(o, g, p_now))
    FROM subscribers s, events e WHERE s.id = o.subscriber_id AND e.id = o.event_id
$$;

-- The next moment at which a request to this destination may begin; NULL where no rate limits it. Each answer is a
-- reservation: the one after it comes 1 / rate later. Call with the gate locked.
CREATE FUNCTION waybill.reserve_start(g waybill.gates, p_now timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE v_rate double precision := rate_now(g, p_now); v_at timestamptz;
BEGIN
  IF v_rate IS NULL THEN RETURN NULL; END IF;
  v_at := greatest(g.next_send_at, p_now);
  UPDATE gates SET next_send_at = v_at + make_interval(secs => 1 / v_rate) WHERE subscriber_id = g.subscriber_id;
  RETURN v_at;
END $$;

-- Why a due obligation may not be sent now although nothing holds it, and when it should ask again; no reason: it may.
-- Call with gate and obligation locked.
CREATE FUNCTION waybill.refuse_for_now(
  o waybill.obligations, g waybill.gates, p_speaks int, p_now timestamptz,
  OUT reason text, OUT ask_at timestamptz, OUT mark text
)
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  -- Who has come to its place goes before those who come fresh.
  v_called boolean := coalesce(o.slot_at <= p_now + interval '100 milliseconds', false);
  v_open int; v_rate double precision; v_opens timestamptz; v_order_ms bigint; v_spread double precision;
BEGIN
  IF g.cool_until > p_now THEN
    -- Each further cool-down in a row doubles the spread, so that a long queue before a receiver that lets few through
    -- doesn't ask again as a whole each time.
    v_spread := 2 ^ least(g.cool_streak, 10);
    reason := 'cooling-down';
    ask_at := take_place(o, g, g.cool_until, place_takes(g, p_now) * v_spread,
      least(interval '1 minute' * v_spread, interval '10 minutes'), p_now);
    RETURN;
  END IF;
  IF p_speaks < 4 AND (g.shadow OR g.order_policy <> 'none' OR rate_now(g, p_now) IS NOT NULL) THEN
    reason := 'worker-too-old';
    ask_at := p_now + interval '1 minute';
    RETURN;
  END IF;
  v_opens := CASE WHEN g.breaker_until IS NOT NULL THEN breaker_opens(g) END;
  IF v_opens > p_now THEN
    reason := 'breaker';
    ask_at := take_place(o, g, v_opens, place_takes(g, p_now), interval '10 minutes', p_now);
    RETURN;
  END IF;
  SELECT * INTO v_order_ms, mark FROM place_in_order(o, g, p_now);
  IF v_order_ms IS NOT NULL THEN
    reason := 'order';
    ask_at := p_now + make_interval(secs => v_order_ms / 1000.0);
    -- It has asked: from now on it goes before those who come fresh.
    UPDATE obligations SET slot_at = p_now WHERE key = o.key AND slot_at IS NULL;
    RETURN;
  END IF;

  SELECT count(*) INTO v_open FROM obligations x
    WHERE x.subscriber_id = o.subscriber_id AND x.lease_attempt IS NOT NULL AND x.lease_until > p_now;
  IF v_open >= g.max_concurrency THEN
    reason := 'concurrency';
    ask_at := take_place(o, g, p_now, place_takes(g, p_now), interval '10 minutes', p_now);
    RETURN;
  END IF;
  v_rate := rate_now(g, p_now);
  IF v_rate IS NULL THEN RETURN; END IF;
  IF g.next_send_at > p_now + interval '2 seconds' AND o.slot_at > p_now - interval '1 minute' AND v_called
      AND g.next_slot_at > p_now + interval '1 minute' THEN
    -- Called, and others came at the same time: somewhere within the minute, not behind the whole line again. Who has missed
    -- its place by more than that, as many do after an outage, takes another: else they would all ask each minute.
    reason := 'rate';
    ask_at := p_now + interval '1 second' + random() * interval '1 minute';
  ELSIF g.next_send_at > p_now + interval '2 seconds'
      OR (NOT v_called AND g.next_slot_at > p_now + interval '2 seconds') THEN
    reason := 'rate';
    ask_at := take_place(o, g, greatest(g.next_send_at, p_now), place_takes(g, p_now), interval '366 days', p_now);
  END IF;
END $$;

-- May this obligation be sent now? One row per asked key, in the order asked. Answers: go, settled, in_flight, unknown,
-- not_yet, over, missing. The gates are locked first and in id order, and everything is read in later statements: a count
-- in the locking statement would overshoot the cap, and unsorted locks would deadlock. p_speaks is what the asker
-- understands: one of a release before 0.4.0 doesn't say, and gets no lease that it would use wrongly.
DROP FUNCTION waybill.claim(text[], int[], int[], text[], text, int, timestamptz, text[], boolean);
CREATE FUNCTION waybill.claim(
  p_keys text[], p_rounds int[], p_tries int[], p_run_ids text[], p_worker text, p_margin_ms int,
  p_now timestamptz DEFAULT NULL, p_tokens text[] DEFAULT NULL, p_sends_own boolean DEFAULT false, p_speaks int DEFAULT 3
) RETURNS TABLE (ord int, answer jsonb)
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  o waybill.obligations; g waybill.gates; s waybill.subscribers;
  v_standing jsonb; v_reason text; v_ask_at timestamptz; v_mark text; v_wait bigint; v_start timestamptz; v_lease interval;
BEGIN
  -- Pauses of a cohort or an account take it alone.
  PERFORM pg_advisory_xact_lock_shared(hashtext('waybill.pauses'));
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
          AND o.disposition = 'attempting' AND o.held_at IS NULL AND pause_of(g) IS NULL THEN
        v_start := reserve_start(g, v_now);
        IF v_start IS NOT NULL THEN
          SELECT * INTO s FROM subscribers WHERE id = o.subscriber_id;
          v_lease := make_interval(secs => ((s.policy ->> 'timeoutMs')::int + p_margin_ms) / 1000.0);
          UPDATE obligations SET lease_until = greatest(lease_until, v_start + v_lease)
            WHERE key = o.key RETURNING * INTO o;
        END IF;
        SELECT x.order_mark INTO v_mark FROM attempt_intents x WHERE x.key = o.key AND x.attempt = o.lease_attempt;
        answer := granted(o, g, ms_between(v_now, v_start), v_mark, v_now);
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
      RETURN NEXT; CONTINUE;
    ELSIF p_rounds[i] < o.round OR (p_rounds[i] = o.round AND p_tries[i] <= o.try) THEN
      answer := jsonb_build_object('answer', 'settled', 'standing', v_standing);
      RETURN NEXT; CONTINUE;
    ELSIF v_standing ->> 'is' <> 'due' THEN
      answer := jsonb_build_object('answer', 'not_yet', 'reason', v_standing ->> 'reason', 'standing', v_standing);
      RETURN NEXT; CONTINUE;
    END IF;

    SELECT * INTO s FROM subscribers WHERE id = o.subscriber_id;
    SELECT * INTO v_reason, v_ask_at, v_mark FROM refuse_for_now(o, g, p_speaks, v_now);
    IF NOT p_sends_own AND num_nonnulls(s.headers_sealed, s.auth_sealed, s.tls_sealed) > 0 THEN
      v_reason := 'worker-too-old';
      v_ask_at := v_now + interval '1 minute';
    END IF;
    IF v_reason IS NOT NULL THEN
      v_wait := least(greatest(1000, ms_between(v_now, v_ask_at)), greatest(ms_between(v_now, o.valid_until), 0));
      answer := jsonb_build_object('answer', 'not_yet', 'reason', v_reason, 'standing',
        v_standing || jsonb_build_object('is', 'waiting', 'reason', v_reason, 'waitMs', v_wait));
      RETURN NEXT; CONTINUE;
    END IF;

    v_start := reserve_start(g, v_now);
    v_lease := make_interval(secs => ((s.policy ->> 'timeoutMs')::int + p_margin_ms) / 1000.0);
    UPDATE obligations SET
        attempts = attempts + 1, lease_attempt = attempts + 1, lease_try = p_tries[i], lease_token = p_tokens[i],
        lease_until = coalesce(v_start, v_now) + v_lease, slot_at = NULL, disposition = 'attempting', rev = rev + 1
      WHERE key = o.key RETURNING * INTO o;
    IF g.breaker_until IS NOT NULL THEN
      UPDATE gates SET probe_key = o.key WHERE subscriber_id = o.subscriber_id;
    END IF;
    answer := granted(o, g, ms_between(v_now, v_start), v_mark, v_now);
    INSERT INTO attempt_intents (key, attempt, round, try, initiator, worker, run_id, url_version, url_origin,
        secret_ids, started_at, lease_until, order_mark)
      VALUES (o.key, o.attempts, o.round, p_tries[i], o.initiator, p_worker, p_run_ids[i], s.url_version,
        s.url_origin, ARRAY(SELECT jsonb_array_elements(answer #> '{subscriber,secrets}') ->> 'id'), v_now,
        o.lease_until, v_mark);
    RETURN NEXT;
  END LOOP;
END $$;
