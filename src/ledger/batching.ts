import DataLoader from 'dataloader';

/** What is asked for so many times within this long comes thick enough to be worth waiting for. */
const BUSY_CALLS = 8;
const BUSY_WITHIN_MS = 200;

/**
 * Calls that wait at the same moment share one statement. A batch that fails is split into single calls, so
 * that one bad item can't fail its neighbours; every item is safe to repeat.
 *
 * While calls come thick, from 40 a second on, the first one of a batch waits `windowMs` for others to join it: of one that
 * is asked for alone most of the cost is the round trip and its commit. One that comes after a pause waits for nothing.
 */
export function batched<Item, Answer>(
  runMany: (items: readonly Item[]) => Promise<Answer[]>,
  maxBatchSize: number,
  windowMs = 0,
): (item: Item) => Promise<Answer> {
  const busy = callsComeThick();
  const loader = new DataLoader<Item, Answer>(
    async (items) => {
      try {
        return await runMany(items);
      } catch (error) {
        if (items.length === 1) return [asError(error)];
        return Promise.all(
          items.map((item) => runMany([item]).then((answers) => answers[0] as Answer, asError)),
        );
      }
    },
    {
      cache: false,
      maxBatchSize,
      batchScheduleFn: (run) => {
        if (windowMs > 0 && busy.now()) setTimeout(run, windowMs);
        else setImmediate(run);
      },
    },
  );
  return (item) => {
    busy.call();
    return loader.load(item);
  };
}

/** Looks back over the last {@link BUSY_CALLS} calls. */
function callsComeThick() {
  const lastMs: number[] = new Array<number>(BUSY_CALLS).fill(-Infinity);
  let calls = 0;
  return {
    call(): void {
      lastMs[calls % BUSY_CALLS] = performance.now();
      calls += 1;
    },
    /** The oldest of them is the next to be written over. */
    now: (): boolean => performance.now() - (lastMs[calls % BUSY_CALLS] ?? -Infinity) < BUSY_WITHIN_MS,
  };
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
