import type pg from 'pg';
import { DEFAULT_ACCOUNT, type Verb } from './contract.js';
import { loadConfig, requireKeys, wireOptions, type Config } from './config.js';
import { invalid, WaybillError } from './errors.js';
import type { ActTerms } from './intake/act-terms.js';
import type { EventInput } from './intake/event-input.js';
import { checkFilter, checkLimit } from './intake/filter.js';
import { acceptEvent, type Published } from './intake/publish.js';
import { assertText } from './intake/text.js';
import type { Gate } from './intake/subscriber-gate.js';
import type { SubscriberChange, SubscriberInput } from './intake/subscriber-input.js';
import type { ActAnswer, ScopeVerb, SubscriberActAnswer, SubscriberVerb } from './ledger/acts.js';
import type { Account, Cohort, CohortInFull } from './ledger/cohorts.js';
import { eventProgress, type EventProgress } from './ledger/event-progress.js';
import { leftOutOf, type LeftOut } from './ledger/left-out.js';
import { notifyRelays } from './ledger/outbox.js';
import { answeringWithin, coded, makePool, type Queryable } from './ledger/pool.js';
import type { SecretActAnswer, SecretRow } from './ledger/secrets.js';
import { listSubscribers, type Subscriber } from './ledger/subscribers.js';
import {
  eventsOf,
  findObligations,
  type EventRow,
  type ObligationFilter,
  type ObligationRow,
} from './ledger/trace.js';
import { certify, type Certified, type CertifyOptions } from './operate/certify.js';
import {
  accountOf,
  actOnAccountBy,
  actOnCohortBy,
  addCohort,
  cohortsOf,
  needCohort,
  updateCohort,
  type CohortSettings,
} from './operate/cohorts.js';
import { act, type Door, type OperatorWord } from './operate/obligations.js';
import { revoke, rotate, secretsOf, type Rotated, type Rotation } from './operate/secrets.js';
import {
  actOnSubscriberBy,
  addSubscriber,
  addSubscribers,
  needSubscriber,
  updateSubscriber,
  type Added,
  type AddedId,
  type SubscriberDesk,
} from './operate/subscribers.js';
import { traceObligation, type Trace } from './operate/trace.js';
import { makeSealer } from './wire/seal.js';

export { WaybillError } from './errors.js';
export type {
  Added,
  AddedId,
  ActAnswer,
  EventInput,
  EventProgress,
  EventRow,
  ObligationRow,
  OperatorWord,
  Published,
};
export type { Rotated, Rotation, SecretActAnswer, SecretRow };
export type { Account, ActTerms, Cohort, CohortInFull, CohortSettings, Gate, LeftOut, ScopeVerb };
export type {
  Certified,
  CertifyOptions,
  Subscriber,
  SubscriberActAnswer,
  SubscriberChange,
  SubscriberInput,
  Trace,
};

export interface ClientOptions {
  /** The account all calls are for; `default` when unset. */
  readonly account?: string;
  /** Who publishes and changes subscribers, for the audit. */
  readonly actor?: string;
  /** Taken from the environment when unset (docs/configuration.md). */
  readonly config?: Config;
  readonly source?: 'client' | 'cli';
}

/** What `publishIn` answers: call `afterCommit` once the transaction has committed, or leave it to the poll. */
export interface PublishedIn extends Published {
  /** Tells the relays; delivery then starts at once instead of within a poll period (100 ms). */
  readonly afterCommit: () => Promise<void>;
}

/** A publisher or operator waits this long for an answer, besides the 5 s for a connection. */
const ANSWER_MS = 6_000;
/** Below it, so that it is the server that gives up: nothing is then left behind there. */
const LOCK_MS = 5_000;

/**
 * Waybill for services and support tooling: Postgres is all it talks to. Every call answers or fails with a
 * WaybillError in bounded time, and every call can be repeated; for `addSubscriber` give a secret of your own then.
 */
export class WaybillClient {
  readonly #pool: pg.Pool;
  /** The pool, for what a service or an operator waits for. */
  readonly #quick: Queryable;
  readonly #config: Config;
  readonly #door: Door;
  readonly #actor: string;

  constructor(options: ClientOptions = {}) {
    const { account = DEFAULT_ACCOUNT, actor = 'client' } = options;
    assertText('account', account, 1, 100);
    assertText('actor', actor, 1, 200);
    this.#config = options.config ?? loadConfig();
    this.#actor = actor;
    this.#pool = makePool({
      url: this.#config.databaseUrl,
      max: this.#config.poolMax,
      lockTimeoutMs: LOCK_MS,
      applicationName: 'waybill-client',
    });
    this.#quick = answeringWithin(this.#pool, ANSWER_MS);
    this.#door = {
      db: this.#pool,
      account,
      source: options.source ?? 'client',
    };
  }

  /** Accepted once it resolves: event, payload and the promise to deliver are committed. */
  async publish(event: EventInput): Promise<Published> {
    const published = await coded(() => acceptEvent(this.#quick, this.#owned(event), this.#context()));
    await notifyRelays(this.#quick);
    return published;
  }

  /**
   * The same inside the caller's own transaction, on the caller's own connection: the event exists if and only
   * if that transaction commits. Errors leave the transaction usable.
   */
  async publishIn(client: Queryable, event: EventInput): Promise<PublishedIn> {
    const published = await coded(() => acceptEvent(client, this.#owned(event), this.#context()));
    return { ...published, afterCommit: () => notifyRelays(this.#quick) };
  }

  /** By key, shipment, subscriber, version or disposition, in key order; `after` is the last key of a page. */
  async find(
    filter: Omit<ObligationFilter, 'account' | 'limit'> & { limit?: number } = {},
  ): Promise<ObligationRow[]> {
    const { limit = 100, ...rest } = filter;
    checkLimit(limit);
    checkFilter(rest);
    return coded(() => findObligations(this.#pool, { ...rest, limit, account: this.#door.account }));
  }

  /** Everything on record about one obligation: attempts, acts, event. @throws WaybillError `not_found`. */
  trace(key: string): Promise<Trace> {
    return traceObligation(this.#door, key);
  }

  /** Published versions of a shipment, newest first. */
  async events(shipment: string, version?: number, limit = 100): Promise<EventRow[]> {
    checkLimit(limit);
    checkFilter({ shipment, ...(version === undefined ? {} : { version }) });
    return coded(() => eventsOf(this.#pool, this.#door.account, shipment, version, limit));
  }

  /** Subscribers that matched an event and were left out of it, with the reason; `after` is the last id of a page. */
  async leftOut(shipment: string, version: number, after = '', limit = 100): Promise<LeftOut[]> {
    checkLimit(limit);
    checkFilter({ shipment, version, after });
    return coded(() => leftOutOf(this.#pool, this.#door.account, shipment, version, after, limit));
  }

  /**
   * How far a published event is, counted at that moment; cheap enough to be asked again and again.
   * @throws WaybillError `not_found`.
   */
  async eventProgress(shipment: string, version: number): Promise<EventProgress> {
    checkFilter({ shipment, version });
    const event = { account: this.#door.account, shipment, version };
    const progress = await coded(() => eventProgress(this.#pool, event));
    if (!progress) throw new WaybillError('not_found', 'no such event', { field: 'shipment' });
    return progress;
  }

  pause = (key: string, word: OperatorWord, terms?: ActTerms): Promise<ActAnswer> =>
    this.#act('pause', key, word, terms);
  resume = (key: string, word: OperatorWord): Promise<ActAnswer> => this.#act('resume', key, word);
  terminate = (key: string, word: OperatorWord): Promise<ActAnswer> => this.#act('terminate', key, word);
  redrive = (key: string, word: OperatorWord): Promise<ActAnswer> => this.#act('redrive', key, word);

  addSubscriber(input: SubscriberInput): Promise<Added> {
    return addSubscriber(this.#desk(), this.#ownedSubscriber(input), this.#actor);
  }

  /** All or none. */
  addSubscribers(inputs: readonly SubscriberInput[]): Promise<AddedId[]> {
    return addSubscribers(
      this.#desk(),
      inputs.map((input) => this.#ownedSubscriber(input)),
      this.#actor,
    );
  }

  updateSubscriber(idOrName: string, change: SubscriberChange): Promise<Subscriber> {
    return updateSubscriber(this.#desk(), idOrName, change, this.#actor);
  }

  async subscriber(idOrName: string): Promise<Subscriber> {
    return needSubscriber(this.#door, idOrName);
  }

  async subscribers(afterId = '', limit = 100): Promise<Subscriber[]> {
    checkLimit(limit);
    checkFilter({ after: afterId });
    return coded(() => listSubscribers(this.#pool, this.#door.account, afterId, limit));
  }

  /** Pause, resume or remove. A pause is one row: what is owed meanwhile is held, nothing is dropped. */
  actOnSubscriber(
    verb: SubscriberVerb,
    idOrName: string,
    word: OperatorWord,
    terms?: ActTerms,
  ): Promise<SubscriberActAnswer> {
    return actOnSubscriberBy({ ...this.#door, db: this.#quick }, verb, idOrName, word, terms);
  }

  /** Part of the account's subscribers under one name, to be rolled out, held and let go together. */
  addCohort(name: string, settings: Partial<CohortSettings> = {}): Promise<CohortInFull> {
    return addCohort(this.#door, name, settings, this.#actor);
  }

  updateCohort(name: string, settings: CohortSettings): Promise<CohortInFull> {
    return updateCohort({ ...this.#door, db: this.#quick }, name, settings, this.#actor);
  }

  async cohort(name: string): Promise<CohortInFull> {
    return needCohort(this.#door, name);
  }

  async cohorts(after = '', limit = 100): Promise<Cohort[]> {
    checkLimit(limit);
    checkFilter({ after });
    return cohortsOf(this.#door, after, limit);
  }

  /** Pause or resume all of its subscribers, or switch it off or on for what is published from the answer on. */
  actOnCohort(
    verb: ScopeVerb,
    name: string,
    word: OperatorWord,
    terms?: ActTerms,
  ): Promise<SubscriberActAnswer> {
    return actOnCohortBy({ ...this.#door, db: this.#quick }, verb, name, word, terms);
  }

  account(): Promise<Account> {
    return accountOf(this.#door);
  }

  /** Pause or resume everything that the account owes to anybody. */
  actOnAccount(
    verb: Extract<ScopeVerb, 'pause' | 'resume'>,
    word: OperatorWord,
    terms?: ActTerms,
  ): Promise<SubscriberActAnswer> {
    return actOnAccountBy({ ...this.#door, db: this.#quick }, verb, word, terms);
  }

  /** A new signing secret, shown in this answer alone; the ones before it go on signing for the overlap (24 h). */
  rotateSecret(idOrName: string, word: OperatorWord, rotation: Rotation = {}): Promise<Rotated> {
    return rotate(this.#desk(), idOrName, word, rotation);
  }

  /** Ends a secret at once. */
  revokeSecret(secretId: string, word: OperatorWord): Promise<SecretActAnswer> {
    return revoke(this.#door, secretId, word);
  }

  /** Ids and times, newest first; never what a secret is. */
  secrets(idOrName: string): Promise<SecretRow[]> {
    return secretsOf(this.#door, idOrName);
  }

  /**
   * Plays a drill against the subscriber's endpoint, by the wire and with its own secrets; no obligation is touched. Who
   * and why are on record before the first request leaves.
   */
  certifySubscriber(idOrName: string, options: CertifyOptions): Promise<Certified> {
    const wire = wireOptions(this.#config);
    const sealer = makeSealer(requireKeys(this.#config));
    return certify({ ...this.#door, open: sealer.open, wire, actor: this.#actor }, idOrName, options);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  #act(verb: Verb, key: string, word: OperatorWord, terms?: ActTerms): Promise<ActAnswer> {
    return act({ ...this.#door, db: this.#quick }, verb, key, word, terms);
  }

  #desk(): SubscriberDesk {
    return {
      ...this.#door,
      sealer: makeSealer(requireKeys(this.#config)),
      allow: this.#config.allow,
      times: this.#config,
    };
  }

  #context() {
    return { maxPayloadBytes: this.#config.maxPayloadBytes, publishedBy: this.#actor };
  }

  #owned(event: EventInput): EventInput {
    return { ...event, account: this.#ownAccount(event.account) };
  }

  #ownedSubscriber(input: SubscriberInput): SubscriberInput {
    return { ...input, account: this.#ownAccount(input.account) };
  }

  #ownAccount(given: string | undefined): string {
    if (given !== undefined && given !== this.#door.account) throw invalid('account', "is not this client's");
    return this.#door.account;
  }
}
