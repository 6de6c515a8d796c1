import pLimit from 'p-limit';
import { payloadOf } from '../scale/policy.js';
import type { PlayOptions } from './cast.js';

const AT_ONCE = 16;
const SAY_EVERY = 5_000;

/** `count` events of one type, as fast as they are accepted; shipments are `name-0`, `name-1`... */
export async function publishMany(
  { say, signal, stage }: PlayOptions,
  account: string,
  name: string,
  count: number,
): Promise<void> {
  const client = stage.client(account);
  const limit = pLimit(AT_ONCE);
  let published = 0;
  await Promise.all(
    Array.from({ length: count }, (_, i) =>
      limit(async () => {
        signal.throwIfAborted();
        const shipment = `${name}-${i}`;
        await client.publish({
          shipment,
          version: 1,
          type: `fair.${name}`,
          payload: payloadOf({ shipment }),
        });
        published += 1;
        if (published % SAY_EVERY === 0) say(`published for ${name}: ${published} of ${count}`);
      }),
    ),
  );
}
