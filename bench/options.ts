import { UsageError, FLAG, TEXT, argsOf, wholeOption } from '../test/support/proof-options.js';

export const BENCHES = ['deliver', 'latency', 'fanout', 'growth', 'idle'] as const;
export type BenchName = (typeof BENCHES)[number];

export const USAGE = `npm run bench -- <name> [options]

Measures Waybill on a stack of its own: Postgres, Temporal's dev server, a worker, a relay and receivers, each a process.
  deliver   deliveries a second and processor time per delivery, against the floor: cpuRatio, throughputRatio
  latency   publish to receipt at a third of the capacity, against the floor's start to activity
  fanout    one event of 180 KB to many subscribers: times, bytes in ledger and histories, memory
  growth    processor time per delivery at 1, 2, 4 and 8 times the work
  idle      what waiting obligations cost: memory, processor time, one more
The floor is a workflow with the same start options and input and one regular activity that does nothing, on a second
queue, run by a worker with the same settings on the same Temporal in the same run; Waybill and floor take turns.
  --size N         deliveries of one measurement: deliver and latency 1000 (latency in all), growth 500 (at 1)
  --repeats N      measurements of each kind; 5 when unset
  --events N       deliver: over so many events they are spread; 10 when unset
  --body-bytes N   payload; 2048 when unset, fanout 184320
  --subscribers N  fanout: 2000 when unset
  --count N        idle: 50000 when unset
  --quiet-s N      idle: how long it is watched while nothing is due; 60 when unset
  --temporal-pids N,N  processes of a Temporal that was started elsewhere on this machine, for its cost
  --json           stdout gets one JSON object with the rows as its last line
  --help           this text
For example: npm run bench -- deliver --size 300 --repeats 3 --json
Where TEMPORAL_ADDRESS is set, that Temporal is used (and TEMPORAL_NAMESPACE, which should serve nobody else meanwhile)
instead of a dev server. Its processor time and memory can't be read then: without --temporal-pids they are null, as is
all that follows from them, and such rows are not judged.
Exit status: 0 as it must be, 1 a row falls short, 2 wrong usage, 130 after Ctrl-C.
`;

export interface Options {
  readonly bench: BenchName;
  readonly size: number;
  readonly repeats: number;
  readonly events: number;
  readonly bodyBytes: number;
  readonly subscribers: number;
  readonly count: number;
  readonly quietS: number;
  readonly temporalPids: readonly number[];
  readonly json: boolean;
  readonly help: boolean;
}

const SIZES: Readonly<Record<BenchName, number>> = {
  ...{ deliver: 1_000, latency: 1_000, fanout: 1, growth: 500, idle: 1 },
};

/** @throws UsageError for a name or option that doesn't exist, has no value or an unusable one. */
export function parseOptions(argv: readonly string[]): Options {
  const [first = '', ...rest] = argv;
  const named = BENCHES.find((name) => name === first);
  const none = `the first word is one of ${BENCHES.join(', ')}`;
  if (!named && !first.startsWith('-')) throw new UsageError(none);
  const values = argsOf(named ? rest : argv, {
    ...{ size: TEXT, repeats: TEXT, events: TEXT, 'body-bytes': TEXT, subscribers: TEXT, count: TEXT },
    ...{ 'quiet-s': TEXT, 'temporal-pids': TEXT, json: FLAG, help: FLAG },
  });
  const help = values.help ?? false;
  if (!named && !help) throw new UsageError(none);
  const bench = named ?? 'deliver';
  return {
    ...{ bench, help, json: values.json ?? false },
    size: wholeOption('size', values.size, SIZES[bench], 1, 1_000_000),
    repeats: wholeOption('repeats', values.repeats, 5, 1, 1_000),
    events: wholeOption('events', values.events, 10, 1, 100_000),
    bodyBytes: wholeOption(
      'body-bytes',
      values['body-bytes'],
      bench === 'fanout' ? 184_320 : 2_048,
      100,
      1_048_576,
    ),
    subscribers: wholeOption('subscribers', values.subscribers, 2_000, 10, 1_000_000),
    count: wholeOption('count', values.count, 50_000, 1, 1_000_000),
    quietS: wholeOption('quiet-s', values['quiet-s'], 60, 1, 3_600),
    temporalPids: (values['temporal-pids']?.split(',') ?? []).map((text) =>
      wholeOption('temporal-pids', text, 0, 1, 2 ** 31),
    ),
  };
}
