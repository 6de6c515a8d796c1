import { waitUntil } from '../../scripts/stack/wait-until.js';
import { payloadOf } from '../scale/policy.js';
import { untilOver } from '../scale/progress.js';
import { FLAKY, FLAKY_COUNT, FLOOD, FLOOD_ACCOUNT, RETRY_ACCOUNT, type PlayOptions } from './cast.js';
import { retriesOf, waitingFirstAttempts } from './ledger.js';
import { publishMany } from './publish.js';

const WORKERS = 2;
/** Of all slots for first attempts, while the flood lasts. */
export const FULL_SHARE = 0.9;
/** So many retries have come due, by their count of tries, when the flood may end. */
const ROUNDS = 5;

export interface RetriesPlayed {
  /** From when on every slot for first attempts was taken, until when first attempts still waited; epoch ms. */
  readonly fullFromMs: number;
  readonly fullToMs: number;
  /** First attempts that waited at the end of that time. */
  readonly waiting: number;
  readonly stuck: number;
}

/** Retries of destinations that fail, while more first attempts are queued than there are slots for. */
export async function playRetries(options: PlayOptions): Promise<RetriesPlayed> {
  const { patienceMs, say, signal, slots, stage } = options;
  const { endpoints, ledger } = stage;
  const flood = WORKERS * slots + options.flood;
  say(`retries beside ${flood} first attempts that take all their slots`);
  const shipment = `${FLAKY}-0`;
  await stage
    .client(RETRY_ACCOUNT)
    .publish({ shipment, version: 1, type: `fair.${FLAKY}`, payload: payloadOf({ shipment }) });
  await publishMany(options, FLOOD_ACCOUNT, FLOOD, flood);
  const full = async (): Promise<boolean> =>
    ((await endpoints.open())[`/${FLOOD}`] ?? 0) >= FULL_SHARE * WORKERS * slots;
  await waitUntil('the flood has taken all slots for first attempts', patienceMs, full, signal);
  const from = await endpoints.mark('flood full');
  await waitUntil(
    'retries have come due meanwhile',
    patienceMs,
    async () => {
      const due = await retriesOf(ledger, RETRY_ACCOUNT);
      const since = due.filter(({ dueAtMs }) => dueAtMs >= from.atMs && dueAtMs < Date.now());
      return (
        since.length >= ROUNDS * FLAKY_COUNT || (await waitingFirstAttempts(ledger, FLOOD_ACCOUNT)) === 0
      );
    },
    signal,
  );
  const waiting = await waitingFirstAttempts(ledger, FLOOD_ACCOUNT);
  const to = await endpoints.mark('flood measured');
  await endpoints.behave({ [`/${FLOOD}`]: {}, [`/${FLAKY}`]: {} });
  const stuck = await untilOver({ ledger, signal, patienceMs }, FLOOD_ACCOUNT, RETRY_ACCOUNT);
  return { fullFromMs: from.atMs, fullToMs: to.atMs, waiting, stuck };
}
