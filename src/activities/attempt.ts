import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ObligationKey, SubscriberId } from '../contract.js';
import type { ClaimAnswer, ClaimRequest } from '../ledger/claim.js';
import { isDatabaseTrouble } from '../ledger/pool.js';
import type { DestinationNews, SettleAnswer, Settlement } from '../ledger/settle.js';
import type { Standing } from '../policy/standing.js';
import type { Log } from '../watch/log.js';
import type { Reached } from '../watch/points.js';
import type { Verdict, WireRequest } from '../wire/send.js';
import type { Clock } from '../clock.js';
import { LeaseInFlight, RecordLost, WorkerStopping } from './faults.js';
import { atItsMoment, type Asked, type Grant } from './moment.js';
import { nothingSent, prepare } from './prepare.js';
import { settlementOf } from './settlement.js';
import type { AttemptInput } from './types.js';

/** What an attempt needs of the world. */
export interface AttemptDeps {
  readonly claim: (request: ClaimRequest) => Promise<ClaimAnswer>;
  readonly settle: (settlement: Settlement) => Promise<SettleAnswer>;
  /** The exact bytes, verified; null where they are gone or changed; throws where the store is in trouble. */
  readonly payload: (event: { readonly id: number; readonly digest: string }) => Promise<Uint8Array | null>;
  readonly open: (sealed: string, context: string) => string;
  readonly send: (request: WireRequest) => Promise<Verdict>;
  readonly clock: Clock;
  /** 0 to below 1: the jitter. */
  readonly random: () => number;
  readonly log: Log;
  /** Told of what an attempt has brought about for its destination. */
  readonly news?:
    | ((news: DestinationNews | 'gone', key: ObligationKey, subscriber: SubscriberId | undefined) => void)
    | undefined;
  readonly reached?: Reached | undefined;
}

/** What whoever runs the attempt holds in hand meanwhile. */
export interface AttemptControl {
  /** Ends the send: reason `shutdown` when the worker's drain is over, anything else when it was called off. */
  readonly signal: AbortSignal;
  /** A verdict that an earlier execution read and could not put on record. */
  readonly remembered: Settlement | undefined;
  /** Resolves once somebody outside this process holds the verdict, or can't be told; never rejects. */
  readonly remember: (verdict: Settlement) => Promise<void>;
  readonly runId?: string | undefined;
}

/** A refusal for this little longer is waited out on the spot: clocks of timer and ledger differ by as much. */
const SHORT_WAIT_MS = 2_000;
const SETTLE_RETRY_MAX_MS = 5_000;
/** A ledger that stalls may take half a minute to fail; a kill in that time must not cost the answer. */
const SETTLE_SOON_MS = 1_000;
/** Then Temporal repeats the attempt, ever more slowly. */
const CLAIM_AGAIN_MS = 10_000;

/**
 * One try: claim, send, settle; answers where the obligation stands afterwards.
 *
 * What the subscriber did is in the answer, and so is a fault of ours that is on record. What throws is safe to
 * repeat, since a repeat begins with a claim: `LeaseInFlight`, `WorkerStopping`, a database that doesn't answer; and
 * `RecordLost`, which no repeat mends.
 */
export async function attempt(
  deps: AttemptDeps,
  input: AttemptInput,
  control: AttemptControl,
): Promise<Standing> {
  if (control.remembered) return record(deps, control, control.remembered);
  const token = randomUUID();
  const ask = (): Promise<Asked> => askUntilHeard(deps, control, { ...input, runId: control.runId, token });
  for (;;) {
    const { answer, askedAtMs, heardAtMs } = await ask();
    switch (answer.answer) {
      case 'go':
        return deliver(deps, input, control, { go: answer, askedAtMs, heardAtMs }, ask);
      case 'settled':
      case 'over':
        return answer.standing;
      case 'in_flight':
        throw new LeaseInFlight(answer.waitMs);
      case 'missing':
        throw new RecordLost(input.key);
      case 'unknown':
        deps.log.warn(
          { key: input.key, attempt: answer.attempt, crashes: answer.crashes },
          'attempt.crashed',
        );
        continue;
      case 'not_yet': {
        const { reason, waitMs } = answer.standing;
        if (reason !== 'not_due' || waitMs > SHORT_WAIT_MS) return answer.standing;
        await delay(waitMs, undefined, { signal: control.signal }).catch(() => undefined);
        if (isStopping(control.signal)) throw new WorkerStopping();
        if (control.signal.aborted) return answer.standing;
      }
    }
  }
}

/**
 * A claim whose answer may have been lost is asked again under its token for a while: nothing was sent, so it is no
 * crash, and nobody has to wait for its lease to run out.
 */
async function askUntilHeard(
  deps: AttemptDeps,
  control: AttemptControl,
  request: ClaimRequest,
): Promise<Asked> {
  const giveUpAtMs = deps.clock.monotonicMs() + CLAIM_AGAIN_MS;
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, SETTLE_RETRY_MAX_MS)) {
    const askedAtMs = deps.clock.monotonicMs();
    try {
      deps.reached?.('claim.asking');
      const answer = await deps.claim(request);
      return { answer, askedAtMs, heardAtMs: deps.clock.monotonicMs() };
    } catch (error) {
      if (!isDatabaseTrouble(error) || control.signal.aborted || deps.clock.monotonicMs() > giveUpAtMs)
        throw error;
      deps.log.warn({ key: request.key, waitMs }, 'claim.waiting');
      await delay(waitMs, undefined, { signal: control.signal }).catch(() => undefined);
    }
  }
}

async function deliver(
  deps: AttemptDeps,
  input: AttemptInput,
  control: AttemptControl,
  grant: Grant,
  ask: () => Promise<Asked>,
): Promise<Standing> {
  deps.reached?.('claim.granted');
  const { go } = grant;
  const verdict = await prepareAndSend(deps, input.key, control, grant, ask);
  const answeredAtMs = await deps.clock.epochMs();
  const settlement = settlementOf(go, input, verdict, answeredAtMs, deps.random());
  const standing = await record(deps, control, settlement, go.subscriber.id);
  deps.log.info(
    {
      key: input.key,
      attempt: go.attempt,
      outcome: settlement.outcome,
      class: settlement.class,
      status: settlement.status,
      sent: settlement.sent,
      tookMs: settlement.tookMs,
      disposition: standing.disposition,
      waitMs: standing.waitMs,
      error: settlement.error,
    },
    'attempt.settled',
  );
  if (settlement.class === 'gone') {
    deps.news?.('gone', input.key, go.subscriber.id);
  }
  if (settlement.class === 'shutdown') throw new WorkerStopping();
  return standing;
}

async function prepareAndSend(
  deps: AttemptDeps,
  key: ObligationKey,
  control: AttemptControl,
  grant: Grant,
  ask: () => Promise<Asked>,
): Promise<Verdict> {
  const prepared = await prepare(deps, key, grant.go);
  if ('outcome' in prepared) return prepared;
  const due = await atItsMoment(deps.clock, control.signal, grant, ask);
  if (!due)
    return nothingSent('cancelled', isStopping(control.signal) ? 'shutdown' : 'called_off', NOT_BEGUN);
  if (due.go.shadow) {
    prepared.sign();
    return nothingSent('shadow', 'shadow');
  }
  return deps.send({
    ...prepared,
    timeoutMs: due.go.subscriber.policy.timeoutMs,
    leaseEndsAtMs: due.askedAtMs + due.go.leaseMs,
    signal: control.signal,
  });
}

const NOT_BEGUN = 'called off before its request began';

/**
 * Puts the settlement on record. If the ledger doesn't answer, or not soon, the verdict is given to Temporal to hold;
 * then it is tried again until it is recorded or the drain is over: a read answer is never asked for again.
 */
async function record(
  deps: AttemptDeps,
  control: AttemptControl,
  settlement: Settlement,
  subscriber?: SubscriberId,
): Promise<Standing> {
  let waitMs = 50;
  let held = control.remembered === undefined ? undefined : Promise.resolve();
  const hold = (): Promise<void> => (held ??= control.remember(withoutExcerpt(settlement)));
  for (;;) {
    const slow = setTimeout(() => void hold(), SETTLE_SOON_MS);
    try {
      deps.reached?.('settle.asking');
      const answer = await deps.settle(settlement);
      deps.reached?.('settle.done');
      if (answer.answer === 'missing') throw new RecordLost(settlement.key);
      if (answer.said) deps.news?.(answer.said, settlement.key, subscriber);
      return answer.standing;
    } catch (error) {
      if (error instanceof RecordLost) throw error;
      await hold();
      if (!isDatabaseTrouble(error)) throw error;
      deps.log.warn({ key: settlement.key, attempt: settlement.attempt, waitMs }, 'settle.waiting');
      if (isStopping(control.signal)) throw new WorkerStopping({ cause: error });
      await delay(waitMs);
      waitMs = Math.min(waitMs * 2, SETTLE_RETRY_MAX_MS);
    } finally {
      clearTimeout(slow);
    }
  }
}

const isStopping = (signal: AbortSignal): boolean => signal.aborted && signal.reason === 'shutdown';

/** What leaves for Temporal holds no byte of an answer. */
function withoutExcerpt(settlement: Settlement): Settlement {
  const { excerpt: _, excerptEncoding: __, ...rest } = settlement;
  return rest;
}
