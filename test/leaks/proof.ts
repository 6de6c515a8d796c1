import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { Client, Connection } from '@temporalio/client';
import { buildWorkflowBundle } from '../../scripts/build-workflow-bundle.js';
import { freePorts } from '../../scripts/stack/ports.js';
import { startStack } from '../../scripts/stack/stack.js';
import { makeProgram } from '../../src/cli/program.js';
import { WaybillClient } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { makePool } from '../../src/ledger/pool.js';
import { headersContext, makeSealer, parseKeys } from '../../src/wire/seal.js';
import { buildOnce } from '../kill/build.js';
import { ask, openTroupe } from '../kill/troupe.js';
import { makeAuthority } from '../support/tls.js';
import { commandsFor, openCli } from './commands.js';
import { placeOfLogs, placeOfWire, placesOfDatabase, placesOfTemporal } from './collect.js';
import { FORBIDDEN, openEndpoints } from './endpoints.js';
import type { Options } from './options.js';
import { makePlant, plantedOf, type Plant } from './planted.js';
import { search, selfTest, type Place, type Row } from './search.js';

export interface Report {
  readonly verdict: 'green' | 'red';
  readonly reasons: readonly string[];
  readonly rows: readonly Row[];
  /** How each delivery ended, by the name of its endpoint. */
  readonly classes: Readonly<Record<string, string | null>>;
  readonly workflows: number;
  readonly short: boolean;
  readonly seconds: number;
}

interface ProofOptions extends Pick<Options, 'leak' | 'short'> {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const SHIPMENT = 'LEAKS-1';
const PATIENCE_MS = 180_000;
/** The folder of this proof in that of the stack. */
const OWN = 'leaks';
/** One for each way a secret takes: header, bearer, basic, client certificate, Location, unusable texts, a crash. */
const SHORT = ['500', '401', '302', 'mutual', 'crash', 'spoilt', 'unsealed'];

/** Plants secrets, makes deliveries fail in every way, and looks for the secrets in whatever was put out. */
export async function prove({ dataDir, signal, say, leak, short }: ProofOptions): Promise<Report> {
  const startedAtMs = performance.now();
  const plant = await makePlant();
  const authority = await makeAuthority('Waybill leaks root');
  const stack = await startStack({
    fresh: true,
    ui: false,
    durable: false,
    dataDir,
    signal,
    onProgress: say,
  });
  const folder = join(stack.dataDir, OWN);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  const troupe = openTroupe(logs);
  const closers: (() => Promise<unknown>)[] = [() => stack.stop(), () => troupe.stop()];
  try {
    const endpoints = await openEndpoints(authority, plant);
    closers.push(() => endpoints.close());
    const subscribers = endpoints.subscribers.filter(({ name }) => !short || SHORT.includes(name));
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, authority.cert);
    const env = {
      ...stack.env,
      WAYBILL_ALLOW: '127.0.0.1',
      WAYBILL_EXTRA_CA_FILE: caFile,
      WAYBILL_LEASE_MARGIN_MS: '1000',
      WAYBILL_LOG_LEVEL: 'trace',
    };
    const clientEnv = { ...env, WAYBILL_ALLOW: `127.0.0.1,${FORBIDDEN}` };
    const client = new WaybillClient({ config: loadConfig(clientEnv), actor: 'proof' });
    const admin = makePool({ url: stack.adminUrl, max: 2 });
    closers.push(
      () => client.close(),
      () => admin.end(),
    );

    const program = buildOnce(join(folder, 'build'), 'test/kill/worker.ts');
    const bundle = join(folder, 'workflow-bundle.js');
    await buildWorkflowBundle(bundle);
    const [port] = (await freePorts(1)) as [number];
    const start = () =>
      troupe.start('worker', [program, 'relay,obligations,sends', bundle], port, {
        ...env,
        WAYBILL_KILL_PORT: String(port),
      });
    let worker = await start();

    say('adding subscribers');
    const ids: Record<string, string> = {};
    for (const { expect: _, ...input } of subscribers) {
      ids[input.name] = (await client.addSubscriber(input)).subscriber.id;
    }
    const keys = parseKeys(stack.env['WAYBILL_KEYS'] ?? '');
    const spoilt = makeSealer(keys).seal(
      JSON.stringify({ 'x-key': `${plant.header}\r\nx: y` }),
      headersContext(ids['spoilt'] ?? ''),
    );
    const alien = makeSealer(parseKeys(`lost:${Buffer.alloc(32, 3).toString('base64')}`));
    const set = 'UPDATE waybill.subscribers SET headers_sealed = $2 WHERE id = $1';
    await admin.query(set, [ids['spoilt'], spoilt]);
    await admin.query(set, [ids['unsealed'], alien.seal('{}', headersContext(ids['unsealed'] ?? ''))]);

    say('one worker dies in mid request, the next makes all deliveries fail as they should');
    await ask(port, 'arm', { point: 'wire.body-sent', nth: 2, signal: 'SIGKILL' });
    await client.publish({ shipment: SHIPMENT, version: 1, type: 'shipment.late', payload: plant.payload });
    await Promise.race([worker.exited, delay(PATIENCE_MS, undefined, { ref: false })]);
    if (worker.isAlive()) throw new Error('the worker did not reach the point at which it was to die');
    worker = await start();
    const expected = Object.fromEntries(subscribers.map((s) => [s.name, s.expect]));
    const rows = await settled(client, expected);
    const crashed = await admin.query(`SELECT FROM waybill.attempt_outcomes WHERE class = 'worker_crash'`);

    const errors = await refusals(client, plant);

    say('asking every command');
    const cli = openCli(join(folder, 'build', 'src', 'cli.js'), { ...clientEnv, WAYBILL_ACTOR: 'proof' });
    const rotated = await client.rotateSecret(
      '302',
      { actor: 'proof', reason: 'proof' },
      { secret: plant.rotated },
    );
    const [, overlapping] = await client.secrets('302');
    const commands = commandsFor(
      {
        ...{ subscriber: '302', removable: '401', shipment: SHIPMENT },
        secretId: overlapping?.id ?? rotated.secretId ?? '',
        keys: rows.slice(0, short ? 1 : rows.length).map((row) => row.key),
      },
      plant,
      folder,
    );
    const texts: string[] = [];
    const jsons: string[] = [];
    for (const [i, command] of commands.entries()) {
      signal.throwIfAborted();
      if (!short || i % 2 === 0) texts.push(await cli(...command));
      if (!short || i % 2 === 1) jsons.push(await cli(...command, '--json'));
    }

    say('searching');
    const traces = await Promise.all(rows.map((row) => client.trace(row.key)));
    const connection = await Connection.connect({ address: stack.temporalAddress ?? '' });
    closers.push(() => connection.close());
    const { places: histories, workflows } = await placesOfTemporal(new Client({ connection }));
    await troupe.stop();
    if (leak) appendFileSync(join(logs, 'worker.log'), `{"leaked":"${encodeURIComponent(plant.payload)}"}\n`);
    const places: Place[] = [
      placeOfLogs('logs of workers, level trace', logs),
      { place: 'logs of Postgres and Temporal', content: serverLogs(stack.dataDir) },
      { place: 'CLI, as text', content: texts.join('\n') },
      { place: 'CLI, as JSON', content: jsons.join('\n') },
      { place: 'errors of the client', content: errors },
      {
        place: 'answers of the client',
        content: JSON.stringify([traces, await client.subscribers('', 1000), await client.secrets('302')]),
      },
      ...histories,
      ...(await placesOfDatabase(admin)),
      placeOfWire(endpoints.requests()),
    ];
    const planted = plantedOf(plant);
    const all = [...search(places, planted), selfTest(planted)];
    const classes = Object.fromEntries(rows.map((row) => [row.subscriberName, row.lastClass]));
    const reasons = [
      ...all
        .filter((row) => !row.ok)
        .map((row) => `${row.place}: ${row.found.join(', ') || 'nothing was searched'}`),
      ...Object.entries(expected)
        .filter(([name, wanted]) => classes[name] !== wanted)
        .map(([name, wanted]) => `${name} came to ${classes[name] ?? 'nothing'} and not to ${wanted}`),
      ...(crashed.rowCount ? [] : ['no attempt was cut off by the death of its worker']),
      ...(workflows >= subscribers.length ? [] : [`only ${workflows} workflows were found`]),
      ...(await uncovered(commands)),
    ];
    return {
      ...{ reasons, rows: all, classes, workflows, short },
      verdict: reasons.length === 0 ? 'green' : 'red',
      seconds: Math.round((performance.now() - startedAtMs) / 1000),
    };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** Waits until each has come to what it must come to, or can't any more; answers how they stand. */
async function settled(client: WaybillClient, expected: Readonly<Record<string, string>>) {
  let rows = await client.find({ shipment: SHIPMENT });
  const standing = () => rows.filter((row) => row.lastClass === expected[row.subscriberName]).length;
  const untilMs = performance.now() + PATIENCE_MS;
  while (standing() < Object.keys(expected).length && performance.now() < untilMs) {
    await delay(200);
    rows = await client.find({ shipment: SHIPMENT });
  }
  return rows;
}

/** What the client says to unusable input that holds secrets. */
async function refusals(client: WaybillClient, plant: Plant): Promise<string> {
  const tail = `${plant.path}?key=${plant.query}`;
  const good = { name: 'x', url: `https://127.0.0.1:9/${tail}` };
  const event = { shipment: SHIPMENT, version: 1, type: 'shipment.late', payload: plant.payload };
  const asked = await Promise.allSettled([
    client.addSubscriber({ ...good, url: `https://${plant.user}:${plant.password}@127.0.0.1/${tail}` }),
    client.addSubscriber({ ...good, url: `https://10.0.0.1/${tail}` }),
    client.addSubscriber({ ...good, url: `http:// ${tail}` }),
    client.addSubscriber({ ...good, secret: plant.badSecret }),
    client.addSubscriber({ ...good, headers: { [`x ${plant.header}`]: 'v' } }),
    client.addSubscriber({ ...good, headers: { host: plant.header } }),
    client.addSubscriber({ ...good, headers: { 'x-key': `${plant.header}\n` } }),
    client.addSubscriber({ ...good, auth: { type: 'basic', username: 'a:b', password: plant.basic } }),
    client.addSubscriber({ ...good, auth: { type: 'bearer', token: `${plant.bearer}\n` } }),
    client.addSubscriber({ ...good, tls: { cert: plant.clientCa, key: plant.client.key } }),
    client.addSubscriber({ ...good, tls: { ca: plant.client.key } }),
    client.publish({ ...event, payload: `${plant.payload} ` }),
    client.publish({ ...event, type: 'a b' }),
    client.publish({ ...event, version: 1.5 }),
  ]);
  return asked
    .map((answer, i) => {
      if (answer.status === 'fulfilled') throw new Error(`refusal ${i + 1} was none`);
      const error = answer.reason as Error;
      return [JSON.stringify(error), String(error), error.stack, JSON.stringify(error.cause)].join('\n');
    })
    .join('\n');
}

const serverLogs = (dataDir: string): Uint8Array =>
  Buffer.from(placeOfLogs('', dataDir, OWN).content as Uint8Array);

/** Commands that this run didn't ask: whoever adds one adds it here, too. */
async function uncovered(commands: readonly (readonly string[])[]): Promise<string[]> {
  const leaves = (command: Command, path: string[]): string[][] =>
    command.commands.length === 0
      ? [path]
      : command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
  return leaves(await makeProgram('all'), [])
    .filter((path) => path[0] !== 'worker') // its output is the log
    .filter((path) => !commands.some((command) => path.every((word, i) => command[i] === word)))
    .map((path) => `the command ${path.join(' ')} was not asked`);
}
