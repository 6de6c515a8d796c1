import { judgeAddress, judgeUrl } from '../../../src/wire/address-guard.js';
import { parseAllowList } from '../../../src/wire/allow-list.js';
import type { Resolver } from '../../../src/wire/resolve.js';
import { ALLOW_CASES, RESOLVER_CASES, type ResolverCase } from './cases-answers.js';
import { PUBLIC, RANGES4, RANGES6, UNREADABLE } from './cases-ranges.js';
import { URL_CASES } from './cases-urls.js';
import { HOST, inWords, type Case, type Stage } from './stage.js';

const MALFORMED = ['url_malformed', 'url_too_long'];
/** What keeps a send that passes the guard from dialling the public internet: it was called off beforehand. */
const CALLED_OFF = AbortSignal.abort();
const never: Resolver = () => Promise.reject(new Error('nothing is to be resolved here'));
const family = (address: string): number => (address.includes(':') ? 6 : 4);

/** Spellings: the verdict at saving and at sending must be the same, and nothing refused may be dialled. */
export function spellingCases(stage: Stage): Case[] {
  return URL_CASES.map(([text, refusedAs, normal = '']): Case => {
    const url = text.replaceAll('TRAP', String(stage.ready.trap));
    const sent = MALFORMED.includes(refusedAs ?? '')
      ? 'blocked configuration'
      : `blocked address_policy ${refusedAs}`;
    return {
      kind: 'spelling',
      name: JSON.stringify(shortened(text)),
      input: shortened(url),
      expected: refusedAs === null ? `${normal}; cancelled called_off` : `${refusedAs}; ${sent}`,
      play: async () => {
        const saved = judgeUrl(url, stage.nothing);
        const request = stage.request(
          url,
          refusedAs === null ? { signal: CALLED_OFF } : { timeoutMs: 2_000 },
        );
        const verdict = await stage.guarded(never).send(request);
        return `${saved.ok ? saved.url.href : saved.reason}; ${inWords(verdict)}`;
      },
    };
  });
}

/** Each edge of each range: as a literal in a URL at saving, and as what a name resolves to at sending. */
export function rangeCases(stage: Stage): Case[] {
  const edges = [...RANGES4, ...RANGES6].flatMap(({ what, cidr, first, last, before, after }) => [
    ...(before === undefined ? [] : [{ name: `${what} ${cidr}: before`, address: before, open: true }]),
    { name: `${what} ${cidr}: first`, address: first, open: false },
    { name: `${what} ${cidr}: last`, address: last, open: false },
    ...(after === undefined ? [] : [{ name: `${what} ${cidr}: after`, address: after, open: true }]),
  ]);
  const open = PUBLIC.map((address) => ({ name: `public: ${address}`, address, open: true }));
  const unreadable = UNREADABLE.map((text): Case => {
    return {
      ...{ kind: 'range', name: `unreadable: ${JSON.stringify(text)}`, input: text },
      expected: 'address_unparsable; blocked address_policy address_unparsable',
      play: async () => {
        const judged = judgeAddress(text, stage.nothing);
        return `${judged.ok ? 'public' : judged.reason}; ${await resolvedTo(stage, text)}`;
      },
    };
  });
  return [
    ...[...edges, ...open].map(({ name, address, open: isOpen }): Case => {
      return {
        ...{ kind: 'range', name, input: address },
        expected: isOpen
          ? 'public; public; public'
          : 'special; special; blocked address_policy address_not_public',
        play: async () => {
          const literal = family(address) === 6 ? `[${address}]` : address;
          const saved = judgeUrl(`https://${literal}/`, stage.nothing);
          const direct = judgeAddress(address, stage.nothing);
          const words = [saved.ok, direct.ok].map((ok) => (ok ? 'public' : 'special'));
          // What is public isn't dialled: that the guard would hand it out is seen without.
          return [...words, isOpen ? await handedOut(stage, address) : await resolvedTo(stage, address)].join(
            '; ',
          );
        },
      };
    }),
    ...unreadable,
  ];
}

async function resolvedTo(stage: Stage, address: string): Promise<string> {
  const wire = stage.guarded(() => Promise.resolve([{ address, family: family(address) }]));
  return inWords(
    await wire.send(stage.request(`https://${HOST}:${stage.ready.trap}/`, { timeoutMs: 2_000 })),
  );
}

/** A second, unusable answer keeps the send from dialling; the refusal then is for that one and not for the first. */
async function handedOut(stage: Stage, address: string): Promise<string> {
  const answers = [address, 'unusable'].map((text) => ({ address: text, family: family(text) }));
  const wire = stage.guarded(() => Promise.resolve(answers));
  const words = inWords(await wire.send(stage.request(`https://${HOST}/`, { timeoutMs: 2_000 })));
  return words === 'blocked address_policy address_unparsable' ? 'public' : words;
}

export function resolverCases(stage: Stage): Case[] {
  return RESOLVER_CASES.map((one): Case => {
    return {
      kind: 'resolver',
      name: one.name,
      input: one.answers
        .map((answer) => (answer instanceof Error ? answer.message : shortened(answer.join(' '))))
        .join(' | '),
      expected: one.expected.join('; '),
      mayDial: ['127.0.0.1', ...(one.allow === HOST ? ['127.0.0.2'] : [])],
      play: async () => {
        const wire = stage.wire(answering(one), one.allow ?? '');
        const head = one.closing ? 'HTTP/1.1 200 OK\r\nconnection: close' : 'HTTP/1.1 200 OK';
        const url = `https://${HOST}:${stage.ready.port}/answer/${encodeURIComponent(btoa(head))}`;
        const got: string[] = [];
        for (const _ of one.expected) got.push(inWords(await wire.send(stage.request(url))));
        return got.join('; ');
      },
    };
  });
}

function answering({ answers }: ResolverCase): Resolver {
  let asked = 0;
  return () => {
    const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve(answer.map((address) => ({ address, family: family(address) })));
  };
}

export function allowCases(): Case[] {
  return ALLOW_CASES.map(([list, url, refusedAs]): Case => {
    return {
      kind: 'allow-list',
      name: url === '' ? JSON.stringify(list) : `${JSON.stringify(list)} and ${url}`,
      input: `${list} ${url}`,
      expected: refusedAs ?? 'let through',
      play: () => {
        if (refusedAs === 'unusable') {
          try {
            parseAllowList(list);
            return 'taken';
          } catch (error) {
            return (error as Error).message.includes(`"${list}"`) ? 'unusable' : 'unusable, unnamed';
          }
        }
        const judged = judgeUrl(url, parseAllowList(list));
        return judged.ok ? 'let through' : judged.reason;
      },
    };
  });
}

export const shortened = (text: string): string =>
  text.length > 120 ? `${text.slice(0, 100)}… (${text.length})` : text;
