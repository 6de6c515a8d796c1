import { afterEach, describe, expect, test } from 'vitest';
import { lastLine, startDemo, type DemoRun } from './demo-run.js';

const RUN_TIMEOUT_MS = 300_000;
const SUBSCRIBERS = 24;
const SMALL = ['--once', '--json', '--subscribers', String(SUBSCRIBERS)];

let run: DemoRun | undefined;
afterEach(async () => {
  await run?.dispose();
  run = undefined;
}, RUN_TIMEOUT_MS);

describe('the checker turns red', () => {
  test(
    'when claim lets everybody send',
    async () => {
      run = startDemo(SMALL, { WAYBILL_DEMO_MUTATION: 'claim-always-go' });
      const { status, stdout, stderr } = await run.ended;
      expect(status, stderr).toBe(1);
      const figures = lastLine(stdout);
      expect(figures.verdict).toBe('red');
      expect(figures.requestsUnexplained).toBeGreaterThan(0);
      expect(figures.sentWhileHeld).toBe(1);
      expect(figures.overConcurrencyCap).toBeGreaterThan(0);
      expect(figures.capEvent.mostOpenAtOnce).toBeGreaterThan(figures.capEvent.cap);
    },
    RUN_TIMEOUT_MS,
  );

  test(
    'when settle records nothing',
    async () => {
      run = startDemo(SMALL, { WAYBILL_DEMO_MUTATION: 'settle-dropped' });
      const { status, stdout, stderr } = await run.ended;
      expect(status, stderr).toBe(1);
      const figures = lastLine(stdout);
      // All but the one that the operator may have terminated.
      expect(figures).toMatchObject({ verdict: 'red', delivered: 0 });
      expect(figures.open).toBeGreaterThanOrEqual(SUBSCRIBERS - 1);
      expect(figures.answersUnrecorded).toBeGreaterThan(0);
      expect(figures.unknown).toBeGreaterThan(0);
    },
    RUN_TIMEOUT_MS,
  );
});
