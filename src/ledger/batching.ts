import DataLoader from 'dataloader';

/**
 * Calls that wait at the same moment share one statement. A batch that fails is split into single calls, so
 * that one bad item can't fail its neighbours; every item is safe to repeat.
 */
export function batched<Item, Answer>(
  runMany: (items: readonly Item[]) => Promise<Answer[]>,
  maxBatchSize: number,
): (item: Item) => Promise<Answer> {
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
    { cache: false, maxBatchSize, batchScheduleFn: (run) => setImmediate(run) },
  );
  return (item) => loader.load(item);
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
