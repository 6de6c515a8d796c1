import { describe, expect, it } from 'vitest';
import { CLASSES, OUTCOMES, type ErrorClass, type Outcome } from '../../src/contract.js';
import { healthOf } from '../../src/policy/health.js';

const health = (outcome: Outcome, cls: ErrorClass) => healthOf({ outcome, class: cls });
const OURS: readonly ErrorClass[] = ['own_fault', 'lease_over', 'shutdown', 'called_off', 'worker_crash'];

describe('what an attempt says of its receiver', () => {
  it('is that it is well where it took the event', () => {
    for (const cls of CLASSES) expect(health('delivered', cls)).toBe('well');
  });

  it.each(['redirect', 'client_error', 'gone'] as const)('is that it lives where it refused: %s', (cls) => {
    expect(health('rejected', cls)).toBe('answered');
  });

  it.each(['failed', 'unknown'] as const)(
    'is no fault where it limits us, however it ended: %s',
    (outcome) => {
      expect(health(outcome, 'throttled')).toBe('answered');
    },
  );

  it.each([
    ['failed', 'server_error'],
    ['failed', 'timeout'],
    ['unknown', 'timeout'],
    ['failed', 'reset'],
    ['unknown', 'reset'],
    ['failed', 'tls'],
    ['failed', 'dns'],
    ['failed', 'network'],
    ['failed', 'protocol'],
  ] as const)('is a fault where %s by %s', (outcome, cls) => {
    expect(health(outcome, cls)).toBe('fault');
  });

  it('is nothing where the fault is ours, or nothing was sent', () => {
    for (const outcome of OUTCOMES.filter((one) => one !== 'delivered' && one !== 'rejected'))
      for (const cls of OURS) expect(health(outcome, cls)).toBe('none');
    for (const outcome of ['blocked', 'cancelled', 'shadow'] as const)
      for (const cls of CLASSES) expect(health(outcome, cls)).toBe('none');
  });
});
