-- The ledger: what Waybill owes, what it tried, and what people did about it.
-- Breaking migrations carry "-breaking" in their file name; this first one has nothing to break.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_app') THEN
    CREATE ROLE waybill_app NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_publisher') THEN
    CREATE ROLE waybill_publisher NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- two databases of one server set up at the same moment: roles belong to the server
END $$;

-- ---------------------------------------------------------------- subscribers

CREATE TABLE waybill.subscribers (
  id            text COLLATE "C" PRIMARY KEY,
  account       text NOT NULL,
  name          text NOT NULL,
  state         text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'removed')),
  url_origin    text NOT NULL,              -- scheme, host and port: safe to show
  url_sealed    text NOT NULL,              -- the whole URL; its path and query may hold tokens
  url_version   int  NOT NULL DEFAULT 1,
  event_types   text[] NOT NULL,            -- exact, 'shipment.*' or '*'
  labels        jsonb NOT NULL DEFAULT '{}',
  policy        jsonb NOT NULL,
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL,
  removed_at    timestamptz
);
CREATE UNIQUE INDEX subscribers_name ON waybill.subscribers (account, name) WHERE state = 'live';
CREATE INDEX subscribers_account ON waybill.subscribers (account, id);

-- One narrow row per subscriber: what `claim` locks and decides by. Apart from `subscribers`, so that edits and
-- claims don't wait for each other and frequent updates stay small.
CREATE TABLE waybill.gates (
  subscriber_id   text COLLATE "C" PRIMARY KEY REFERENCES waybill.subscribers (id),
  max_concurrency int NOT NULL CHECK (max_concurrency BETWEEN 1 AND 1000),
  paused_at       timestamptz,
  paused_by       text,
  paused_reason   text,
  next_slot_at    timestamptz,
  avg_send_ms     int NOT NULL DEFAULT 1000
) WITH (fillfactor = 70);

CREATE TABLE waybill.subscriber_secrets (
  id            text COLLATE "C" PRIMARY KEY,
  subscriber_id text COLLATE "C" NOT NULL REFERENCES waybill.subscribers (id),
  sealed        text NOT NULL,
  created_at    timestamptz NOT NULL,
  expires_at    timestamptz
);
CREATE INDEX subscriber_secrets_subscriber ON waybill.subscriber_secrets (subscriber_id);

-- --------------------------------------------------------------------- events

CREATE TABLE waybill.events (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account          text NOT NULL,
  shipment_id      text NOT NULL CHECK (length(shipment_id) BETWEEN 1 AND 255),
  version          bigint NOT NULL CHECK (version BETWEEN 0 AND 9007199254740991),
  key_prefix       text NOT NULL,           -- the shipment id as it stands in obligation keys
  type             text NOT NULL CHECK (type ~ '^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$' AND length(type) <= 128),
  type_patterns    text[] NOT NULL,         -- every filter that matches the type
  content_type     text,
  labels           jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(labels) = 'object'),
  occurred_at      timestamptz,
  not_before       timestamptz,
  valid_until      timestamptz,
  payload_digest   bytea NOT NULL,
  payload_bytes    int NOT NULL,
  published_at     timestamptz NOT NULL,
  published_by     text,
  matched_at       timestamptz,
  obligation_count int,
  started_at       timestamptz,             -- every obligation has its workflow
  UNIQUE (account, shipment_id, version),
  CHECK (length(key_prefix) + 1 + 24 + 1 + length(version::text) <= 255) -- the longest key, with any subscriber id
);

CREATE TABLE waybill.event_payloads (
  event_id   bigint PRIMARY KEY REFERENCES waybill.events (id),
  bytes      bytea NOT NULL
);
ALTER TABLE waybill.event_payloads ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Work for the relay: fan-outs to start and workflows to nudge. A row is claimed by moving due_at on, done
-- by deleting it, so a relay that dies leaves nothing behind that another won't take up.
CREATE TABLE waybill.outbox (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind     text NOT NULL CHECK (kind IN ('event', 'nudge')),
  event_id bigint,
  key      text COLLATE "C",
  message  jsonb,
  due_at   timestamptz NOT NULL,
  tries    int NOT NULL DEFAULT 0,
  CHECK ((kind = 'event' AND event_id IS NOT NULL) OR (kind = 'nudge' AND key IS NOT NULL))
);
CREATE INDEX outbox_due ON waybill.outbox (due_at, id);

-- ---------------------------------------------------------------- obligations

CREATE TABLE waybill.obligations (
  key              text COLLATE "C" PRIMARY KEY,
  event_id         bigint NOT NULL REFERENCES waybill.events (id),
  subscriber_id    text COLLATE "C" NOT NULL REFERENCES waybill.subscribers (id),
  disposition      text NOT NULL CHECK (disposition IN
    ('pending', 'attempting', 'waiting', 'held', 'dead', 'delivered', 'expired', 'terminated', 'removed')),
  rev              int NOT NULL DEFAULT 0,     -- moves on with each change: the higher one is the newer truth
  round            int NOT NULL DEFAULT 0,     -- redrives so far
  try              int NOT NULL DEFAULT 0,     -- tries used in this round
  attempts         int NOT NULL DEFAULT 0,     -- number of the latest attempt
  crashes          smallint NOT NULL DEFAULT 0,-- leases in a row that ended without an outcome
  lease_attempt    int,                        -- the attempt that may be on the wire now
  lease_try        int,
  lease_until      timestamptz,
  next_eligible_at timestamptz NOT NULL,
  valid_until      timestamptz NOT NULL,
  redrive_until    timestamptz,
  held_at          timestamptz,                -- standing order of an operator or the system
  held_by          text,
  held_reason      text,
  frozen_ms        bigint,                     -- what was left of the wait when it was held
  initiator        text NOT NULL DEFAULT 'publish', -- who the next attempt goes back to
  last_outcome     text,
  last_class       text,
  last_status      smallint,
  created_at       timestamptz NOT NULL,
  finished_at      timestamptz
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX obligations_event ON waybill.obligations (event_id, subscriber_id);
CREATE INDEX obligations_subscriber ON waybill.obligations (subscriber_id, event_id);
CREATE INDEX obligations_leased ON waybill.obligations (subscriber_id) WHERE lease_attempt IS NOT NULL;
CREATE INDEX obligations_dead ON waybill.obligations (finished_at, key) WHERE disposition = 'dead';

-- ------------------------------------------------- append-only: attempts, audit

CREATE TABLE waybill.attempt_intents (
  key         text COLLATE "C" NOT NULL,
  attempt     int NOT NULL,
  round       int NOT NULL,
  try         int NOT NULL,
  initiator   text NOT NULL,
  worker      text NOT NULL,
  run_id      text,
  url_version int NOT NULL,
  url_origin  text NOT NULL,
  secret_ids  text[] NOT NULL,
  started_at  timestamptz NOT NULL,
  lease_until timestamptz NOT NULL
) PARTITION BY RANGE (started_at);
CREATE INDEX attempt_intents_key ON waybill.attempt_intents (key, attempt);

CREATE TABLE waybill.attempt_outcomes (
  key              text COLLATE "C" NOT NULL,
  attempt          int NOT NULL,
  late             boolean NOT NULL DEFAULT false, -- came after the lease was over and `unknown` on record
  outcome          text NOT NULL,
  class            text NOT NULL,
  status           smallint,
  sent             text NOT NULL CHECK (sent IN ('no', 'maybe')),
  counted          boolean NOT NULL,               -- used one of the subscriber's tries
  error            text,
  retry_after      text,
  retry_clamped    boolean NOT NULL DEFAULT false,
  location         text,
  address          text,
  response_bytes   bigint,
  response_digest  text,
  took_ms          int,
  worker           text NOT NULL,
  disposition      text NOT NULL,                  -- what the obligation became
  next_eligible_at timestamptz,
  settled_at       timestamptz NOT NULL
) PARTITION BY RANGE (settled_at);
CREATE INDEX attempt_outcomes_key ON waybill.attempt_outcomes (key, attempt);

CREATE TABLE waybill.response_excerpts (
  key      text COLLATE "C" NOT NULL,
  attempt  int NOT NULL,
  encoding text,
  bytes    bytea NOT NULL,
  at       timestamptz NOT NULL
) PARTITION BY RANGE (at);
CREATE INDEX response_excerpts_key ON waybill.response_excerpts (key, attempt);

CREATE TABLE waybill.audit (
  id            bigint GENERATED ALWAYS AS IDENTITY,
  at            timestamptz NOT NULL,
  account       text NOT NULL,
  key           text COLLATE "C",
  subscriber_id text COLLATE "C",
  event_id      bigint,
  act           text NOT NULL,
  actor         text NOT NULL,
  reason        text,
  request_id    text,
  source        text NOT NULL,
  refused       text,                       -- error code where the act was refused
  detail        jsonb
) PARTITION BY RANGE (at);
CREATE INDEX audit_key ON waybill.audit (key, id) WHERE key IS NOT NULL;
CREATE INDEX audit_subscriber ON waybill.audit (subscriber_id, id) WHERE subscriber_id IS NOT NULL;

-- What an operator's request id was answered: a repeated one changes nothing and hears the same.
CREATE TABLE waybill.operator_requests (
  scope      text COLLATE "C" NOT NULL,     -- obligation key or subscriber id
  request_id text NOT NULL,
  verb       text NOT NULL,
  actor      text NOT NULL,
  reason     text NOT NULL,
  answer     jsonb NOT NULL,
  at         timestamptz NOT NULL,
  PRIMARY KEY (scope, request_id)
);

-- Months from the one before p_from to p_months after it. There is no DEFAULT partition on purpose: it would
-- keep old months from being detached without a lock that stops the world.
CREATE FUNCTION waybill.ensure_partitions(p_from timestamptz, p_months int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  t text; m timestamp; made int := 0; child text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('waybill.ensure_partitions'));
  FOREACH t IN ARRAY ARRAY['attempt_intents', 'attempt_outcomes', 'response_excerpts', 'audit'] LOOP
    FOR i IN -1 .. least(p_months, 60) LOOP
      m := date_trunc('month', p_from AT TIME ZONE 'UTC') + make_interval(months => i);
      child := t || '_' || to_char(m, 'YYYY_MM');
      IF to_regclass('waybill.' || child) IS NULL THEN
        EXECUTE format('CREATE TABLE waybill.%I PARTITION OF waybill.%I FOR VALUES FROM (%L) TO (%L)',
          child, t, to_char(m, 'YYYY-MM-DD') || ' 00:00:00+00',
          to_char(m + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
        made := made + 1;
      END IF;
    END LOOP;
  END LOOP;
  RETURN made;
END $$;
SELECT waybill.ensure_partitions(clock_timestamp(), 3);
