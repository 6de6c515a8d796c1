import { randomBytes } from 'node:crypto';
import { newSecret } from '../../src/wire/sign.js';
import { issue, makeAuthority, type ServerIdentity } from '../support/tls.js';
import type { Planted } from './search.js';

/** Everything secret that a run handles, each with its text of this run's own. */
export interface Plant {
  readonly path: string;
  readonly query: string;
  readonly user: string;
  readonly password: string;
  readonly bearer: string;
  readonly basic: string;
  readonly header: string;
  readonly payload: string;
  readonly answer: string;
  readonly signing: string;
  readonly rotated: string;
  /** Of the right form and yet refused. */
  readonly badSecret: string;
  /** Starts no JSON value and is as short as what a JSON parser quotes of its input in a complaint. */
  readonly snippet: string;
  readonly client: ServerIdentity;
  readonly clientCa: string;
}

export async function makePlant(): Promise<Plant> {
  const authority = await makeAuthority('Waybill leaks clients');
  const mark = (name: string): string => `${name}-${randomBytes(9).toString('hex')}`;
  return {
    path: mark('tokenPath'),
    query: mark('tokenQuery'),
    user: mark('urlUser'),
    password: mark('urlPassword'),
    bearer: mark('bearerToken'),
    basic: mark('basicPassword'),
    header: `${mark('header')}/+ é"`.trim(),
    payload: `${mark('payload')}/+ü`,
    answer: `${mark('answer')}/+ü`,
    signing: newSecret(),
    rotated: newSecret(),
    badSecret: `${newSecret()}!`,
    snippet: `x${randomBytes(5).toString('hex').slice(1)}`,
    client: await issue(authority, { hosts: ['client.example'], usage: 'client' }),
    clientCa: authority.cert,
  };
}

/** What to look for. Of a secret its base64 stands for the whole, of a key a line in the middle of its PEM. */
export function plantedOf(plant: Plant): Planted {
  const { client, clientCa: _, signing, rotated, badSecret, ...texts } = plant;
  const keyLine = client.key.split('\n')[2] ?? '';
  if (keyLine.length < 40)
    throw new Error('the PEM of the client key has another form than this proof expects');
  return {
    ...texts,
    signing: signing.slice('whsec_'.length),
    rotated: rotated.slice('whsec_'.length),
    badSecret: badSecret.slice('whsec_'.length),
    clientKey: keyLine,
    basicHeader: Buffer.from(`client:${plant.basic}`).toString('base64'),
  };
}
