import pg from 'pg';
import type { Mutation } from './options.js';

/** Text of an installed function -> what stands there instead. Every text must be found, or the proof proves nothing. */
export type Edits = readonly (readonly [from: string, to: string])[];

export interface FunctionEdit {
  /** Of the function, without its schema. */
  readonly name: string;
  readonly edits: Edits;
}

const MUTATIONS: Readonly<Record<Mutation, FunctionEdit>> = {
  // Everybody who asks may send: no look at lease, final state, pause, wait, cool-down or concurrency.
  'claim-always-go': {
    name: 'claim',
    edits: [
      ['IF o.lease_attempt IS NOT NULL THEN', 'IF false THEN'],
      ['o := end_if_moot(o, v_now);', ''],
      ["IF v_standing ->> 'is' IN ('over', 'dead') THEN", 'IF false THEN'],
      [
        'ELSIF p_rounds[i] < o.round OR (p_rounds[i] = o.round AND p_tries[i] <= o.try) THEN',
        'ELSIF false THEN',
      ],
      ["ELSIF v_standing ->> 'is' <> 'due' THEN", 'ELSIF false THEN'],
      ['IF v_reason IS NOT NULL THEN', 'IF false THEN'],
    ],
  },
  // Whatever an attempt came to, nothing is put on record.
  'settle-dropped': {
    name: 'settle',
    edits: [
      [
        "v_attempt := (i ->> 'attempt')::int;",
        "answer := jsonb_build_object('answer', 'settled', 'standing', standing_of(o, g, v_now)); RETURN NEXT; CONTINUE;",
      ],
    ],
  },
};

export const mutate = (adminUrl: string, mutation: Mutation): Promise<void> =>
  editFunction(adminUrl, MUTATIONS[mutation]);

/**
 * Breaks a function of the ledger, with the owner's rights, by editing the installed one: the mutation is of the code as
 * it is. There is no way back: the database must be one that is thrown away.
 */
export async function editFunction(adminUrl: string, { name, edits }: FunctionEdit): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ code: string }>(
      `SELECT pg_get_functiondef(oid) AS code FROM pg_proc
        WHERE pronamespace = 'waybill'::regnamespace AND proname = $1`,
      [name],
    );
    let code = rows[0]?.code ?? '';
    for (const [from, to] of edits) {
      if (!code.includes(from)) throw new Error(`mutation of ${name}: it no longer says: ${from}`);
      code = code.replace(from, () => to);
    }
    await client.query(code);
  } finally {
    await client.end();
  }
}
