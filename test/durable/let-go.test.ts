import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { LedgerActivities, SendActivities } from '../../src/activities/types.js';
import { SIGNALS, WORKFLOWS, type ObligationKey } from '../../src/contract.js';
import { DEFAULT_POLICY } from '../../src/policy/delivery-policy.js';
import type { Standing } from '../../src/policy/standing.js';
import type { ObligationInput } from '../../src/workflows/obligation-input.js';
import { connectTemporal } from '../support/waybill.js';

const KEY = 'let-go:sub_aB3dE6gH9jK2mN5pQ8sT:2' as ObligationKey;
const QUEUE = `let-go-${process.pid}`;

const standing = (more: Partial<Standing>): Standing => ({
  ...{ is: 'due', disposition: 'pending', rev: 1, round: 0, tries: 0, attempts: 0, waitMs: 0, leaseMs: 0 },
  ...{ reason: null, outcome: null, class: null, status: null, ...more },
});

let temporal: Awaited<ReturnType<typeof connectTemporal>>;
beforeAll(async () => {
  temporal = await connectTemporal(inject('temporalAddress'));
});
afterAll(() => temporal.close());

test('a word that overtakes the refusal it ends is not lost', async () => {
  const handle = () => temporal.client.workflow.getHandle(KEY);
  let looked: () => void = () => undefined;
  const look = new Promise<void>((resolve) => (looked = resolve));
  let claims = 0;
  const sends: SendActivities = {
    async attempt() {
      claims += 1;
      if (claims > 1) return standing({ is: 'over', disposition: 'delivered', rev: 3, attempts: 1 });
      // Refused for the sake of an older version, which ends before the workflow has heard of the refusal.
      await handle().signal(SIGNALS.recheck);
      await look;
      return standing({ is: 'waiting', reason: 'order', waitMs: 600_000 });
    },
  };
  const ledger: Pick<LedgerActivities, 'heed'> = {
    heed: () => {
      looked();
      // Whoever lets it go moves its rev on.
      return Promise.resolve(standing({ rev: 2 }));
    },
  };
  const common = { connection: temporal.connection, namespace: temporal.namespace };
  const workflowsPath = fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url));
  const main = await Worker.create({ ...common, taskQueue: QUEUE, workflowsPath, activities: ledger });
  const sender = await Worker.create({ ...common, taskQueue: `${QUEUE}-send`, activities: sends });
  const input: ObligationInput = { key: KEY, policy: DEFAULT_POLICY };
  const result = await main.runUntil(
    sender.runUntil(
      temporal.client.workflow.execute(WORKFLOWS.obligation, {
        ...{ workflowId: KEY, taskQueue: QUEUE, args: [input], workflowExecutionTimeout: '25 seconds' },
      }),
    ),
  );
  expect(result).toEqual({ disposition: 'delivered', attempts: 1 });
  expect(claims).toBe(2);
});
