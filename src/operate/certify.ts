import { createHash, randomBytes } from 'node:crypto';
import { prepare, type Prepared } from '../activities/prepare.js';
import { systemClock, type Clock } from '../clock.js';
import { encodePart, type ObligationKey } from '../contract.js';
import { WaybillError } from '../errors.js';
import { assertText } from '../intake/text.js';
import type { Go } from '../ledger/claim.js';
import { auditDrill, drillTarget } from '../ledger/drill.js';
import { coded } from '../ledger/pool.js';
import {
  acknowledgeWithinMs,
  DRILL,
  DRILL_TIMESTAMP_OFF_MS,
  passes,
  type DrillCheck,
} from '../policy/drill.js';
import { silentLog } from '../watch/log.js';
import { makeWire, type Verdict, type Wire, type WireOptions } from '../wire/send.js';
import { newSecret, parseSecret, sign } from '../wire/sign.js';
import type { Door } from './obligations.js';
import { needSubscriber } from './subscribers.js';

/** What a drill needs besides a door: to open what is stored, and a way out. */
export interface CertifyDesk extends Door {
  readonly open: (sealed: string, context: string) => string;
  readonly wire: WireOptions;
  readonly actor: string;
}

export interface CertifyOptions {
  readonly reason: string;
  /** Told of each check once it is over. */
  readonly onCheck?: (row: CertifyRow, done: number, total: number) => void;
}

export interface CertifyRow {
  readonly name: string;
  readonly expected: string;
  readonly got: string;
  readonly tookMs: number | null;
  readonly verdict: 'pass' | 'fail' | 'not run';
  /** What to mend, where it failed. */
  readonly advice?: string;
}

export interface Certified {
  readonly subscriber: string;
  /** What all `webhook-id`s of this drill begin with. */
  readonly drill: string;
  /** Every check passed. */
  readonly ok: boolean;
  readonly checks: readonly CertifyRow[];
}

/** Odd on purpose: a receiver that verifies a parsed and rewritten body is found out by it. */
const BODY = new TextEncoder().encode('{ "drill": true,  "note": "caf\\u00e9 caf\u00e9", "amount": 1.10 }\n');
const ALTERED = new TextEncoder().encode(
  '{ "drill": true,  "note": "caf\\u00e9 caf\u00e9", "amount": 9.10 }\n',
);
const EVENT_TYPE = 'waybill.drill';

/**
 * Plays {@link DRILL} against a subscriber's endpoint, one request at a time. The ids begin with `drill:` and have four
 * parts, so none can be an obligation's. Where not even the first request gets an answer, the rest isn't run.
 * @throws WaybillError `not_found`, `subscriber_removed`, `database_unavailable`.
 */
export async function certify(
  desk: CertifyDesk,
  idOrName: string,
  options: CertifyOptions,
): Promise<Certified> {
  assertText('reason', options.reason, 1, 500);
  const { id } = await needSubscriber(desk, idOrName);
  const now = desk.now ?? null;
  const target = await coded(() => drillTarget(desk.db, desk.account, id, now));
  if (!target) throw new WaybillError('subscriber_removed');
  const drill = `drill:${randomBytes(9).toString('base64url')}`;
  const record = (detail: object): Promise<void> => {
    const row = {
      actor: desk.actor,
      reason: options.reason,
      source: desk.source,
      detail: { drill, ...detail },
    };
    return coded(() => auditDrill(desk.db, desk.account, id, row, now));
  };
  // Before the first request leaves: whatever becomes of this process, the endpoint's owner can be told who it was.
  await record({ stage: 'begun' });
  const wire = makeWire(desk.wire);
  try {
    const checks = await play(desk, wire, target, drill, options.onCheck);
    const ok = checks.every(({ verdict }) => verdict === 'pass');
    const failed = checks.filter(({ verdict }) => verdict !== 'pass').map(({ name }) => name);
    await record({ stage: 'ended', ok, failed });
    return { subscriber: id, drill, ok, checks };
  } finally {
    wire.close();
  }
}

async function play(
  desk: CertifyDesk,
  wire: Wire,
  target: Go['subscriber'],
  drill: string,
  onCheck: CertifyOptions['onCheck'],
): Promise<CertifyRow[]> {
  const rows: CertifyRow[] = [];
  const tell = (row: CertifyRow): void => {
    rows.push(row);
    onCheck?.(row, rows.length, DRILL.length + 1);
  };
  let slowestMs: number | undefined;
  for (const check of DRILL) {
    if (rows[0]?.tookMs === null) {
      tell({
        name: check.name,
        expected: EXPECTED[check.expects],
        got: '-',
        tookMs: null,
        verdict: 'not run',
      });
      continue;
    }
    const verdict = await request(desk, wire, target, drill, check);
    tell(rowOf(check, verdict));
    if (check.expects === 'accepted' && passes('accepted', verdict.status))
      slowestMs = Math.max(verdict.tookMs, slowestMs ?? 0);
  }
  tell(speedRow(slowestMs, acknowledgeWithinMs(target.policy.timeoutMs)));
  return rows;
}

const EXPECTED = { accepted: '2xx', refused: '4xx, but not 408, 425 or 429' } as const;

function rowOf(check: DrillCheck, verdict: Verdict): CertifyRow {
  const pass = passes(check.expects, verdict.status);
  return {
    name: check.name,
    expected: EXPECTED[check.expects],
    got: verdict.status === undefined ? `${verdict.class}: ${verdict.error ?? ''}` : String(verdict.status),
    tookMs: verdict.status === undefined ? null : verdict.tookMs,
    verdict: pass ? 'pass' : 'fail',
    ...(pass ? {} : { advice: check.advice }),
  };
}

function speedRow(slowestMs: number | undefined, withinMs: number): CertifyRow {
  const row = { name: 'acknowledges in time', expected: `within ${withinMs} ms`, tookMs: slowestMs ?? null };
  if (slowestMs === undefined) return { ...row, got: '-', verdict: 'not run' };
  const pass = slowestMs <= withinMs;
  const advice = 'acknowledge first and work afterwards; past the deadline it is sent again';
  return {
    ...row,
    got: `${slowestMs} ms`,
    verdict: pass ? 'pass' : 'fail',
    ...(pass ? {} : { advice }),
  };
}

async function request(
  desk: CertifyDesk,
  wire: Wire,
  target: Go['subscriber'],
  drill: string,
  check: DrillCheck,
): Promise<Verdict> {
  const keyOf = (version: number) => `${drill}:${encodePart(target.id)}:${version}` as ObligationKey;
  const key = keyOf(check.version);
  const prepared = await prepareDrill(desk, target, key, check, clockOf(check));
  if ('outcome' in prepared) return prepared;
  let { sign: signed } = prepared;
  if (check.twist === 'altered id') {
    const other = await prepareDrill(desk, target, keyOf(0), check, clockOf(check));
    if ('outcome' in other) return other;
    signed = other.sign;
  }
  return wire.send({
    url: prepared.url,
    body: check.twist === 'altered body' ? ALTERED : BODY,
    headers: { ...prepared.headers, 'waybill-drill': '1' },
    tls: prepared.tls,
    timeoutMs: target.policy.timeoutMs,
    sign: () => twisted(check, key, signed()),
  });
}

/** The request as a delivery of this key would be, made by the very code that makes deliveries. */
function prepareDrill(
  desk: CertifyDesk,
  subscriber: Go['subscriber'],
  key: ObligationKey,
  check: DrillCheck,
  clock: Clock,
): Promise<Prepared | Verdict> {
  const digest = createHash('sha256').update(BODY).digest('hex');
  const event = { id: 0, shipment: 'drill', version: check.version, type: EVENT_TYPE, digest };
  return prepare({ open: desk.open, payload: () => Promise.resolve(BODY), clock, log: silentLog }, key, {
    attempt: check.attempt,
    subscriber,
    event: { ...event, contentType: 'application/json' },
  });
}

function clockOf(check: DrillCheck): Clock {
  const offMs =
    check.twist === 'old timestamp'
      ? -DRILL_TIMESTAMP_OFF_MS
      : check.twist === 'future timestamp'
        ? DRILL_TIMESTAMP_OFF_MS
        : 0;
  return { ...systemClock, epochMs: async () => (await systemClock.epochMs()) + offMs };
}

function twisted(
  check: DrillCheck,
  id: string,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const stranger = (): string =>
    sign({
      id,
      body: BODY,
      timestampSeconds: Number(headers['webhook-timestamp']),
      secrets: [parseSecret(newSecret())],
    });
  switch (check.twist) {
    case 'unsigned':
      return {};
    case 'wrong secret':
      return { ...headers, 'webhook-signature': stranger() };
    case 'second signature':
      return { ...headers, 'webhook-signature': `${stranger()} ${headers['webhook-signature'] ?? ''}` };
    default:
      return { ...headers };
  }
}
