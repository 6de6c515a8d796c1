import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plant } from './planted.js';

/** Runs the CLI and answers all that it wrote, also where it failed. */
export type Cli = (...args: readonly string[]) => Promise<string>;

const LIMIT_MS = 120_000;

/** With stacks of unexpected errors shown: they are output, too. */
export const openCli =
  (program: string, env: Readonly<Record<string, string>>): Cli =>
  (...args) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...args], {
        env: { ...process.env, ...env, WAYBILL_DEBUG: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: LIMIT_MS,
      });
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
      child.on('error', reject);
      child.on('close', (code, signal) => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (signal) reject(new Error(`waybill ${args[0]} ended with ${signal}`));
        else resolve(`$ waybill ${args.join(' ')}\n${text}\n-> ${code}\n`);
      });
    });

export interface Subjects {
  readonly subscriber: string;
  readonly removable: string;
  readonly secretId: string;
  readonly keys: readonly string[];
  readonly shipment: string;
}

/** Files whose names the commands are given, since no secret is an argument. */
function filesOf(folder: string, plant: Plant, key: string) {
  const write = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const at = new Date().toISOString();
  const url = `https://127.0.0.1:9/${plant.path}?key=${plant.query}`;
  return {
    secret: write('secret', plant.rotated),
    badSecret: write('bad-secret', plant.badSecret),
    headers: write('headers.json', JSON.stringify({ 'x-key': plant.header })),
    brokenJson: write('broken.json', `{"x-key": ${plant.header}`),
    brokenLine: write('broken.ndjson', `{"name":"broken","secret":${plant.snippet}`),
    reserved: write('reserved.json', JSON.stringify({ 'webhook-id': plant.header })),
    lineBreak: write('line-break.json', JSON.stringify({ 'x-key': `${plant.header}\r\nx: y` })),
    auth: write('auth.json', JSON.stringify({ type: 'bearer', token: plant.bearer })),
    badAuth: write('bad-auth.json', JSON.stringify({ type: 'bearer', token: `${plant.bearer} é` })),
    cert: write('cert.pem', plant.client.cert),
    key: write('key.pem', plant.client.key),
    badKey: write('bad-key.pem', plant.client.key.slice(0, -60)),
    payload: write('payload.json', JSON.stringify({ p: plant.payload })),
    journal: write(
      'journal.ndjson',
      `${JSON.stringify({ at, key, attempt: 1, bodySha256: null, status: 200, body: plant.payload })}\n`,
    ),
    lines: write(
      'lines.ndjson',
      `${JSON.stringify({ name: 'imported', url, secret: plant.rotated, headers: { 'x-key': plant.header } })}\n` +
        `${JSON.stringify({ name: 'bad', url, secret: plant.badSecret })}\n`,
    ),
  };
}

/** Every command with all that it can be asked about these subjects; those that must fail among them. */
export function commandsFor(
  subjects: Subjects,
  plant: Plant,
  folder: string,
): readonly (readonly string[])[] {
  const { subscriber, removable, secretId, keys, shipment } = subjects;
  const [key = ''] = keys;
  const files = filesOf(folder, plant, key);
  const why = ['--reason', 'proof'];
  const add = (name: string, ...rest: string[]) => [
    'subscriber',
    'add',
    name,
    'https://127.0.0.1:9/x',
    ...rest,
  ];
  const own = ['--headers-file', files.headers, '--auth-file', files.auth];
  return [
    ['doctor'],
    ['setup'],
    ['subscriber', 'list'],
    ['subscriber', 'show', subscriber],
    add('fresh', '--secret-file', files.secret, ...own, '--tls-cert', files.cert, '--tls-key', files.key),
    ...[files.brokenJson, files.reserved, files.lineBreak].map((file) => add('x', '--headers-file', file)),
    add('x', '--auth-file', files.badAuth),
    add('x', '--auth-file', files.brokenJson),
    add('x', '--secret-file', files.badSecret),
    add('x', '--secret-file', files.key),
    add('x', '--tls-cert', files.cert, '--tls-key', files.badKey),
    add('x', '--tls-ca', files.key),
    ['subscriber', 'update', subscriber, ...own],
    ['subscriber', 'update', subscriber, '--headers-file', files.brokenJson],
    ['subscriber', 'import', files.lines],
    ['subscriber', 'import', files.brokenLine],
    ['subscriber', 'secret', 'list', subscriber],
    ['subscriber', 'secret', 'rotate', subscriber, '--secret-file', files.secret, ...why],
    ['subscriber', 'secret', 'rotate', subscriber, '--secret-file', files.badSecret, ...why],
    ['subscriber', 'secret', 'revoke', secretId, ...why],
    ['subscriber', 'pause', subscriber, ...why],
    ['subscriber', 'resume', subscriber, ...why],
    ['subscriber', 'remove', removable, ...why],
    ['publish', shipment, '1', '--type', 'shipment.late', '--file', files.payload],
    ['publish', `${shipment} more`, '-1', '--type', 'shipment.late', '--file', files.payload],
    add('paced', '--rate', '5', '--order', 'serialize', '--mode', 'shadow'),
    ['cohort', 'add', 'canary', '--max-subscribers', '1'],
    ['subscriber', 'update', subscriber, '--cohort', 'canary'],
    ['cohort', 'update', 'canary', '--max-subscribers', 'none'],
    ...['off', 'on', 'pause', 'resume'].map((verb) => ['cohort', verb, 'canary', ...why]),
    ['cohort', 'list'],
    ['cohort', 'show', 'canary'],
    ['account', 'pause', ...why],
    ['account', 'show'],
    ['account', 'resume', ...why],
    ['trace', '--shipment', shipment, '--version', '1'],
    ['dead', 'list'],
    ['trace', '--shipment', shipment],
    ...keys.map((one) => ['trace', one]),
    ['pause', key, ...why],
    ['resume', key, ...why],
    ['redrive', key, ...why],
    ['terminate', key, ...why],
    ['reconcile', '--dry-run'],
    ['compare', '--journal', files.journal, '--shipment', shipment],
    ['compare', '--journal', files.brokenJson],
    ['subscriber', 'certify', subscriber],
    // Unusable, since a usable one runs until it is told to end; what it then writes is what its journal holds.
    ['receiver', '--cert', files.cert, '--key', files.badKey, '--secret-file', files.secret],
    ['receiver', '--cert', files.cert, '--key', files.key, '--secret-file', files.badSecret],
  ];
}
