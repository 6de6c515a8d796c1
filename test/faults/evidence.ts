import { readJournal } from '../../demo/journal.js';
import { withClient, type Scene } from './scene.js';
import type { Trial } from './trial.js';

/** What the ledger and the receiver's journal say of one trial, besides the checker's finding. */
export interface Evidence {
  /** Answered with success, and not in the ledger under that id. */
  readonly publishForgotten: number;
  /** Versions of which there is no event, or more than one. */
  readonly publishNotOne: number;
  /** Tries on record beyond those that the receiver's own answers took. */
  readonly triesCharged: number;
  /** From the end of the fault to the first answer of the receiver's after it that says "taken"; null where there is none. */
  readonly secondsToFirstDelivery: number | null;
  /** Answers of that kind while the fault lasted. */
  readonly deliveredDuringFault: number;
}

export async function evidenceOf(scene: Scene, trial: Trial): Promise<Evidence> {
  const { account, fromMs, players, published, repeated, shipment, toMs } = trial;
  return withClient(scene.stage.stack.adminUrl, async (db) => {
    const { rows: events } = await db.query<{ version: string; id: string }>(
      'SELECT version, id FROM waybill.events WHERE account = $1',
      [account],
    );
    const { rows: charged } = await db.query<{ name: string; tries: number }>(
      `SELECT s.name, (SELECT count(*) FROM waybill.attempt_outcomes r WHERE r.key = o.key AND r.counted)::int AS tries
        FROM waybill.obligations o JOIN waybill.events e ON e.id = o.event_id
        JOIN waybill.subscribers s ON s.id = o.subscriber_id WHERE e.account = $1`,
      [account],
    );
    const idsOf = new Map<number, number[]>();
    for (const { version, id } of events)
      idsOf.set(Number(version), [...(idsOf.get(Number(version)) ?? []), Number(id)]);
    const due = new Map(players.map(({ name, tries }) => [name, tries]));
    const taken = readJournal(scene.stage.journal)
      .filter((r) => r.key.startsWith(`${shipment}:`) && r.ended?.status === 200)
      .map((r) => r.ended?.atMs ?? 0);
    const after = taken.filter((atMs) => atMs > toMs);
    return {
      publishForgotten: [...published, ...repeated].filter(
        ({ version, eventId }) => eventId !== undefined && !idsOf.get(version)?.includes(eventId),
      ).length,
      publishNotOne: published.filter(({ version }) => idsOf.get(version)?.length !== 1).length,
      triesCharged: charged.reduce((n, { name, tries }) => n + Math.max(0, tries - (due.get(name) ?? 0)), 0),
      secondsToFirstDelivery: after.length === 0 ? null : Math.round((Math.min(...after) - toMs) / 100) / 10,
      deliveredDuringFault: taken.filter((atMs) => atMs >= fromMs && atMs <= toMs).length,
    };
  });
}
