import { setTimeout as sleep } from 'node:timers/promises';
import { payloadOf } from '../scale/policy.js';
import { ACCOUNT, FANOUT, FANOUT_ACCOUNT, HANGING, LIMITED, type PlayOptions } from './cast.js';
import { fanOutOf, queueOf } from './ledger.js';
import { publishMany } from './publish.js';

const LOOK_EVERY_MS = 500;
const SAY_EVERY_MS = 15_000;
/** Of what is queued so much must have asked: where machines are slow some are late by a timeout of Temporal's. */
const ASKED_SHARE = 0.97;
/** Of the fan-out so much has been delivered when it counts as running. */
const RUNNING_SHARE = 0.002;

/** Queues deliveries for the destination that hangs and the one with a limit, until nearly each has asked once. */
export async function queueBoth(options: PlayOptions): Promise<void> {
  const { hanging, limited } = options;
  for (const [name, count] of [
    [HANGING, hanging],
    [LIMITED, limited],
  ] as const) {
    await publishMany(options, ACCOUNT, name, count);
    await untilEnough(options, `queued for ${name}`, Math.floor(count * ASKED_SHARE), async () => {
      const { asked } = await queueOf(options.stage.ledger, ACCOUNT, name);
      return asked;
    });
  }
}

/** Publishes the one event of the fan-out; resolves once deliveries of it are made. */
export async function beginFanOut(options: PlayOptions): Promise<void> {
  const { fanout, say, stage } = options;
  const shipment = `${FANOUT}-0`;
  say(`a fan-out to ${fanout}`);
  await stage
    .client(FANOUT_ACCOUNT)
    .publish({ shipment, version: 1, type: `fair.${FANOUT}`, payload: payloadOf({ shipment }) });
  await untilEnough(options, 'made of the fan-out', Math.ceil(fanout * RUNNING_SHARE), async () => {
    const { open, owed } = await fanOutOf(stage.ledger, FANOUT_ACCOUNT);
    return owed - open;
  });
}

/** Waits for a count that goes on growing. @throws Error where it stands still. */
async function untilEnough(
  { patienceMs, say, signal }: PlayOptions,
  what: string,
  enough: number,
  count: () => Promise<number>,
): Promise<void> {
  let last = -1;
  let changedAtMs = performance.now();
  let saidAtMs = performance.now();
  for (;;) {
    const now = await count();
    if (now >= enough) return;
    if (now > last) changedAtMs = performance.now();
    last = now;
    if (performance.now() - changedAtMs > patienceMs)
      throw new Error(`${what}: it stands still at ${now} of ${enough}`);
    if (performance.now() - saidAtMs > SAY_EVERY_MS) {
      say(`${what}: ${now} of ${enough}`);
      saidAtMs = performance.now();
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}
