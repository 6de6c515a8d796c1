import { SMALL_FAN_OUT } from '../../src/intake/fan-out.js';
import { POINTS, type Point } from '../../src/watch/points.js';
import { randomOf, type Random } from './random.js';

/** Ways to die, or to be cut off, at a time that no place in the code decides. */
export const RANDOM_KINDS = [
  'worker SIGKILL',
  'worker SIGTERM',
  'worker SIGSTOP',
  'relay SIGKILL',
  'relay SIGTERM',
  'Postgres SIGKILL',
  'Postgres SIGTERM',
  'Temporal SIGKILL',
  'Temporal SIGTERM',
  'Postgres link cut',
  'Postgres answer lost',
  'Temporal link cut',
  'Temporal answer lost',
  'receiver link cut',
  'receiver answer lost',
  'publisher answer lost',
  'operator answer lost',
  'signals and SIGKILL',
] as const;
export type RandomKind = (typeof RANDOM_KINDS)[number];
/** Of these the ones that strike the round itself, which publishes and acts as a service and an operator would. */
export const OWN_KINDS = ['publisher answer lost', 'operator answer lost'] as const satisfies RandomKind[];
export type OwnKind = (typeof OWN_KINDS)[number];
export type Kind = Point | RandomKind;
export const KINDS: readonly Kind[] = [...POINTS, ...RANDOM_KINDS];

export const PROCESSES = ['relay', 'worker-a', 'worker-b'] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** What strikes at a point, in turn. After SIGSTOP the process goes on once its leases are over. */
export const POINT_SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const;
export type PointSignal = (typeof POINT_SIGNALS)[number];

/** An operator's act on the obligation of the subscriber with this number, so long after the publish. */
export interface PlannedAct {
  readonly verb: 'pause' | 'resume' | 'terminate';
  readonly subscriber: number;
  readonly atMs: number;
  /** By a signal of Temporal's own tools, and not through our client. */
  readonly bySignal: boolean;
}

export interface Plan {
  readonly round: number;
  readonly kind: Kind;
  readonly point: Point | undefined;
  /** Deliveries in flight: as asked for, unless the point lies on the path of small events or of large ones alone. */
  readonly size: number;
  /** What strikes at a point; a kind at a random time names its own. */
  readonly signal: PointSignal;
  /** Who dies; at a point of the workers: whichever of the two reaches it first. */
  readonly victim: ProcessName;
  /** At the how-manieth time the point is reached. */
  readonly nth: number;
  /** A blow at a random time falls so long after the publish, or after the round's first attempt. */
  readonly afterMs: number;
  readonly fromFirst: boolean;
  readonly acts: readonly PlannedAct[];
}

const isPoint = (kind: Kind): kind is Point => (POINTS as readonly string[]).includes(kind);

/** Reached once for each event, and not once for each obligation. */
const ONCE: readonly Point[] = [
  'relay.taken',
  'relay.matched',
  'relay.fanned-out',
  'relay.started',
  'fanout.matched',
  'fanout.page',
];
/** Only what the relay fans out itself comes past these. */
const SMALL: readonly Point[] = ['relay.matched', 'relay.fanned-out'];
/** From the publish to the last first attempt, on two cores that are busy. */
const BUSY_MS = 3_000;

/**
 * What happens in a round; seed, size and kinds decide it, and no other round does. Points and random times take
 * turns, so that half of all blows fall where no hook is.
 */
export function planOf(seed: number, round: number, asked: number, kinds: readonly Kind[]): Plan {
  const random = randomOf('kill', seed, round);
  const { kind, lap } = kindOf(seed, round, kinds);
  const point = isPoint(kind) ? kind : undefined;
  const size = sizeAt(point, asked);
  const ofRelay = (point ?? kind).startsWith('relay');
  const isHeed = point?.startsWith('heed') ?? false;
  const most =
    point === undefined || ONCE.includes(point) ? 1 : isHeed ? Math.max(1, size / 20) : Math.max(1, size / 5);
  return {
    round,
    kind,
    point,
    size,
    signal: point === undefined ? 'SIGKILL' : signalAt(point, lap),
    victim: ofRelay ? 'relay' : random.pick(['worker-a', 'worker-b'] as const),
    nth: random.whole(1, Math.floor(most)),
    ...blowAt(random),
    acts: isHeed || kind === 'signals and SIGKILL' ? acts(random, size) : [],
  };
}

function sizeAt(point: Point | undefined, asked: number): number {
  if (point !== undefined && SMALL.includes(point)) return Math.min(asked, SMALL_FAN_OUT);
  return point?.startsWith('fanout') ? Math.max(asked, SMALL_FAN_OUT + 1) : asked;
}

/** Each point meets each signal every third time, and neighbours begin with different ones. */
function signalAt(point: Point, lap: number): PointSignal {
  return POINT_SIGNALS[(lap + POINTS.indexOf(point)) % POINT_SIGNALS.length] as PointSignal;
}

/** Two of three times among the attempts, which take about a second; else anywhere from the publish on. */
function blowAt(random: Random): Pick<Plan, 'afterMs' | 'fromFirst'> {
  const fromFirst = random.whole(1, 3) > 1;
  return { fromFirst, afterMs: fromFirst ? random.whole(0, 1_200) : random.whole(100, BUSY_MS) };
}

/** `lap`: how often the kind has come before. */
function kindOf(seed: number, round: number, kinds: readonly Kind[]): { kind: Kind; lap: number } {
  const points = kinds.filter(isPoint);
  const others = kinds.filter((kind) => !isPoint(kind));
  const list = others.length === 0 || (points.length > 0 && round % 2 === 0) ? points : others;
  const place = points.length > 0 && others.length > 0 ? round >> 1 : round;
  const lap = Math.floor(place / list.length);
  return { kind: randomOf('kinds', seed, lap).shuffled(list)[place % list.length] as Kind, lap };
}

/** Some are paused and resumed, some are terminated, some by a signal; never the same one twice. */
function acts(random: ReturnType<typeof randomOf>, size: number): PlannedAct[] {
  const chosen = random.shuffled(Array.from({ length: size }, (_, i) => i)).slice(0, Math.ceil(size / 4));
  return chosen.flatMap((subscriber, i): PlannedAct[] => {
    const atMs = random.whole(0, BUSY_MS);
    const bySignal = i % 3 === 2;
    if (i % 2 === 1) return [{ verb: 'terminate', subscriber, atMs, bySignal }];
    const resumeAtMs = atMs + random.whole(200, BUSY_MS);
    return [
      { verb: 'pause', subscriber, atMs, bySignal },
      { verb: 'resume', subscriber, atMs: resumeAtMs, bySignal: false },
    ];
  });
}
