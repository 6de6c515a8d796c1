import { expect, it } from 'vitest';
import { atItsMoment, LATE_MS, type Asked, type Grant } from '../../src/activities/moment.js';

const goWith = (startInMs: number | null) => ({ answer: 'go', startInMs }) as unknown as Grant['go'];
const grantAt = (nowMs: number, startInMs: number | null): Grant => ({
  go: goWith(startInMs),
  askedAtMs: nowMs,
  heardAtMs: nowMs,
});
const clock = { monotonicMs: () => performance.now() };
const never = () => Promise.reject(new Error('nobody was to be asked'));
const { signal } = new AbortController();

it('begins at once where no rate limits, however late', async () => {
  const grant = grantAt(performance.now() - 60_000, null);
  expect(await atItsMoment(clock, signal, grant, never)).toEqual(grant);
});

it('begins at its moment, counted from the middle of question and answer, and no sooner', async () => {
  const nowMs = performance.now();
  const grant = { ...grantAt(nowMs, 60), askedAtMs: nowMs - 20 };
  expect(await atItsMoment(clock, signal, grant, never)).toEqual(grant);
  expect(performance.now()).toBeGreaterThanOrEqual(nowMs - 10 + 60 - 1);
});

it('asks for another moment where its own has passed, and takes that', async () => {
  const late = grantAt(performance.now() - LATE_MS - 1_001, 1_000);
  const next = grantAt(performance.now(), 0);
  const ask = (): Promise<Asked> => Promise.resolve({ ...next, answer: next.go });
  expect(await atItsMoment(clock, signal, late, ask)).toEqual(next);
});

it('begins nothing where the lease is no longer for it, or it was called off', async () => {
  const late = grantAt(performance.now() - 60_000, 0);
  const held = { ...late, answer: { answer: 'in_flight', waitMs: 1, standing: {} } } as unknown as Asked;
  expect(await atItsMoment(clock, signal, late, () => Promise.resolve(held))).toBeUndefined();
  const calledOff = new AbortController();
  const waiting = atItsMoment(clock, calledOff.signal, grantAt(performance.now(), 60_000), never);
  calledOff.abort('called_off');
  expect(await waiting).toBeUndefined();
});
