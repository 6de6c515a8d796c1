-- Shares and order: how fast and in what order one destination is sent to, who takes part in a roll-out, and how what
-- was kept back is let go again, a little at a time.

CREATE TABLE waybill.cohorts (
  account         text NOT NULL,
  name            text NOT NULL,
  is_on           boolean NOT NULL DEFAULT true,   -- off: no new obligation for its subscribers; running ones go on
  max_subscribers int CHECK (max_subscribers >= 0),-- so many of its subscribers take part, the longest-standing first
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (account, name)
);

-- One row for a pause of a cohort, or with cohort '' of the whole account. `claim` reads it under a shared advisory lock
-- that whoever writes it takes alone: after a pause has committed no claim is under way that doesn't know of it.
CREATE TABLE waybill.pauses (
  account       text NOT NULL,
  cohort        text NOT NULL,
  paused_at     timestamptz NOT NULL,
  paused_by     text NOT NULL,
  paused_reason text NOT NULL,
  paused_until  timestamptz,
  PRIMARY KEY (account, cohort)
);

ALTER TABLE waybill.gates
  ADD COLUMN account       text,               -- as of its subscriber; a row by an earlier release may lack it
  ADD COLUMN cohort        text,
  ADD COLUMN rate_per_s    double precision CHECK (rate_per_s > 0),
  ADD COLUMN next_send_at  timestamptz,        -- no request begins before it: each grant moves it on by 1 / rate
  ADD COLUMN shadow        boolean NOT NULL DEFAULT false,
  ADD COLUMN order_policy  text NOT NULL DEFAULT 'none' CHECK (order_policy IN ('none', 'skip-stale', 'serialize')),
  ADD COLUMN order_wait_ms bigint NOT NULL DEFAULT 3600000,
  ADD COLUMN paused_until  timestamptz,
  ADD COLUMN ramp_per_s    double precision,   -- after a resume: the rate below its own that it climbs to
  ADD COLUMN ramp_from     timestamptz,
  ADD COLUMN ramp_until    timestamptz,        -- null while what was held is still being let go
  ADD COLUMN fault_streak  int NOT NULL DEFAULT 0,
  ADD COLUMN faults_since  timestamptz,        -- the first fault of the streak
  ADD COLUMN failing_since timestamptz,        -- the first fault since the last delivery
  ADD COLUMN breaker_until timestamptz,        -- not null: open, and half open from then on
  ADD COLUMN breaker_level smallint NOT NULL DEFAULT 0,
  ADD COLUMN probe_key     text COLLATE "C",   -- whose lease is the one that a half-open breaker has let through
  ADD COLUMN line_send_ms  int,                -- avg_send_ms when the line began
  ADD FOREIGN KEY (account, cohort) REFERENCES waybill.cohorts (account, name);
UPDATE waybill.gates g SET account = s.account FROM waybill.subscribers s WHERE s.id = g.subscriber_id;
CREATE INDEX gates_cohort ON waybill.gates (account, cohort) WHERE cohort IS NOT NULL;

-- The old check is part of the new one, so no row has to be looked at again.
ALTER TABLE waybill.obligations
  ADD COLUMN slot_at    timestamptz,           -- its place in its destination's line
  ADD COLUMN held_until timestamptz,
  DROP CONSTRAINT obligations_disposition_check,
  ADD CONSTRAINT obligations_disposition_check CHECK (disposition IN ('pending', 'attempting', 'waiting', 'held', 'dead',
    'delivered', 'shadowed', 'superseded', 'expired', 'terminated', 'removed')) NOT VALID;
-- What waits of one destination, the oldest event first.
CREATE INDEX obligations_waiting ON waybill.obligations (subscriber_id, event_id)
  WHERE disposition IN ('pending', 'waiting');

ALTER TABLE waybill.attempt_intents ADD COLUMN order_mark text;

-- Who would have been owed an event and wasn't, and why.
CREATE TABLE waybill.left_out (
  event_id      bigint NOT NULL REFERENCES waybill.events (id),
  subscriber_id text COLLATE "C" NOT NULL REFERENCES waybill.subscribers (id),
  reason        text NOT NULL CHECK (reason IN ('cohort-off', 'cohort-cap')),
  PRIMARY KEY (event_id, subscriber_id)
);

-- What was kept back is woken in pages, event by event. A relay that dies leaves the row due.
CREATE TABLE waybill.wakes (
  subscriber_id text COLLATE "C" PRIMARY KEY REFERENCES waybill.subscribers (id),
  after_event   bigint NOT NULL,
  last_event    bigint NOT NULL,
  per_second    double precision NOT NULL,
  due_at        timestamptz NOT NULL,
  page_after    bigint,                        -- where the last page began,
  page_at       timestamptz                    -- and when it was woken
);
CREATE INDEX wakes_due ON waybill.wakes (due_at);

-- Pauses that end by themselves.
CREATE TABLE waybill.pause_ends (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind      text NOT NULL CHECK (kind IN ('obligation', 'subscriber', 'scope')),
  account   text NOT NULL,
  target    text COLLATE "C" NOT NULL,         -- key, subscriber id or cohort
  paused_at timestamptz NOT NULL,              -- of the pause that is meant: a later one has an end of its own
  due_at    timestamptz NOT NULL
);
CREATE INDEX pause_ends_due ON waybill.pause_ends (due_at);

-- ------------------------------------------------------------------ dispositions

CREATE FUNCTION waybill.is_final(p_disposition text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_disposition IN ('delivered', 'shadowed', 'superseded', 'expired', 'terminated', 'removed')
$$;
CREATE FUNCTION waybill.is_open(p_disposition text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_disposition IN ('pending', 'attempting', 'waiting', 'held')
$$;

-- ------------------------------------------------------------------------ pauses

-- Why nothing may be sent to this destination whatever is owed to it: NULL where it isn't paused in any way.
CREATE FUNCTION waybill.pause_of(g waybill.gates) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE v_cohort text;
BEGIN
  IF g.paused_at IS NOT NULL THEN
    RETURN CASE WHEN g.gone_at IS NULL THEN 'subscriber_paused' ELSE 'subscriber_gone' END;
  END IF;
  SELECT p.cohort INTO v_cohort FROM pauses p
    WHERE p.account = coalesce(g.account, (SELECT s.account FROM subscribers s WHERE s.id = g.subscriber_id))
      AND (p.cohort = '' OR p.cohort = g.cohort)
    ORDER BY p.cohort LIMIT 1;
  RETURN CASE WHEN NOT FOUND THEN NULL WHEN v_cohort = '' THEN 'account_paused' ELSE 'cohort_paused' END;
END $$;

-- As before; also held where the cohort or the account is paused.
CREATE OR REPLACE FUNCTION waybill.standing_of(o waybill.obligations, g waybill.gates, p_now timestamptz) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_is text; v_wait bigint; v_reason text;
  v_to_validity bigint := greatest(ms_between(p_now, o.valid_until), 0);
BEGIN
  IF is_final(o.disposition) THEN
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
  ELSE
    v_reason := pause_of(g);
    v_is := CASE WHEN v_reason IS NULL THEN 'due' ELSE 'held' END;
    v_wait := CASE WHEN v_reason IS NULL THEN 0 ELSE v_to_validity END;
  END IF;
  RETURN jsonb_build_object('is', v_is, 'disposition', o.disposition, 'rev', o.rev, 'round', o.round,
    'tries', o.try, 'attempts', o.attempts, 'waitMs', coalesce(v_wait, 0), 'reason', v_reason,
    'outcome', o.last_outcome, 'class', o.last_class, 'status', o.last_status,
    'leaseMs', CASE WHEN o.lease_attempt IS NULL THEN 0 ELSE greatest(ms_between(p_now, o.lease_until), 0) END);
END $$;

-- ------------------------------------------------------------------------ breaker

-- When the next request may pass its breaker: once it has been open long enough, and nobody else's probe is on the wire.
-- NULL where it is closed.
CREATE FUNCTION waybill.breaker_opens(g waybill.gates) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
  SELECT CASE WHEN g.breaker_until IS NOT NULL THEN greatest(g.breaker_until,
    (SELECT x.lease_until FROM obligations x WHERE x.key = g.probe_key AND x.lease_attempt IS NOT NULL)) END
$$;

-- ------------------------------------------------------------------ rate and line

-- Requests a second that may begin now; NULL where nothing but its concurrency limits it. After a resume it climbs from
-- a tenth of the ramp to the whole within 30 s.
CREATE FUNCTION waybill.rate_now(g waybill.gates, p_now timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE AS $$
  SELECT least(g.rate_per_s, CASE WHEN g.ramp_per_s IS NOT NULL AND coalesce(g.ramp_until > p_now, true)
    THEN g.ramp_per_s * least(1, 0.1 + 0.9 * greatest(extract(epoch FROM p_now - g.ramp_from), 0) / 30) END)
$$;

-- How long one place in the line takes. A line moves a twentieth slower than the destination may be sent to, so that
-- who comes late, or has just come due, is fitted in.
CREATE FUNCTION waybill.place_takes(g waybill.gates, p_now timestamptz) RETURNS interval
LANGUAGE sql IMMUTABLE AS $$
  SELECT make_interval(secs => greatest(coalesce(1.05 / waybill.rate_now(g, p_now), 0),
    g.avg_send_ms / 1000.0 / g.max_concurrency))
$$;

-- A place in the line behind p_from, at most p_ahead away: what comes when the line is as long as that is spread over its
-- later half, so that it doesn't ask as a whole at one moment. One that has a place in this line keeps it. Call with gate and
-- obligation locked. Answers the place.
CREATE FUNCTION waybill.take_place(
  o waybill.obligations, g waybill.gates, p_from timestamptz, p_takes interval, p_ahead interval, p_now timestamptz
) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE v_line timestamptz; v_place timestamptz;
BEGIN
  IF o.slot_at > greatest(p_from, p_now) AND o.slot_at <= g.next_slot_at THEN RETURN o.slot_at; END IF;
  v_line := least(p_from + p_ahead, greatest(g.next_slot_at, p_from) + p_takes);
  v_place := CASE WHEN v_line < p_from + p_ahead THEN v_line ELSE v_line - random() / 2 * p_ahead END;
  UPDATE gates SET next_slot_at = v_line,
      line_send_ms = CASE WHEN next_slot_at > p_now THEN coalesce(line_send_ms, avg_send_ms) ELSE avg_send_ms END
    WHERE subscriber_id = g.subscriber_id;
  UPDATE obligations SET slot_at = v_place WHERE key = o.key;
  RETURN v_place;
END $$;

-- ------------------------------------------------------------------------- waking

-- Begins to wake what waits of this destination, so many a second; at once where it is no more than may be sent side by
-- side. Call with its gate locked; answers how many wait.
CREATE FUNCTION waybill.wake_paced(p_subscriber text, p_per_second double precision, p_now timestamptz) RETURNS int
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE v_count int;
BEGIN
  -- A few seconds more: one that falls due while this commits may have been told to wait.
  SELECT count(*) INTO v_count FROM obligations WHERE subscriber_id = p_subscriber
    AND disposition IN ('pending', 'waiting') AND next_eligible_at <= p_now + interval '5 seconds';
  IF v_count > 0 THEN
    INSERT INTO wakes (subscriber_id, after_event, last_event, per_second, due_at)
      SELECT p_subscriber, -1, max(id), CASE WHEN v_count <= (SELECT max_concurrency FROM gates
          WHERE subscriber_id = p_subscriber) THEN 1000 ELSE greatest(p_per_second, 0.01) END, p_now FROM events
      ON CONFLICT (subscriber_id) DO UPDATE SET after_event = -1, last_event = excluded.last_event,
        per_second = excluded.per_second, due_at = excluded.due_at, page_at = NULL;
  END IF;
  RETURN v_count;
END $$;

-- What a destination takes a second, for waking at a pace that it can follow.
CREATE FUNCTION waybill.takes_per_second(g waybill.gates) RETURNS double precision
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(g.rate_per_s, least(100, greatest(1, g.max_concurrency * 1000.0 / greatest(g.avg_send_ms, 1))))
$$;

-- Of the last page that was woken, those that haven't asked since.
CREATE FUNCTION waybill.unasked_of(w waybill.wakes, p_now timestamptz) RETURNS bigint
LANGUAGE sql STABLE SET search_path = waybill, pg_catalog, pg_temp AS $$
  SELECT count(*) FROM obligations o WHERE o.subscriber_id = w.subscriber_id AND o.disposition IN ('pending', 'waiting')
    AND o.event_id > w.page_after AND o.event_id <= w.after_event AND o.slot_at IS NULL AND o.next_eligible_at <= p_now
$$;

-- One round of letting go: a page for each destination that is due, as long as relays keep up with what they have; else one
-- page, of whoever has waited for ten seconds: a flood of what is published must not stop it. The next page waits until
-- half of the one before has asked, ten seconds at most: what is woken faster than workers take it up would stand before
-- everything that is published after it. Answers how many were woken. Any number of relays may call it.
CREATE FUNCTION waybill.advance_wakes(p_now timestamptz DEFAULT NULL) RETURNS int
LANGUAGE plpgsql SET search_path = waybill, pg_catalog, pg_temp AS $$
DECLARE
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  w waybill.wakes; g waybill.gates;
  v_total int := 0; v_pace double precision; v_page int; v_count int; v_last bigint; v_full boolean;
BEGIN
  IF NOT EXISTS (SELECT FROM wakes WHERE due_at <= v_now) THEN RETURN 0; END IF;
  v_full := (SELECT count(*) FROM (SELECT FROM outbox WHERE due_at <= v_now LIMIT 100) q) >= 100;
  FOR w IN SELECT * FROM wakes WHERE due_at <= v_now - CASE WHEN v_full THEN interval '10 seconds' ELSE '0' END
      ORDER BY due_at LIMIT CASE WHEN v_full THEN 1 ELSE 20 END FOR UPDATE SKIP LOCKED LOOP
    -- Whoever has the gate may be waiting for this row: it is for the next round then.
    SELECT * INTO g FROM gates WHERE subscriber_id = w.subscriber_id FOR NO KEY UPDATE SKIP LOCKED;
    CONTINUE WHEN NOT FOUND;
    IF pause_of(g) IS NOT NULL THEN
      DELETE FROM wakes WHERE subscriber_id = w.subscriber_id; -- the next resume begins anew
      CONTINUE;
    END IF;
    v_pace := CASE WHEN w.per_second >= 1000 THEN w.per_second ELSE least(w.per_second, 0.8 * rate_now(g, v_now)) END;
    v_page := least(greatest(1, ceil(v_pace / 2)), 200);
    IF w.page_at > v_now - interval '10 seconds' AND 2 * unasked_of(w, v_now) > v_page THEN
      UPDATE wakes SET due_at = v_now + interval '250 milliseconds' WHERE subscriber_id = w.subscriber_id;
      CONTINUE;
    END IF;
    WITH page AS (
      SELECT o.key, o.event_id, greatest(v_now, o.next_eligible_at) AS due_at FROM obligations o
        WHERE o.subscriber_id = w.subscriber_id AND o.disposition IN ('pending', 'waiting')
          AND o.event_id > w.after_event AND o.event_id <= w.last_event
          AND o.next_eligible_at <= v_now + interval '5 seconds'
        ORDER BY o.event_id LIMIT v_page
    ), locked AS MATERIALIZED (
      SELECT o.key FROM obligations o WHERE o.key IN (SELECT key FROM page) ORDER BY o.key FOR NO KEY UPDATE
    ), moved AS (
      -- A refusal that is still on its way to the workflow is the older truth from now on, and so is a place in line.
      UPDATE obligations SET rev = rev + 1, slot_at = NULL WHERE key IN (SELECT key FROM locked)
    ), told AS (
      INSERT INTO outbox (kind, key, message, due_at)
        SELECT 'nudge', key, jsonb_build_object('signal', 'recheck'), due_at FROM page
    )
    SELECT count(*), max(event_id) INTO v_count, v_last FROM page;
    v_total := v_total + v_count;
    IF v_count < v_page THEN
      DELETE FROM wakes WHERE subscriber_id = w.subscriber_id;
      UPDATE gates SET ramp_until = v_now + interval '10 seconds'
        WHERE subscriber_id = w.subscriber_id AND ramp_per_s IS NOT NULL AND ramp_until IS NULL;
    ELSE
      UPDATE wakes SET page_after = after_event, page_at = v_now, after_event = v_last,
          due_at = v_now + make_interval(secs => v_page / v_pace)
        WHERE subscriber_id = w.subscriber_id;
    END IF;
  END LOOP;
  RETURN v_total;
END $$;
