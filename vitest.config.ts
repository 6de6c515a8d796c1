import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // That the long proofs turn red has a command of its own: `npm run test:mutations`.
    // What is too long for each change has one, too: `npm run test:long`.
    exclude: ['**/node_modules/**', 'test/**/*.mutations.test.ts', 'test/**/*.long.test.ts'],
    globalSetup: ['test/support/stack.ts'],
    pool: 'forks',
    fileParallelism: true,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
});
