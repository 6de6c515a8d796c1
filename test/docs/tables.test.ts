import { describe, expect, it } from 'vitest';
import { loadConfig, SETTINGS, type Config } from '../../src/config.js';
import {
  CLASSES,
  DISPOSITIONS,
  ERRORS,
  FINAL_DISPOSITIONS,
  OUTCOMES,
  SEARCH_ATTRIBUTES,
} from '../../src/contract.js';
import { backoffMs } from '../../src/policy/backoff.js';
import { classify, STATUS_TABLE } from '../../src/policy/classify.js';
import { decide } from '../../src/policy/decide.js';
import { DEFAULT_POLICY } from '../../src/policy/delivery-policy.js';
import { deliveryHeaders } from '../../src/wire/headers.js';
import { FINDING_KINDS } from '../../src/operate/reconcile/findings.js';
import { fencesOf, read, statusRows, tableOf } from './pages.js';

const DELIVERY = 'docs/delivery.md';
/** Of a request with a content type: those made at once, and those made when the connection stands. */
const HEADERS = [
  ...Object.keys(
    deliveryHeaders({
      ...{ key: 'a:b:1', attempt: 1, eventType: 'a', shipment: 'a', version: 1, bodyBytes: 0 },
      contentType: 'text/plain',
    }),
  ),
  ...['webhook-timestamp', 'webhook-signature'],
];
const firstColumn = (rows: string[][]): (string | undefined)[] => rows.map((row) => row[0]);
const sorted = (words: Iterable<unknown>): unknown[] => [...words].sort();

describe('the page about delivery', () => {
  it('has every disposition, and says which are final', () => {
    const rows = tableOf(DELIVERY, 'disposition', 'meaning');
    expect(sorted(firstColumn(rows))).toEqual(sorted(DISPOSITIONS));
    expect(sorted(firstColumn(rows.filter((row) => row[2] === 'never')))).toEqual(sorted(FINAL_DISPOSITIONS));
  });

  it('draws the same dispositions', () => {
    const [drawing] = fencesOf(DELIVERY).filter((fence) => fence.language === 'mermaid');
    const drawn = new Set(
      [...(drawing?.text ?? '').matchAll(/^\s*(\S+) --> ([^\s:]+)/gm)].flatMap((m) => [m[1], m[2]]),
    );
    drawn.delete('[*]');
    expect(sorted(drawn)).toEqual(sorted(DISPOSITIONS));
  });

  it('says of every outcome what policy makes of it', () => {
    const rows = tableOf(DELIVERY, 'outcome', 'when');
    expect(sorted(firstColumn(rows))).toEqual(sorted(OUTCOMES));
    const at = (tryNumber: number) => ({ tryNumber, uncounted: 0, nowMs: 0, random: 0 });
    for (const outcome of OUTCOMES) {
      const [, , usesTry = '', becomes = ''] = rows.find((row) => row[0] === outcome) ?? [];
      const first = decide(DEFAULT_POLICY, { outcome, class: 'timeout' }, at(1));
      const last = decide(DEFAULT_POLICY, { outcome, class: 'timeout' }, at(DEFAULT_POLICY.maxTries));
      expect([outcome, usesTry]).toEqual([outcome, first.counted ? 'yes' : 'no']);
      expect(becomes.startsWith(first.to), `${outcome} becomes ${becomes}`).toBe(true);
      expect(becomes.includes(last.to), `${outcome} in the end becomes ${becomes}`).toBe(true);
    }
  });

  it('has every class, with outcomes that exist', () => {
    const rows = tableOf(DELIVERY, 'class', 'outcome');
    expect(sorted(firstColumn(rows))).toEqual(sorted(CLASSES));
    const named = new Set(rows.flatMap((row) => (row[1] ?? '').split(' or ')));
    expect(sorted(named)).toEqual(sorted(OUTCOMES));
  });

  it('gives the waits of the default policy', () => {
    const rows = tableOf(DELIVERY, 'after try', 'at least', 'at most');
    const tries = rows.flatMap(([span = '', least = '', most = '']) => {
      const [from = 0, to = from] = span.split(' to ').map(Number);
      return Array.from({ length: to - from + 1 }, (_, i) => ({ n: from + i, least, most }));
    });
    expect(tries.map(({ n }) => n)).toEqual(
      Array.from({ length: DEFAULT_POLICY.maxTries - 1 }, (_, i) => i + 1),
    );
    for (const { n, least, most } of tries) {
      expect([n, ms(least), ms(most)]).toEqual([
        n,
        backoffMs(DEFAULT_POLICY, n, 0),
        backoffMs(DEFAULT_POLICY, n, 1),
      ]);
    }
    const days = (random: number): string =>
      (tries.reduce((sum, { n }) => sum + backoffMs(DEFAULT_POLICY, n, random), 0) / 86_400_000).toFixed(1);
    expect(read(DELIVERY)).toContain(`${DEFAULT_POLICY.maxTries} tries take ${days(0)} to ${days(1)} days`);
  });

  it('gives the default of every policy field', () => {
    const rows = tableOf(DELIVERY, 'policy field', 'default');
    const given = rows.map(([field, value = '']) => [
      field,
      value === 'none' ? {} : /[a-z]/.test(value) ? ms(value) : Number(value),
    ]);
    expect(Object.fromEntries(given)).toEqual(DEFAULT_POLICY);
  });
});

describe('the page about answers', () => {
  const rows = statusRows();

  it('says of every status what the code says', () => {
    for (let status = 0; status <= 999; status += 1) {
      const row = rows.find(({ from, to }) => from <= status && status <= to);
      expect([status, row?.outcome, row?.class]).toEqual([status, ...Object.values(classify(status))]);
    }
  });

  it('has a row for each row of the code, and tells what follows as policy does', () => {
    for (const { from, to } of STATUS_TABLE) {
      const row = rows.find((x) => x.from === from && x.to === to);
      const decision = decide(DEFAULT_POLICY, classify(from), {
        tryNumber: 1,
        uncounted: 0,
        nowMs: 0,
        random: 0,
      });
      const told = {
        ...{ delivered: 'done', waiting: 'tried again later', dead: 'a dead letter at once' },
        shadowed: 'nothing is sent',
      };
      expect(row?.follows.startsWith(told[decision.to]), `${from}: ${row?.follows}`).toBe(true);
    }
  });
});

describe('the page about the subscriber protocol', () => {
  const PROTOCOL = 'docs/subscriber-protocol.md';

  it('has every header of a request', () => {
    const given = firstColumn(tableOf(PROTOCOL, 'header', 'example', 'meaning'));
    expect(sorted(given)).toEqual(sorted([...HEADERS, 'accept-encoding', 'waybill-drill']));
  });

  it('says when each attempt comes by the default policy', () => {
    const rows = tableOf(PROTOCOL, 'attempt', 'earliest', 'latest');
    const comes = (attempt: number, random: number): number =>
      Array.from({ length: attempt - 1 }, (_, i) => backoffMs(DEFAULT_POLICY, i + 1, random)).reduce(
        (sum, wait) => sum + wait,
      );
    for (const [attempt, earliest = '', latest = ''] of rows) {
      const n = Number(attempt);
      expect([n, ms(earliest), ms(latest)]).toEqual([n, comes(n, 0), comes(n, 1)]);
    }
    expect(rows.at(-1)?.[0]).toBe(String(DEFAULT_POLICY.maxTries));
    expect(rows.length).toBeGreaterThan(10);
  });

  it('gives the times and sizes that hold', () => {
    const page = read(PROTOCOL);
    const [, validity = '', window = ''] = /validity and redrive window \((\w+) and (\w+)\)/.exec(page) ?? [];
    expect([ms(validity), ms(window)]).toEqual([DEFAULT_POLICY.validityMs, DEFAULT_POLICY.redriveWindowMs]);
    const [, days] = /Remember ids for (\d+) days/.exec(page) ?? [];
    expect(ms(`${days}d`)).toBeGreaterThan(DEFAULT_POLICY.validityMs + DEFAULT_POLICY.redriveWindowMs);
    expect(page).toContain(`deadline is ${DEFAULT_POLICY.timeoutMs / 1_000}s for everything`);
    expect(page).toContain(`past its validity (${DEFAULT_POLICY.validityMs / 86_400_000}d)`);
  });

  it('says of every status what policy makes of it', () => {
    const rows = tableOf(PROTOCOL, 'you answer', 'what follows');
    const follows = (status: number): string | undefined => {
      const named = rows.find(([which = '']) => which.split(/[^0-9]+/).includes(String(status)));
      const kind = `${String(status)[0]}xx`;
      return (named ?? rows.find(([which = '']) => which.includes(kind)))?.[1];
    };
    const words = { delivered: 'delivered', failed: 'tried again', rejected: 'a dead letter at once' };
    for (let status = 200; status < 600; status += 1) {
      const { outcome } = classify(status);
      const word = words[outcome as keyof typeof words];
      expect(follows(status)?.startsWith(word), `${status}: ${follows(status)}`).toBe(true);
    }
  });
});

describe('the page about operating', () => {
  it('has every kind of finding', () => {
    const rows = tableOf('docs/operating.md', 'kind', 'what is wrong');
    expect(sorted(firstColumn(rows))).toEqual(sorted(FINDING_KINDS));
  });
});

describe('the page about configuration', () => {
  const rows = tableOf('docs/configuration.md', 'variable', 'default');

  it('has every setting, in the same order', () => {
    expect(firstColumn(rows)).toEqual(SETTINGS.map(([name]) => name));
  });

  it('gives the defaults that hold', () => {
    const config = loadConfig({ WAYBILL_DATABASE_URL: 'postgres://localhost/waybill' });
    const fields: Readonly<Record<string, keyof Config>> = {
      WAYBILL_MAX_PAYLOAD_BYTES: 'maxPayloadBytes',
      WAYBILL_POOL_MAX: 'poolMax',
      WAYBILL_LEASE_MARGIN_MS: 'leaseMarginMs',
      WAYBILL_RECONCILE_GRACE_MS: 'reconcileGraceMs',
      WAYBILL_DRAIN_MS: 'drainMs',
      WAYBILL_CONCURRENT_SENDS: 'concurrentSends',
      WAYBILL_CONCURRENT_RETRIES: 'concurrentRetries',
      WAYBILL_FAN_OUT_PER_SECOND: 'fanOutPerSecond',
      WAYBILL_LOG_LEVEL: 'logLevel',
    };
    for (const [variable = '', given = ''] of rows) {
      const field = fields[variable];
      if (field) expect([variable, given]).toEqual([variable, String(config[field])]);
      else expect(['none', 'required', 'host and process id', 'see below']).toContain(given);
    }
  });
});

it('the page about Temporal UI has every search attribute', () => {
  const rows = tableOf('docs/temporal-ui.md', 'search attribute', 'holds');
  expect(sorted(firstColumn(rows))).toEqual(sorted(Object.keys(SEARCH_ATTRIBUTES)));
});

it('the page about operating refuses a redrive with codes that exist', () => {
  for (const code of firstColumn(tableOf('docs/operating.md', 'refused with', 'because'))) {
    expect(Object.keys(ERRORS)).toContain(code);
  }
});

it('the README has every header of a request', () => {
  const given = tableOf('README.md', 'header', 'value').flatMap((row) => (row[0] ?? '').split(', '));
  expect(sorted([...given, 'content-length'])).toEqual(sorted(HEADERS));
});

it('the changelog has this release below what is unreleased', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const headings = [...read('CHANGELOG.md').matchAll(/^## (\S+)/gm)].map((m) => m[1]);
  expect(headings.slice(0, 2)).toEqual(['Unreleased', version]);
});

/** `1h20m` in milliseconds. */
function ms(text: string): number {
  const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };
  return [...text.matchAll(/(\d+)([dhms])/g)].reduce(
    (sum, m) => sum + Number(m[1]) * (units[m[2] ?? ''] ?? NaN),
    0,
  );
}
