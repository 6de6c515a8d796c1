-- What reconciliation looks for and how it mends. It decides by ids and strong reads; what it does is on record.

-- Open obligations, and dead ones that may still be redriven, in key order: small, since ended ones leave it.
CREATE INDEX obligations_open ON waybill.obligations (key)
  WHERE disposition IN ('pending', 'attempting', 'waiting', 'held', 'dead');

-- The obligation ended as its workflow says it did, and the ledger doesn't know: a database restored from an older
-- backup. Nothing is sent again. False where it is open no more, or an attempt is under way.
CREATE FUNCTION waybill.adopt_end(p_key text, p_disposition text, p_now timestamptz DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz;
  o waybill.obligations;
BEGIN
  SELECT * INTO o FROM obligations WHERE key = p_key FOR NO KEY UPDATE;
  v_now := coalesce(p_now, clock_timestamp());
  IF NOT FOUND OR o.disposition NOT IN ('pending', 'attempting', 'waiting', 'held', 'dead')
      OR (o.lease_attempt IS NOT NULL AND o.lease_until > v_now) THEN
    RETURN false;
  END IF;
  UPDATE obligations SET disposition = p_disposition, finished_at = v_now, rev = rev + 1,
      redrive_until = CASE WHEN p_disposition = 'dead' THEN v_now END,
      lease_attempt = NULL, lease_try = NULL, lease_until = NULL,
      held_at = NULL, held_by = NULL, held_reason = NULL, frozen_ms = NULL
    WHERE key = o.key;
  RETURN true;
END $$;

-- Nobody can rule out a send that the ledger doesn't know of: it is held until a person decides.
CREATE FUNCTION waybill.hold_record_lost(p_key text, p_now timestamptz DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
BEGIN
  UPDATE obligations SET disposition = 'held', rev = rev + 1, held_at = coalesce(p_now, clock_timestamp()),
      held_by = 'system', held_reason = 'record-lost', frozen_ms = 0
    WHERE key = p_key AND disposition IN ('pending', 'waiting', 'held') AND lease_attempt IS NULL
      AND held_reason IS DISTINCT FROM 'record-lost';
  RETURN FOUND;
END $$;

-- Writes an obligation's row anew, from what is left of it. p_attempts is how many attempts its workflow knows of,
-- finished or not. Where every one of them has its outcome on record the row goes on from the last; where there was
-- none it begins; else a send can't be ruled out and it is held. Answers the disposition, or NULL where there is no
-- such event or subscriber, or the row is there.
CREATE FUNCTION waybill.rebuild_obligation(
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
    WHEN v_last.disposition IN ('dead', 'expired', 'terminated', 'removed') THEN v_last.disposition
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

REVOKE EXECUTE ON FUNCTION waybill.adopt_end, waybill.hold_record_lost, waybill.rebuild_obligation FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.adopt_end, waybill.hold_record_lost, waybill.rebuild_obligation TO waybill_app;
