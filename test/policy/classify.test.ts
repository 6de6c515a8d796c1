import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CLASSES, OUTCOMES } from '../../src/contract.js';
import { classify } from '../../src/policy/classify.js';

test.each([200, 201, 202, 204, 206, 226, 299])('%i is delivered', (status) => {
  expect(classify(status)).toEqual({ outcome: 'delivered', class: 'success' });
});

test.each([300, 301, 302, 303, 304, 307, 308, 399])('%i is a redirect that is not followed', (status) => {
  expect(classify(status)).toEqual({ outcome: 'failed', class: 'redirect' });
});

test.each([
  [408, 'request_timeout'],
  [425, 'too_early'],
  [429, 'throttled'],
])('%i is transient as %s', (status, name) => {
  expect(classify(status)).toEqual({ outcome: 'failed', class: name });
});

test('410 is permanent, and says more than other statuses', () => {
  expect(classify(410)).toEqual({ outcome: 'rejected', class: 'gone' });
});

test.each([400, 401, 403, 404, 405, 409, 413, 421, 422, 423, 424, 426, 428, 431, 451, 499])(
  '%i is permanent',
  (status) => {
    expect(classify(status)).toEqual({ outcome: 'rejected', class: 'client_error' });
  },
);

test.each([500, 501, 502, 503, 504, 505, 507, 511, 520, 525, 599])('%i is transient', (status) => {
  expect(classify(status)).toEqual({ outcome: 'failed', class: 'server_error' });
});

test.each([0, 99, 100, 101, 103, 199, 600, 799, 999, -200, 200.5, NaN, Infinity])(
  '%d is no final status',
  (status) => {
    expect(classify(status)).toEqual({ outcome: 'unknown', class: 'protocol' });
  },
);

test('every number has a verdict out of the closed lists', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 0, max: 999 }), fc.double()), (status) => {
      const verdict = classify(status);
      expect(OUTCOMES).toContain(verdict.outcome);
      expect(CLASSES).toContain(verdict.class);
    }),
  );
});
