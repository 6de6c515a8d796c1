import { createHash } from 'node:crypto';

/** What an endpoint does with a request it holds; 200 at once where nothing is said. */
export interface Behaviour {
  /** 200 when unset. */
  readonly status?: number;
  /** Time between the request's end and the answer; none when unset. */
  readonly delayMs?: number;
  /** Keeps the request until the sender gives up. */
  readonly hangs?: boolean;
  /** Where it hangs: some requests are answered all the same. */
  readonly answers?: Drawn;
  /** Some requests are refused instead. */
  readonly failing?: Failing;
}

export interface Drawn {
  /** From 0 to 1. */
  readonly share: number;
  /** The same seed draws the same attempts, in whatever order they come. */
  readonly seed: number;
}

export interface Failing extends Drawn {
  /** Attempts above it aren't refused. */
  readonly firstAttempts: number;
  /** 500 when unset. */
  readonly status?: number;
}

/**
 * Behaviours by path: of one endpoint (`/group/name`), of all of a group (`/group`), or of all (`/`); the nearest one
 * counts.
 */
export type Behaviours = Readonly<Record<string, Behaviour>>;

export type Answer =
  { readonly hangs: true } | { readonly hangs: false; readonly status: number; readonly delayMs: number };

/** What `path` answers to this attempt for `key`. */
export function answerTo(behaviours: Behaviours, path: string, key: string, attempt: number): Answer {
  const behaviour = behaviours[path] ?? behaviours[groupOf(path)] ?? behaviours['/'] ?? {};
  const { answers, delayMs = 0, failing, hangs = false, status = 200 } = behaviour;
  if (hangs && !(answers && isDrawn(answers, key, attempt))) return { hangs: true };
  const refused = failing !== undefined && isRefused(failing, key, attempt);
  return { hangs: false, delayMs, status: refused ? (failing.status ?? 500) : status };
}

/** `/group` of `/group/name`. */
export const groupOf = (path: string): string => `/${path.split('/')[1] ?? ''}`;

const isRefused = (failing: Failing, key: string, attempt: number): boolean =>
  attempt <= failing.firstAttempts && isDrawn(failing, key, attempt);

function isDrawn({ seed, share }: Drawn, key: string, attempt: number): boolean {
  const drawn = createHash('sha256').update(`${seed} ${attempt} ${key}`).digest().readUInt32BE();
  return drawn / 2 ** 32 < share;
}
