import { parseObligationKey, type ObligationKey } from '../../contract.js';
import { invalid } from '../../errors.js';
import { parseInstant } from '../../intake/instant.js';
import { isDrillKey } from '../../policy/drill.js';

/** A request as its receiver wrote it down; docs/journal.md is the format. Times by the receiver's clock. */
export interface SeenRequest {
  readonly attempt: number | null;
  readonly atMs: number;
  /** Hex; null where the body broke off or was too long to be read. */
  readonly bodySha256: string | null;
  /** What was answered; null where nothing was, or nobody wrote it down. */
  status: number | null;
  answeredAtMs: number | null;
}

export interface JournalScope {
  readonly shipment?: string | undefined;
  /** The id. */
  readonly subscriber?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Takes a journal line by line and groups its requests by key, in their order. All that is kept of a request are five
 * fields, and a digest that recurs is kept once: a million requests take some 200 MB.
 */
export class JournalByKey {
  readonly #byKey = new Map<string, SeenRequest[]>();
  /** Begun by a line of their own, and not ended so far. */
  readonly #open = new Map<number, SeenRequest>();
  readonly #digests = new Map<string, string>();
  readonly #scope: JournalScope;
  #requests = 0;

  constructor(scope: JournalScope = {}) {
    this.#scope = scope;
  }

  /** Requests within the scope; those of a drill are never. */
  get requests(): number {
    return this.#requests;
  }

  /** @throws WaybillError `invalid_field`, naming the field, for a line that isn't of the format. */
  add(text: string): void {
    const line = fieldsOf(text);
    if (line['endOf'] !== undefined) return this.#end(line);
    const key = keyOf(line);
    const request: SeenRequest = {
      attempt: wholeOrNull(line, 'attempt', 1, 2 ** 31),
      atMs: needed('atMs', momentOf(line, 'at') ?? momentOf(line, 'headAt')),
      bodySha256: this.#once(digestOf(line)),
      status: null,
      answeredAtMs: momentOf(line, 'answeredAt'),
    };
    if (line['begin'] === undefined) request.status = statusOf(line);
    else this.#open.set(whole(line, 'begin', 0, Number.MAX_SAFE_INTEGER), request);
    if (this.#isInScope(key)) this.#keep(key, request);
  }

  /** The requests of this key, which is then done with. */
  take(key: string): SeenRequest[] {
    const requests = this.#byKey.get(key) ?? [];
    this.#byKey.delete(key);
    return requests;
  }

  /** Keys that nobody has taken. */
  left(): IterableIterator<string> {
    return this.#byKey.keys();
  }

  #end(line: Fields): void {
    const begin = whole(line, 'endOf', 0, Number.MAX_SAFE_INTEGER);
    const request = this.#open.get(begin);
    if (!request) throw invalid('endOf', 'names no request that has begun before');
    this.#open.delete(begin);
    request.status = statusOf(line);
    request.answeredAtMs = request.status === null ? null : momentOf(line, 'at');
  }

  #keep(key: string, request: SeenRequest): void {
    this.#requests += 1;
    const requests = this.#byKey.get(key);
    if (requests) requests.push(request);
    else this.#byKey.set(key, [request]);
  }

  /** A drill's requests aren't: they are no deliveries, and no obligation stands behind them. */
  #isInScope(key: string): boolean {
    if (isDrillKey(key)) return false;
    const { shipment, subscriber } = this.#scope;
    if (shipment === undefined && subscriber === undefined) return true;
    const parts = parseObligationKey(key as ObligationKey);
    if (!parts) return false;
    return (
      (shipment === undefined || parts.shipment === shipment) &&
      (subscriber === undefined || parts.subscriber === subscriber)
    );
  }

  #once(digest: string | null): string | null {
    if (digest === null) return null;
    const known = this.#digests.get(digest);
    if (known === undefined) this.#digests.set(digest, digest);
    return known ?? digest;
  }
}

function fieldsOf(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('journal', 'is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('journal', 'is not a JSON object');
  return value as Fields;
}

/** An empty key is a request without one: seen, and by nobody on record. */
function keyOf(line: Fields): string {
  const { key } = line;
  if (typeof key !== 'string') throw invalid('key', 'must be a text: the webhook-id');
  return key;
}

/** `name + 'Ms'` in epoch milliseconds, or `name` in ISO 8601; null where there is neither. */
function momentOf(line: Fields, name: string): number | null {
  const ms = line[`${name}Ms`];
  if (ms !== undefined && ms !== null) {
    if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0)
      throw invalid(`${name}Ms`, 'must be milliseconds since 1970');
    return ms;
  }
  const iso = line[name];
  return iso === undefined || iso === null ? null : (parseInstant(name, iso as string)?.getTime() ?? null);
}

function needed(field: string, value: number | null): number {
  if (value === null) throw invalid(field, 'is missing');
  return value;
}

function digestOf(line: Fields): string | null {
  const digest = line['bodySha256'];
  if (digest === null) return null;
  if (typeof digest !== 'string' || !/^[0-9a-fA-F]{64}$/.test(digest))
    throw invalid('bodySha256', 'must be 64 hexadecimal digits, or null where the body was not read whole');
  return digest.toLowerCase();
}

const statusOf = (line: Fields): number | null => wholeOrNull(line, 'status', 100, 999);

function wholeOrNull(line: Fields, field: string, least: number, most: number): number | null {
  return line[field] === null ? null : whole(line, field, least, most);
}

function whole(line: Fields, field: string, least: number, most: number): number {
  const value = line[field];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most)
    throw invalid(field, `must be a whole number from ${least} to ${most}`);
  return value;
}
