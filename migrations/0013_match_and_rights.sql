-- Fan-out with cohorts and order; what else must know of the newer dispositions; rights.

-- As before; leaves out whose cohort is switched off or full, on record, and ends what it makes stale. A cohort is switched
-- under the same lock: once its switch has been answered no match is under way that doesn't know.
CREATE OR REPLACE FUNCTION waybill.match_event(p_event_id bigint, p_now timestamptz DEFAULT NULL) RETURNS int
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  e waybill.events;
  v_count int; v_left_out int;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('waybill.cohorts'));
  SELECT * INTO e FROM events WHERE id = p_event_id FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  v_now := coalesce(p_now, clock_timestamp());
  IF e.matched_at IS NOT NULL THEN RETURN e.obligation_count; END IF;

  WITH placed AS (
    SELECT g.subscriber_id, row_number() OVER (PARTITION BY g.cohort ORDER BY s.created_at, s.id) AS place
      FROM cohorts c JOIN gates g ON g.account = c.account AND g.cohort = c.name
        JOIN subscribers s ON s.id = g.subscriber_id AND s.state = 'live'
      WHERE c.account = e.account AND c.max_subscribers IS NOT NULL
  ), matching AS (
    SELECT s.id, s.policy,
        CASE WHEN NOT c.is_on THEN 'cohort-off' WHEN p.place > c.max_subscribers THEN 'cohort-cap' END AS barred
      FROM subscribers s JOIN gates g ON g.subscriber_id = s.id
        LEFT JOIN cohorts c ON c.account = g.account AND c.name = g.cohort
        LEFT JOIN placed p ON p.subscriber_id = s.id
      WHERE s.account = e.account AND s.state = 'live'
        AND s.event_types && e.type_patterns AND s.labels <@ e.labels
  ), barred AS (
    INSERT INTO left_out (event_id, subscriber_id, reason)
      SELECT e.id, id, barred FROM matching WHERE barred IS NOT NULL
      RETURNING 1
  ), owed AS (
    INSERT INTO obligations (key, event_id, subscriber_id, disposition, next_eligible_at, valid_until, created_at)
      SELECT e.key_prefix || ':' || id || ':' || e.version, e.id, id, 'pending',
          greatest(coalesce(e.not_before, v_now), v_now),
          least(e.valid_until, coalesce(e.not_before, e.published_at) + make_interval(secs =>
            coalesce((policy -> 'validityMsByType' ->> e.type)::bigint, (policy ->> 'validityMs')::bigint) / 1000.0)),
          v_now
        FROM matching WHERE barred IS NULL
      RETURNING 1
  )
  SELECT (SELECT count(*) FROM owed), (SELECT count(*) FROM barred) INTO v_count, v_left_out;
  UPDATE events SET matched_at = v_now, obligation_count = v_count WHERE id = e.id;

  -- What is on the wire ends by itself and is stale then; its claim, or its settling, sees to that.
  PERFORM 1 FROM gates WHERE order_policy = 'skip-stale' AND subscriber_id IN (SELECT x.subscriber_id
      FROM events older JOIN obligations x ON x.event_id = older.id
      WHERE older.account = e.account AND older.shipment_id = e.shipment_id AND older.version < e.version)
    ORDER BY subscriber_id FOR NO KEY UPDATE;
  WITH stale AS (
    SELECT x.key FROM events older JOIN obligations x ON x.event_id = older.id
        JOIN gates g ON g.subscriber_id = x.subscriber_id AND g.order_policy = 'skip-stale'
        JOIN obligations newer ON newer.event_id = e.id AND newer.subscriber_id = x.subscriber_id
      WHERE older.account = e.account AND older.shipment_id = e.shipment_id AND older.version < e.version
        AND x.disposition IN ('pending', 'waiting', 'held') AND x.lease_attempt IS NULL AND x.valid_until > v_now
      ORDER BY x.key FOR NO KEY UPDATE OF x
  ), ended AS (
    UPDATE obligations SET disposition = 'superseded', finished_at = v_now, rev = rev + 1,
        held_at = NULL, held_by = NULL, held_reason = NULL, held_until = NULL, frozen_ms = NULL
      WHERE key IN (SELECT key FROM stale) RETURNING key, subscriber_id, event_id
  ), audited AS (
    INSERT INTO audit (at, account, key, subscriber_id, event_id, act, actor, reason, source)
      SELECT v_now, e.account, key, subscriber_id, event_id, 'superseded', 'system', 'a newer version is owed', 'ledger'
        FROM ended
  )
  INSERT INTO outbox (kind, key, message, due_at)
    SELECT 'nudge', key, jsonb_build_object('signal', 'recheck'), v_now FROM ended;

  INSERT INTO audit (at, account, event_id, act, actor, source, detail)
    VALUES (v_now, e.account, e.id, 'match', 'system', 'fan-out', jsonb_build_object('obligations', v_count)
      || CASE WHEN v_left_out > 0 THEN jsonb_build_object('leftOut', v_left_out) ELSE '{}' END);
  RETURN v_count;
END $$;

-- The guardrails of a redrive, in one place, now with order: NULL where it may go ahead, else the error code of the refusal.
CREATE OR REPLACE FUNCTION waybill.judge_redrive(o waybill.obligations, p_now timestamptz) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
BEGIN
  RETURN CASE
    WHEN is_final(o.disposition) THEN 'already_final'
    WHEN o.disposition <> 'dead' THEN 'not_dead'
    WHEN o.redrive_until <= p_now THEN 'redrive_window_over'
    WHEN (SELECT s.state FROM subscribers s WHERE s.id = o.subscriber_id) <> 'live' THEN 'subscriber_removed'
    WHEN o.valid_until <= p_now THEN 'validity_over'
    WHEN (SELECT x.order_policy FROM gates x WHERE x.subscriber_id = o.subscriber_id) = 'skip-stale' AND has_newer(o)
      THEN 'superseded'
    WHEN NOT EXISTS (SELECT FROM event_payloads p JOIN events e ON e.id = p.event_id
      WHERE p.event_id = o.event_id AND sha256(p.bytes) = e.payload_digest) THEN 'payload_unavailable'
  END;
END $$;

-- As before, with the newer dispositions: writes an obligation's row anew, from what is left of it. p_attempts is how many attempts its workflow knows of,
-- finished or not. Where every one of them has its outcome on record the row goes on from the last; where there was
-- none it begins; else a send can't be ruled out and it is held. Answers the disposition, or NULL where there is no
-- such event or subscriber, or the row is there.
CREATE OR REPLACE FUNCTION waybill.rebuild_obligation(
  p_shipment text, p_subscriber text, p_version bigint, p_key text, p_attempts int, p_now timestamptz DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  e waybill.events; s waybill.subscribers;
  v_intents int; v_round int; v_tries int; v_last waybill.attempt_outcomes; v_outcomes int;
  v_becomes text; v_held boolean;
BEGIN
  SELECT * INTO s FROM subscribers WHERE id = p_subscriber;
  SELECT * INTO e FROM events WHERE account = s.account AND shipment_id = p_shipment AND version = p_version;
  IF s.id IS NULL OR e.id IS NULL THEN RETURN NULL; END IF;

  SELECT coalesce(max(attempt), 0), coalesce(max(round), 0) INTO v_intents, v_round
    FROM attempt_intents WHERE key = p_key;
  SELECT count(DISTINCT attempt) INTO v_outcomes FROM attempt_outcomes WHERE key = p_key;
  SELECT count(*) INTO v_tries FROM attempt_outcomes r JOIN attempt_intents i ON i.key = r.key AND i.attempt = r.attempt
    WHERE r.key = p_key AND r.counted AND i.round = v_round;
  SELECT * INTO v_last FROM attempt_outcomes WHERE key = p_key ORDER BY (outcome = 'delivered') DESC, attempt DESC, late DESC
    LIMIT 1;
  v_becomes := CASE
    WHEN v_last.outcome = 'delivered' THEN 'delivered'
    WHEN p_attempts > v_outcomes OR v_intents > v_outcomes THEN 'held'
    WHEN v_outcomes = 0 THEN 'pending'
    WHEN v_last.disposition = 'dead' OR is_final(v_last.disposition) THEN v_last.disposition
    ELSE 'waiting' END;
  v_held := v_becomes = 'held';
  INSERT INTO obligations (key, event_id, subscriber_id, disposition, round, try, attempts, next_eligible_at,
      valid_until, redrive_until, held_at, held_by, held_reason, frozen_ms, initiator, last_outcome, last_class,
      last_status, created_at, finished_at, rev)
    VALUES (p_key, e.id, s.id, v_becomes, v_round, v_tries, greatest(v_intents, p_attempts),
      coalesce(v_last.next_eligible_at, greatest(e.not_before, v_now), v_now),
      least(e.valid_until, coalesce(e.not_before, e.published_at) + make_interval(secs =>
        coalesce((s.policy -> 'validityMsByType' ->> e.type)::bigint, (s.policy ->> 'validityMs')::bigint) / 1000.0)),
      CASE WHEN v_becomes = 'dead'
        THEN v_last.settled_at + make_interval(secs => (s.policy ->> 'redriveWindowMs')::bigint / 1000.0) END,
      CASE WHEN v_held THEN v_now END, CASE WHEN v_held THEN 'system' END, CASE WHEN v_held THEN 'record-lost' END,
      CASE WHEN v_held THEN 0 END, CASE WHEN v_outcomes = 0 THEN 'publish' ELSE 'schedule' END,
      v_last.outcome, v_last.class, v_last.status, v_now,
      CASE WHEN v_becomes NOT IN ('pending', 'waiting', 'held') THEN coalesce(v_last.settled_at, v_now) END,
      -- Above whatever the workflow has heard before: what the ledger says from now on is the newer truth.
      1000000)
    ON CONFLICT (key) DO NOTHING;
  RETURN CASE WHEN FOUND THEN v_becomes END;
END $$;

DROP FUNCTION waybill.wake_due(text, timestamptz);

GRANT SELECT, INSERT, UPDATE ON waybill.cohorts TO waybill_app;
GRANT SELECT, INSERT, DELETE ON waybill.pauses, waybill.pause_ends TO waybill_app;
GRANT UPDATE ON waybill.pause_ends TO waybill_app; -- to lock a row
GRANT SELECT, INSERT, UPDATE, DELETE ON waybill.wakes TO waybill_app;
GRANT SELECT, INSERT ON waybill.left_out TO waybill_app;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA waybill FROM PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA waybill TO waybill_app;
