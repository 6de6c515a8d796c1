import Table from 'cli-table3';
import type { Figures } from './check/figures.js';
import type { Stage } from './stage.js';
import type { Told } from './story.js';

/** The figures as a table, for people. */
export function table(figures: Figures): string {
  const rows = new Table({
    head: ['figure', 'value'],
    colAligns: ['left', 'right'],
    style: { head: [], border: [], compact: true },
  });
  const { verdict, reasons, byDisposition, capEvent, ...numbers } = figures;
  for (const [name, value] of Object.entries(numbers)) rows.push([name, String(value)]);
  for (const [name, value] of Object.entries(byDisposition))
    rows.push([`  by disposition: ${name}`, String(value)]);
  for (const [name, value] of Object.entries(capEvent)) rows.push([`  cap event: ${name}`, String(value)]);
  return [rows.toString(), `checker: ${verdict}`, ...reasons.map((reason) => `  ${reason}`)].join('\n');
}

/** Where to go on looking. `staysUp`: the stack of this run goes on until Ctrl-C. */
export function whereToLook(stage: Stage, told: Told, staysUp: boolean): string {
  const traces = Object.entries(told.keys).map(([what, key]) => [key, what] as const);
  const folder = process.env['WAYBILL_DATA_DIR'];
  const elsewhere = folder === undefined ? '' : `WAYBILL_DATA_DIR='${folder}' `;
  const command = (key: string): string =>
    staysUp
      ? `(. ${stage.envFile} && npx waybill trace ${key} --account ${told.account})`
      : `${elsewhere}npm run with-stack -- npx waybill trace ${key} --account ${told.account}`;
  const ui = stage.stack.uiUrl;
  return [
    ...(staysUp && ui
      ? [`Temporal UI: ${ui}/namespaces/default/workflows?query=${uiQuery(told.account)}`]
      : []),
    `Traces${staysUp ? ', from another terminal' : ', any time later'}:`,
    ...traces.map(([key, what]) => `  # ${what}\n  ${command(key)}`),
    `Receiver's journal: ${stage.journal}`,
    `Worker's log: ${stage.workerLog}`,
  ].join('\n');
}

const uiQuery = (account: string): string => encodeURIComponent(`WaybillAccount = '${account}'`);
