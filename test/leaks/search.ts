import Table from 'cli-table3';
/** One output of Waybill, whole. */
export interface Place {
  readonly place: string;
  readonly content: string | Uint8Array;
  /** Planted things that this place holds by right, such as the payload in the table of payloads. */
  readonly holds?: readonly string[];
}

/** Name -> the text that must not be found. */
export type Planted = Readonly<Record<string, string>>;

/** One line of the report: all that was searched of one place. */
export interface Row {
  readonly place: string;
  readonly bytesSearched: number;
  /** `name (spelling)` of each thing found. */
  readonly found: readonly string[];
  readonly ok: boolean;
}

/**
 * The text in every dress it may have been put into. Base64 of a text depends on what stands before it, so there are
 * three of each; their ends, which depend on the neighbours, are left out.
 */
export function spellingsOf(text: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(text);
  const spellings = new Map<string, string>([
    ['raw', text],
    ['URL-encoded', encodeURIComponent(text)],
    [
      'URL-encoded whole',
      [...bytes].map((b) => '%' + b.toString(16).toUpperCase().padStart(2, '0')).join(''),
    ],
    ['hex', bytes.toString('hex')],
    ['HEX', bytes.toString('hex').toUpperCase()],
    ['JSON-escaped', JSON.stringify(text).slice(1, -1)],
    ['JSON-escaped twice', JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1)],
  ]);
  for (const shift of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    spellings.set(`base64 +${shift}`, shifted.toString('base64').slice(4, -4));
    spellings.set(`base64url +${shift}`, shifted.toString('base64url').slice(4, -4));
  }
  return spellings;
}

/** Looks for everything planted, in every spelling, in each place. A place without a byte shows nothing and is red. */
export function search(places: readonly Place[], planted: Planted): Row[] {
  const needles = Object.entries(planted).flatMap(([name, text]) =>
    [...spellingsOf(text)].map(([spelling, needle]) => ({ name, spelling, needle: Buffer.from(needle) })),
  );
  return places.map(({ place, content, holds = [] }) => {
    const hay = Buffer.from(content);
    const found = needles
      .filter(({ name, needle }) => !holds.includes(name) && hay.includes(needle))
      .map(({ name, spelling }) => `${name} (${spelling})`);
    return { place, bytesSearched: hay.byteLength, found, ok: hay.byteLength > 0 && found.length === 0 };
  });
}

/** Whether the searcher sees every planted thing in every spelling where it stands amid other text. */
export function selfTest(planted: Planted): Row {
  const missed: string[] = [];
  let bytesSearched = 0;
  for (const [name, text] of Object.entries(planted)) {
    for (const [spelling, needle] of spellingsOf(text)) {
      const [row] = search([{ place: spelling, content: `{"before":"${needle}","after":1}` }], {
        [name]: text,
      });
      bytesSearched += row?.bytesSearched ?? 0;
      if (!row?.found.includes(`${name} (${spelling})`)) missed.push(`${name} (${spelling})`);
    }
  }
  return {
    place: 'self-test: planted leaks that the search did not see',
    bytesSearched,
    found: missed,
    ok: missed.length === 0,
  };
}

/** For people: a line for each place. */
export function tableOf(rows: readonly Row[]): string {
  const table = new Table({ head: ['place', 'bytes searched', 'found'], style: { head: [], border: [] } });
  for (const row of rows) table.push([row.place, row.bytesSearched, row.found.join('\n') || 'nothing']);
  return table.toString();
}
