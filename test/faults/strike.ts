import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange, Link } from '../kill/link.js';
import type { FaultName } from './catalogue.js';
import { withClient, type Scene } from './scene.js';

/** What commits something of Waybill's, and the end of Postgres's answer: "ready for query, idle". */
const COMMITTING: Exchange = {
  question: /waybill\.(publish|claim|settle|match_event|act)\(|(UPDATE|DELETE FROM) waybill\.outbox/,
  answered: /Z\0\0\0.I$/s,
};
/** One of so many answers is lost. */
const LOSE_EVERY = 3;
const TERMINATE_EVERY_MS = 1_000;
const LOSE_EVERY_MS = 100;
const CUT_SLICE_MS = 250;

/** Times that something was done to somebody: 0 is a fault that never was. */
type Blows = number;

/** Brings the fault about and takes it back after `ms`; resolves as soon as it is over. */
export async function strike(scene: Scene, name: FaultName, ms: number, signal: AbortSignal): Promise<Blows> {
  const { stage, toPostgres, toReceiver, toTemporal } = scene;
  stage.say(`${name} lasts for ${ms / 1_000} s`);
  const wait = (): Promise<void> => sleep(ms, undefined, { signal });
  switch (name) {
    case 'pool-exhausted':
      return lockOut(stage.stack.adminUrl, wait);
    case 'commit-lost': {
      const stops = toPostgres.map((link) => link.loseAnswers(COMMITTING, LOSE_EVERY));
      await wait().catch(() => undefined);
      return stops.reduce((lost, stop) => lost + stop(), 0);
    }
    case 'backends-terminated':
      return again(ms, signal, async () => {
        const terminated = await terminateAll(scene);
        await sleep(TERMINATE_EVERY_MS, undefined, { signal });
        return terminated;
      });
    case 'read-only': {
      const database = `DATABASE ${new URL(stage.stack.adminUrl).pathname.slice(1)}`;
      await scene.asSuperuser(`ALTER ${database} SET default_transaction_read_only = on`);
      const cut = await terminateAll(scene);
      await wait();
      await scene.asSuperuser(`ALTER ${database} RESET default_transaction_read_only`);
      return cut + (await terminateAll(scene));
    }
    case 'database-down':
      return stage.stack.crash('Postgres', wait).then(() => 1);
    case 'database-half-open':
      return held(toPostgres, wait);
    case 'temporal-down':
      return stage.stack.crash('Temporal', wait).then(() => 1);
    case 'temporal-killed':
      return stage.stack.crash('Temporal').then(() => 1);
    case 'temporal-cut':
      return cut(toTemporal, ms, signal);
    case 'temporal-half-open':
      return held(toTemporal, wait);
    case 'receiver-cut':
      return cut([toReceiver], ms, signal);
    case 'receiver-half-open':
      return held([toReceiver], wait);
    case 'receiver-answer-lost':
      return again(ms, signal, async () => {
        await sleep(LOSE_EVERY_MS, undefined, { signal });
        return (await toReceiver.loseAnswer(LOSE_EVERY_MS)) ? 1 : 0;
      });
  }
}

async function again(ms: number, signal: AbortSignal, once: () => Promise<Blows>): Promise<Blows> {
  const endMs = performance.now() + ms;
  let blows = 0;
  while (performance.now() < endMs && !signal.aborted) blows += await once();
  return blows;
}

async function held(links: readonly Link[], wait: () => Promise<void>): Promise<Blows> {
  const releases = links.map((link) => link.hold());
  try {
    await wait();
    return links.length;
  } finally {
    for (const release of releases) release();
  }
}

/** In slices, so that an interruption is heeded. */
const cut = (links: readonly Link[], ms: number, signal: AbortSignal): Promise<Blows> =>
  again(ms, signal, async () => {
    await Promise.all(links.map((link) => link.cut(CUT_SLICE_MS)));
    return links.length;
  });

const lockOut = (url: string, wait: () => Promise<void>): Promise<Blows> =>
  withClient(url, async (locker) => {
    await locker.query('BEGIN');
    await locker.query(
      'LOCK TABLE waybill.events, waybill.obligations, waybill.outbox IN ACCESS EXCLUSIVE MODE',
    );
    await wait();
    await locker.query('ROLLBACK');
    return 1;
  });

async function terminateAll(scene: Scene): Promise<Blows> {
  const rows = await scene.asSuperuser<{ pid: number }>(
    `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return rows.length;
}
