import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ended, start, type Env } from './run.js';

const THREADS = fileURLToPath(new URL('threads.cjs', import.meta.url));

/** How many threads `waybill` has once it has done something; node and V8 have some 10 of their own. */
async function threadsOf(env: Env): Promise<number> {
  const { stderr } = await ended(start(['--version'], env, ['--require', THREADS]));
  return Number(/threads: (\d+)/.exec(stderr)?.[1]);
}

const linux = process.platform === 'linux';

test.runIf(linux)("node's pool has 64 threads, for names that don't answer hold theirs", async () => {
  expect(await threadsOf({ UV_THREADPOOL_SIZE: undefined })).toBeGreaterThan(64);
});

test.runIf(linux)('or as many as the operator says', async () => {
  expect(await threadsOf({ UV_THREADPOOL_SIZE: '5' })).toBeLessThan(40);
});
