import { createHash } from 'node:crypto';
import type { Priority } from '@temporalio/common';
import { eventWorkflowId } from '../contract.js';

/** A fan-out to more takes its turns as one of its own, so that the rest of its account doesn't wait behind it. */
export const OWN_TURNS_ABOVE = 100;
/** Temporal's priorities go from 1 to 5, 3 where nothing is said: what is small goes first. */
const BEHIND = 4;
/** Temporal's limit. */
const KEY_MAX_BYTES = 64;
const DIGEST_CHARS = 32;

/** What an event is to the sharing of turns. */
export interface Turns {
  readonly account: string;
  readonly shipment: string;
  readonly version: number;
  /** Null while nobody has counted. */
  readonly obligations: number | null;
}

/** Temporal deals tasks out in turn among accounts, and large fan-outs: nothing of a shipment can be read in it. */
export function accountTurn(account: string): Priority {
  const plain = `account:${account}`;
  return { fairnessKey: Buffer.byteLength(plain) <= KEY_MAX_BYTES ? plain : `account:${digest(account)}` };
}

/** The turn of one of an event's obligations; its activities have the same. */
export function obligationTurn({ account, shipment, version, obligations }: Turns): Priority {
  if ((obligations ?? 0) <= OWN_TURNS_ABOVE) return accountTurn(account);
  return { priorityKey: BEHIND, fairnessKey: `event:${digest(eventWorkflowId(account, shipment, version))}` };
}

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARS);
