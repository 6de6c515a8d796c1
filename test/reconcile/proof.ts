import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { readLedger, type LedgerView } from '../../demo/check/ledger.js';
import { readJournal } from '../../demo/journal.js';
import { waitUntil } from '../../scripts/stack/wait-until.js';
import { RECONCILE_SCHEDULE } from '../../src/contract.js';
import { goOn, tellOfOpen, untilAllEnded, type Hall } from './ending.js';
import { fingerprint, remove } from './hand.js';
import { mutateReconcile } from './mutations.js';
import type { Options } from './options.js';
import { chooseVictims, type Victim } from './removals.js';
import { faultsIn, nameOf, rowsOf, type Group, type Named, type Row } from './rows.js';
import { ACCOUNT, openScene, type PublishedEvent, type Scene } from './scene.js';
import { setStage, type Stage } from './stage.js';

/** What was done a moment ago counts as under way, in this proof as in life. */
const GRACE_MS = 1_000;

export interface Report {
  readonly verdict: 'green' | 'red';
  readonly size: number;
  readonly seconds: number;
  readonly rows: readonly Row[];
  /** Findings about what nobody had touched. */
  readonly strange: readonly string[];
  readonly dryRunChanged: boolean;
  /** Findings of a run after everything was mended. */
  readonly foundAgain: number;
  /** Why it is red. */
  readonly reasons: readonly string[];
}

export interface ProofOptions extends Options {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Sets the stage, takes things away, has them found and mended, and leaves nothing running. */
export async function prove(options: ProofOptions): Promise<Report> {
  const { dataDir, say, signal } = options;
  const startedMs = performance.now();
  const stage = await setStage({ dataDir, signal, say });
  const admin = new pg.Pool({ connectionString: stage.stack.adminUrl, max: 4 });
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address: stage.stack.temporalAddress ?? '' });
    const temporal = new Client({ connection, identity: 'hand@proof' });
    await temporal.schedule.getHandle(RECONCILE_SCHEDULE).pause('the proof runs it by hand');
    if (options.mutation) await mutateReconcile(stage.stack.adminUrl, options.mutation);
    const report = await play({ stage, admin, temporal }, options);
    return { ...report, seconds: Math.round((performance.now() - startedMs) / 1_000) };
  } finally {
    say('stopping');
    await connection?.close();
    await admin.end();
    await stage.stop();
  }
}

async function play(hall: Hall, options: ProofOptions): Promise<Omit<Report, 'seconds'>> {
  const { stage, admin } = hall;
  const { patienceMs, say, signal, size } = options;
  say(`four events to ${size} subscribers; two of them before the relay stops`);
  const [relay, worker] = await Promise.all([
    stage.worker('relay', 'relay'),
    stage.worker('worker', 'obligations,sends'),
  ]);
  const scene = await openScene({ stage, admin, size, patienceMs, signal });
  try {
    say('each stands where it is to stand; stopping relay and worker');
    await relay.stop();
    const unrelayed = await scene.publishUnrelayed();
    await worker.stop();
    const { victims, groups, before, removedAtMs } = await takeAway(hall, scene, unrelayed, say);
    await graceOver(admin, signal);

    const keys = before.obligations.map((o) => o.key);
    const print = await fingerprint(admin, hall.temporal.workflow, keys);
    const dryRun = await reconcileBy(stage, 'dry-run', '--dry-run');
    const dryRunChanged = (await fingerprint(admin, hall.temporal.workflow, keys)) !== print;
    say(`the dry run named ${dryRun.length}`);
    const run = await reconcileBy(stage, 'run');
    say(`the run mended ${run.filter(({ did }) => did !== null).length}`);

    await goOn(hall, scene, victims);
    const stuck = await untilAllEnded(admin, size * 4, options);
    const again = stuck === 0 ? await reconcileBy(stage, 'second-run') : [];
    const ledger = withAttemptsOf(before, await readLedger(admin, ACCOUNT, ''));
    const rows = rowsOf({
      groups: [...groups, othersOf(ledger, groups)],
      ...{ dryRun, run, ledger, removedAtMs },
      audited: await auditedNames(admin),
      journal: readJournal(stage.journal),
      recordLost: await recordLost(admin),
    });
    const expected = new Set(groups.flatMap((group) => group.names));
    const strange = [...new Set([...dryRun, ...run].map(nameOf))].filter((name) => !expected.has(name));
    const reasons = [
      ...rows.flatMap(faultsIn),
      ...strange.map((name) => `nobody had touched it: ${name}`),
      ...(dryRunChanged ? ['the dry run changed something'] : []),
      ...(stuck > 0 ? [`${stuck} obligations were still open at the end`] : []),
      ...(stuck > 0 ? await tellOfOpen(hall) : []),
      ...again.map((found) => `found again: ${nameOf(found)}`),
    ];
    return {
      verdict: reasons.length === 0 ? 'green' : 'red',
      ...{ size, rows, strange, dryRunChanged, foundAgain: again.length, reasons },
    };
  } finally {
    await scene.close();
  }
}

/** One of two outbox rows, a tenth of the workflows and a tenth of the rows go; the list is the proof's own. */
async function takeAway(
  { admin, temporal }: Hall,
  scene: Scene,
  unrelayed: readonly PublishedEvent[],
  say: (line: string) => void,
): Promise<{ victims: Victim[]; groups: Group[]; before: LedgerView; removedAtMs: number }> {
  const victims = chooseVictims(await scene.keysByStand());
  const before = await readLedger(admin, ACCOUNT, '');
  const removedAtMs = Date.now();
  const [stays, goes] = unrelayed as [PublishedEvent, PublishedEvent];
  await admin.query('DELETE FROM waybill.outbox WHERE event_id = $1', [goes.eventId]);
  await remove(admin, temporal.workflow, victims);
  say(`took away two outbox starts and ${victims.length} workflows, rows and both`);
  const subscribers = new Set(before.obligations.map((o) => o.subscriberId));
  const ofEvent = (kind: string, what: string, { eventId, shipment }: PublishedEvent): Group => ({
    ...{ kind, what, end: 'delivered' },
    names: [nameOf({ kind, key: null, eventId })],
    keys: [...subscribers].map((id) => `${shipment}:${id}:1`),
  });
  const groups = [
    ofEvent('outbox-not-relayed', 'relay of an event', stays),
    ofEvent('event-not-relayed', 'outbox row of an event', goes),
    ...[...new Set(victims.map(({ removal }) => removal))].map(({ kind, what, end }): Group => {
      const keys = victims.filter((v) => v.removal.what === what).map((v) => v.key);
      return { kind, what, end, keys, names: keys.map((key) => nameOf({ kind, key, eventId: null })) };
    }),
  ];
  return { victims, groups, before, removedAtMs };
}

async function graceOver(admin: pg.Pool, signal: AbortSignal): Promise<void> {
  await waitUntil(
    'what was published last is older than the grace',
    10 * GRACE_MS,
    async () => {
      const { rows } = await admin.query<{ over: boolean }>(
        `SELECT clock_timestamp() - max(greatest(published_at, started_at)) > make_interval(secs => $1) AS over
          FROM waybill.events`,
        [(2 * GRACE_MS) / 1_000],
      );
      return rows[0]?.over ?? false;
    },
    signal,
  );
}

async function reconcileBy(stage: Stage, name: string, ...args: readonly string[]): Promise<Named[]> {
  const { status, said } = await stage.waybill(
    ...([name, 'reconcile', '--json', '--grace-ms', String(GRACE_MS), ...args] as const),
  );
  const lines = said.split('\n').filter((line) => line.startsWith('{"row":'));
  if (status !== 0 || lines.length === 0) throw new Error(`waybill reconcile ended with ${status}:\n${said}`);
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Named);
}

/** Everything else must be delivered as ever. */
function othersOf(ledger: LedgerView, groups: readonly Group[]): Group {
  const touched = new Set(groups.flatMap((group) => group.keys));
  const keys = ledger.obligations.map((o) => o.key).filter((key) => !touched.has(key));
  return { kind: '-', what: 'nothing', names: [], keys, end: 'delivered' };
}

/** The hand took records; what the receiver saw is judged by what was on record before it. */
function withAttemptsOf(before: LedgerView, after: LedgerView): LedgerView {
  const there = new Set(after.attempts.map((a) => `${a.key}#${a.attempt}`));
  const taken = before.attempts.filter((a) => !there.has(`${a.key}#${a.attempt}`));
  return { ...after, attempts: [...taken, ...after.attempts] };
}

async function auditedNames(admin: pg.Pool): Promise<string[]> {
  const { rows } = await admin.query<{ kind: string; key: string | null; eventId: string | null }>(
    `SELECT reason AS kind, key, event_id AS "eventId" FROM waybill.audit WHERE act = 'reconcile'`,
  );
  return rows.map(({ kind, key, eventId }) => nameOf({ kind, key, eventId: Number(eventId) }));
}

async function recordLost(admin: pg.Pool): Promise<Set<string>> {
  const { rows } = await admin.query<{ key: string }>(
    `SELECT key FROM waybill.obligations WHERE disposition = 'held' AND held_reason = 'record-lost'`,
  );
  return new Set(rows.map((row) => row.key));
}
