import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findGo, findPython } from '../../scripts/test-tools.js';
import { parseAllowList } from '../../src/wire/allow-list.js';
import { makeWire, type Verdict, type Wire } from '../../src/wire/send.js';
import { newSecret } from '../../src/wire/sign.js';
import { issue, makeAuthority, type ServerIdentity } from '../support/tls.js';
import { isAbsent } from '../support/tools.js';
import { BODY, deliverTo, type Delivery } from './delivery.js';
import { copyWithEffect } from './effect.js';
import { prepareExample, startExample, type Example, type RunningExample } from './example.js';

/** Go compiles, and all start processes, beside other files' tests. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 300_000 });

const EXAMPLES: readonly [Example, string | undefined][] = [
  ['TypeScript', process.execPath],
  ['Python', findPython()],
  ['Go', findGo()],
];
const secret = newSecret();
const NOT_NOW = { outcome: 'failed', status: 503 };

describe.each(EXAMPLES)(
  'a copy of the %s receiver with an effect (needs its language)',
  (example, program) => {
    let folder: string;
    let identity: ServerIdentity;
    let wire: Wire;
    let command: readonly string[];
    let receiver: RunningExample;
    const skipped = isAbsent(program, example);

    beforeAll(async () => {
      if (skipped) return;
      folder = mkdtempSync(join(tmpdir(), 'waybill-effect-'));
      const authority = await makeAuthority();
      identity = await issue(authority, { hosts: ['127.0.0.1'] });
      wire = makeWire({ allow: parseAllowList('127.0.0.0/8'), extraCa: authority.cert });
      command = await prepareExample(example, program ?? '', folder, copyWithEffect(example, folder));
    });
    afterEach(async () => {
      await receiver?.stop();
      for (const name of ['effects', 'down']) rmSync(join(folder, name), { force: true });
    });
    afterAll(() => {
      if (skipped) return;
      wire.close();
      rmSync(folder, { recursive: true });
    });

    const begin = async (): Promise<void> => {
      receiver = await startExample(command, identity, [secret], join(folder, 'files'));
    };
    const deliver = (delivery: Partial<Delivery> = {}): Promise<Verdict> =>
      deliverTo(wire, receiver.url, { secrets: [secret], ...delivery });
    const file = (name: string): string => join(folder, name);
    /** The keys of the effects so far. */
    const effects = (): string[] => {
      const lines = existsSync(file('effects'))
        ? readFileSync(file('effects'), 'utf8').trim().split('\n')
        : [];
      return lines.map((line) => line.replace(` ${BODY.byteLength}`, ''));
    };

    test.skipIf(skipped)(
      'acts once for each key, with the key and the body, and not on an older one',
      async () => {
        await begin();
        for (const version of [7, 7, 6, 8]) expect(await deliver({ version })).toMatchObject({ status: 204 });
        expect(effects()).toEqual([7, 8].map((version) => `ORDER-42:sub_aB3dE6gH9jK2mN5pQ8sT:${version}`));
      },
    );

    test.skipIf(skipped)(
      'has no effect in a drill, and has one for a shipment that is called drill',
      async () => {
        await begin();
        const drill = (version: number): string => `drill:aZ09_-:sub_aB3dE6gH9jK2mN5pQ8sT:${version}`;
        for (const version of [2, 2, 1])
          expect(await deliver({ key: drill(version) })).toMatchObject({ status: 204 });
        expect(await deliver({ shipment: 'drill' })).toMatchObject({ status: 204 });
        expect(await deliver({ shipment: 'drill:a:b', version: 1 })).toMatchObject({ status: 204 });
        await vi.waitFor(() => expect(receiver.said).toHaveLength(5));
        expect(receiver.said.map(({ duplicate, older }) => [duplicate, older])).toEqual([
          [false, false],
          [true, false],
          [false, true],
          [false, false],
          [false, false],
        ]);
        expect(effects()).toEqual([
          'drill:sub_aB3dE6gH9jK2mN5pQ8sT:7',
          'drill%3Aa%3Ab:sub_aB3dE6gH9jK2mN5pQ8sT:1',
        ]);
      },
    );

    test.skipIf(skipped).each(['ORDER-42', 'SLOW-42'])(
      'where the effect for %s fails it says so, answers 503, and acts when the request comes again',
      async (shipment) => {
        await begin();
        writeFileSync(file('down'), '');
        expect(await deliver({ shipment, version: 8 })).toMatchObject(NOT_NOW);
        await vi.waitFor(() => expect(receiver.complaints()).toContain('the table is locked'));
        if (example === 'Python') expect(receiver.complaints()).toContain('Traceback');
        rmSync(file('down'));
        expect(await deliver({ shipment, version: 7 })).toMatchObject({ status: 204 });
        for (const attempt of [2, 3])
          expect(await deliver({ shipment, version: 8, attempt })).toMatchObject({ status: 204 });
        await vi.waitFor(() => expect(receiver.said).toHaveLength(4));
        const not = { signature: 'valid', duplicate: false, older: false };
        expect(receiver.said).toMatchObject([
          { ...not, status: 503 },
          { ...not, status: 204 },
          { ...not, attempt: 2, status: 204 },
          { ...not, attempt: 3, duplicate: true, status: 204 },
        ]);
        expect(effects().map((key) => key.split(':')[2])).toEqual(['8', '7', '8']);
      },
    );

    test.skipIf(skipped)(
      'a request that comes again while the first is being handled has no effect',
      async () => {
        await begin();
        // The sender's deadline passes, and it comes again.
        expect(await deliver({ shipment: 'SLOW-1', timeoutMs: 500 })).toMatchObject({ class: 'timeout' });
        expect(await deliver({ shipment: 'SLOW-1', attempt: 2 })).toMatchObject(NOT_NOW);
        expect(await deliver({ shipment: 'ORDER-43', attempt: 1 })).toMatchObject({ status: 204 });
        await vi.waitFor(() => expect(receiver.said).toHaveLength(3), { timeout: 10_000 });
        expect(await deliver({ shipment: 'SLOW-1', attempt: 3 })).toMatchObject({ status: 204 });
        await vi.waitFor(() => expect(receiver.said).toHaveLength(4));
        expect(receiver.said.filter(({ key }) => key.startsWith('SLOW'))).toMatchObject([
          { attempt: 2, duplicate: false, status: 503 },
          { attempt: 1, duplicate: false, status: 204 },
          { attempt: 3, duplicate: true, status: 204 },
        ]);
        expect(effects().filter((key) => key.startsWith('SLOW'))).toHaveLength(1);
      },
    );

    test.skipIf(skipped)('of two at once with the same key one acts, and both come to an end', async () => {
      await begin();
      const both = await Promise.all([1, 2].map((attempt) => deliver({ shipment: 'SLOW-2', attempt })));
      expect(both.map(({ status }) => status).sort()).toEqual([204, 503]);
      expect(effects()).toHaveLength(1);
    });
  },
);
