import fc from 'fast-check';
import { parseRetryAfter } from '../../../src/policy/retry-after.js';
import { expectedOf, HEADER_CASES, REDIRECT_CASES, RETRY_AFTER_CASES } from './cases-answers.js';
import { CONDUCTS, HANDSHAKES } from './conduct.js';
import { shortened } from './guard-cases.js';
import type { Options } from './options.js';
import { PROPERTIES } from './properties.js';
import { HOST, inWords, timed, type Case, type Stage } from './stage.js';

const LOCAL = ['127.0.0.1'];
/** Of those that are answered only by the deadline. */
const SHORT_MS = 400;
const AMPLE_MS = 20_000;
const LARGE = new Uint8Array(64 * 1_048_576);
const NOW_MS = Date.UTC(2026, 10, 30, 14, 41, 23);

export function statusCases(stage: Stage): Case[] {
  const wire = stage.wire();
  return Array.from({ length: 400 }, (_, i) => 200 + i).map((status): Case => {
    const url = `https://${HOST}:${stage.ready.port}/status/${status}`;
    return {
      ...{ kind: 'status', name: String(status), input: `HTTP/1.1 ${status}`, mayDial: LOCAL },
      expected: expectedOf(status),
      play: () => timed(wire, stage.request(url)),
    };
  });
}

const answering = (stage: Stage, head: string): string =>
  `https://${HOST}:${stage.ready.port}/answer/${encodeURIComponent(Buffer.from(head, 'latin1').toString('base64'))}`;

/** One request for each, whatever its Location says; and nothing of that but an origin is told. */
export function redirectCases(stage: Stage): Case[] {
  return REDIRECT_CASES.map(([status, to, shown]): Case => {
    const fill = (text: string): string =>
      text.replace('TRAP', String(stage.ready.trap)).replace('ORIGIN', `https://${HOST}:${stage.ready.port}`);
    const head = `HTTP/1.1 ${status} Odd${to === null ? '' : `\r\nlocation: ${fill(to)}`}`;
    return {
      ...{ kind: 'redirect', name: `${status} to ${to ?? 'nowhere'}`, input: head, mayDial: LOCAL },
      expected: `failed redirect ${status}; ${shown === null ? 'not shown' : fill(shown)}; 1 request`,
      play: async () => {
        const before = await stage.seen();
        const verdict = await stage.wire().send(stage.request(answering(stage, head)));
        const { requests } = await stage.seen();
        const secret = JSON.stringify(verdict).includes('T1') ? ', and more' : '';
        return `${inWords(verdict)}; ${verdict.location ?? 'not shown'}${secret}; ${requests - before.requests} request`;
      },
    };
  });
}

export function retryAfterCases(stage: Stage): Case[] {
  const wire = stage.wire();
  return RETRY_AFTER_CASES.map(([raw, waitMs, cut]): Case => {
    return {
      ...{ kind: 'retry-after', name: JSON.stringify(shortened(raw)), input: shortened(raw), mayDial: LOCAL },
      expected: waitMs === null ? 'not obeyed' : `${waitMs} ms${cut ? ', cut' : ''}`,
      play: async () => {
        const head = `HTTP/1.1 503 Busy\r\nretry-after: ${raw}`;
        const verdict = await wire.send(stage.request(answering(stage, head)));
        if (verdict.class !== 'server_error') return inWords(verdict);
        const wait = parseRetryAfter(verdict.retryAfter ?? '', NOW_MS);
        return wait ? `${wait.waitMs} ms${wait.clamped ? ', cut' : ''}` : 'not obeyed';
      },
    };
  });
}

export function receiverCases(stage: Stage): Case[] {
  return CONDUCTS.map((conduct, i): Case => {
    const url = `https://${HOST}:${stage.ready.port}/conduct/${i}`;
    const expected = [conduct.expected, ...(conduct.then ?? [])];
    // A head that is followed by silence, too, takes until the deadline.
    const timeoutMs = conduct.silent ? SHORT_MS : AMPLE_MS;
    return {
      ...{ kind: 'receiver', name: conduct.name, input: `/conduct/${i}`, mayDial: LOCAL },
      expected: `${expected.join('; ')}; ${expected.length} requests`,
      play: async () => {
        const wire = stage.wire();
        const before = await stage.seen();
        const got: string[] = [];
        let lateMs = 0;
        const body = conduct.largeBody ? { body: LARGE } : {};
        for (const _ of expected) {
          const one = await timed(wire, stage.request(url, { timeoutMs, ...body }));
          got.push(one.got);
          lateMs = Math.max(lateMs, one.lateMs);
        }
        const { requests } = await stage.seen();
        return { got: `${got.join('; ')}; ${requests - before.requests} requests`, lateMs };
      },
    };
  });
}

export function handshakeCases(stage: Stage): Case[] {
  return HANDSHAKES.map(({ name, expected }, i): Case => {
    const url = `https://${HOST}:${stage.ready.handshakes[i]}/`;
    const timeoutMs = expected.endsWith('timeout') ? SHORT_MS : AMPLE_MS;
    return {
      ...{ kind: 'handshake', name, input: url, expected, mayDial: LOCAL },
      play: () => timed(stage.wire(), stage.request(url, { timeoutMs })),
    };
  });
}

/** With a faulty certificate no request may arrive. */
export function certificateCases(stage: Stage): Case[] {
  return stage.ready.certificates.map(({ name, expected, host, port }): Case => {
    const url = `https://${host}:${port}/`;
    return {
      ...{ kind: 'certificate', name, input: url, mayDial: LOCAL },
      expected: `${expected}; ${expected.startsWith('delivered') ? 1 : 0} requests`,
      play: async () => {
        const before = await stage.seen();
        const { got, lateMs } = await timed(stage.wire(), stage.request(url));
        return { got: `${got}; ${(await stage.seen()).requests - before.requests} requests`, lateMs };
      },
    };
  });
}

export function headerCases(stage: Stage): Case[] {
  const wire = stage.wire();
  return HEADER_CASES.map(([name, headers, expected]): Case => {
    const url = `https://${HOST}:${stage.ready.port}/`;
    return {
      ...{ kind: 'header', name, input: shortened(JSON.stringify(headers)), mayDial: LOCAL },
      expected: `${expected}; ${expected.startsWith('delivered') ? 1 : 0} requests`,
      play: async () => {
        const before = await stage.seen();
        const request = stage.request(url, { headers: headers as Record<string, string> });
        const { got, lateMs } = await timed(wire, request);
        return { got: `${got}; ${(await stage.seen()).requests - before.requests} requests`, lateMs };
      },
    };
  });
}

export function propertyCases(stage: Stage, { runs, seed }: Options): Case[] {
  return PROPERTIES.map(({ name, holds }): Case => {
    return {
      ...{ kind: 'property', name, input: `${runs} made up, seed ${seed}`, expected: `held ${runs} times` },
      play: async () => {
        const result = await fc.check(holds(stage.nothing), { numRuns: runs, seed });
        if (!result.failed) return `held ${result.numRuns} times`;
        const error = result.errorInstance instanceof Error ? result.errorInstance.message : '';
        return `failed for ${JSON.stringify(result.counterexample)}: ${error}`;
      },
    };
  });
}
