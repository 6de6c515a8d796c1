import { setTimeout as delay } from 'node:timers/promises';
import type { Trace, WaybillClient } from '../client.js';
import { FINAL_DISPOSITIONS, parseObligationKey } from '../contract.js';
import { WaybillError } from '../errors.js';
import { EXIT, Ended } from './faults.js';
import { printable, toJsonLine, write, writeJson, writeLines } from './output.js';
import { paintDisposition, shown, writeTable } from './table.js';
import { ACT_HEAD, ATTEMPT_HEAD, actCells, attemptCells, paintAttempt } from './trace-rows.js';
import { whyNotYet } from './why-not-yet.js';

export interface TraceView {
  readonly client: WaybillClient;
  readonly key: string;
  readonly json: boolean;
  readonly temporalUiUrl: string | undefined;
}

const LOOK_EVERY_MS = 500;

/** The story as it is now. */
export async function showObligation({ client, key, json, temporalUiUrl }: TraceView): Promise<void> {
  const trace = await client.trace(key);
  if (json) return writeJson(trace);
  await writeHead(trace, temporalUiUrl);
  await writeTable(ATTEMPT_HEAD, trace.attempts.map(attemptCells), paintAttempt);
  if (trace.attempts.length === 0) await writeLines(['no attempts']);
  if (trace.audit.length > 0) await writeLines(['']);
  await writeTable(ACT_HEAD, trace.audit.map(actCells));
}

/**
 * Prints the story, then whatever is new, until the obligation is final. As JSON: a row for each obligation state,
 * attempt and act, told apart by `row`; an attempt comes again once it has its outcome.
 * @throws Ended with 130 where `signal` came first.
 */
export async function followObligation(view: TraceView, signal: AbortSignal): Promise<void> {
  const told = new Set<string>();
  const news = (text: string): boolean => !told.has(text) && told.add(text).has(text);
  for (let first = true; ; first = false) {
    const trace = await matchedTrace(view, signal);
    const { obligation } = trace;
    const rows = [
      { row: 'obligation', ...obligation },
      ...trace.attempts.map((attempt) => ({ row: 'attempt', ...attempt })),
      ...trace.audit.map((act) => ({ row: 'act', ...act })),
    ].filter((row) => news(JSON.stringify(row)));
    if (view.json) await write(rows.map(toJsonLine).join(''));
    else {
      if (first) await writeHead(trace, view.temporalUiUrl);
      const fresh = new Set(rows.map((row) => row.row));
      await writeTable(
        ATTEMPT_HEAD,
        trace.attempts.map(attemptCells).filter((cells) => news(cells.join('\t'))),
        paintAttempt,
      );
      await writeTable(
        ACT_HEAD,
        trace.audit.map(actCells).filter((cells) => news(cells.join('\t'))),
      );
      if (!first && fresh.has('obligation')) await writeLines([headLine(trace), ...whyLines(trace)]);
    }
    if (isFinal(trace)) return;
    if (signal.aborted) throw new Ended(EXIT.interrupted);
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined); // an abort is seen after the last look
  }
}

/**
 * The story, waited for while its event is published and not matched yet.
 * @throws WaybillError `not_found` where no such event or no such obligation of it exists; Ended on an abort.
 */
async function matchedTrace({ client, key }: TraceView, signal: AbortSignal): Promise<Trace> {
  for (;;) {
    try {
      return await client.trace(key);
    } catch (error) {
      const parts = parseObligationKey(key);
      if (!parts || !(error instanceof WaybillError) || error.code !== 'not_found') throw error;
      const [event] = await client.events(parts.shipment, parts.version, 1);
      if (!event || event.matchedAt !== null) throw error;
      if (signal.aborted) throw new Ended(EXIT.interrupted);
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Nothing can change any more: over, or dead and past its redrive window. */
function isFinal({ obligation: o }: Trace): boolean {
  return (
    FINAL_DISPOSITIONS.some((final) => final === o.disposition) ||
    (o.disposition === 'dead' && o.redriveUntil !== null && o.redriveUntil.getTime() <= Date.now())
  );
}

async function writeHead(trace: Trace, uiUrl: string | undefined): Promise<void> {
  const { event, obligation } = trace;
  await writeLines([
    headLine(trace),
    `event: ${shown(event.type)}, published ${shown(event.publishedAt)} by ${shown(event.publishedBy)}, ` +
      `${event.payloadBytes} bytes, sha256 ${event.digest}`,
    ...whyLines(trace),
    ...(uiUrl ? [`Temporal UI: ${await uiLink(uiUrl, obligation.key)}`] : []),
    '',
  ]);
}

function headLine({ obligation: o }: Trace): string {
  const paint = paintDisposition(o.disposition) ?? String;
  const ended = o.finishedAt ? ` since ${shown(o.finishedAt)}` : '';
  return (
    `${shown(o.key)}: ${paint(o.disposition)}${ended}; shipment ${shown(o.shipment)} v${o.version} -> ` +
    `${shown(o.subscriberName)}; attempts: ${o.attempts}, tries: ${o.tries} in round ${o.round}`
  );
}

function whyLines(trace: Trace): string[] {
  const why = whyNotYet(trace, new Date());
  return why === undefined ? [] : [printable(why)];
}

/** A broken Temporal profile costs the link, not the trace. */
async function uiLink(uiUrl: string, key: string): Promise<string> {
  try {
    const { loadClientConnectConfig } = await import('@temporalio/envconfig');
    const namespace = loadClientConnectConfig().namespace ?? 'default';
    const base = uiUrl.replace(/\/+$/, '');
    return printable(
      `${base}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(key)}`,
    );
  } catch (error) {
    return printable(`no link (${error instanceof Error ? error.message : String(error)})`);
  }
}
