import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import type { Command } from 'commander';
import type { SubscriberInput, WaybillClient } from '../client.js';
import { WaybillError, invalid } from '../errors.js';
import { actorOption, scopedCommand, type Scoped } from './command.js';
import { LineError, UsageError } from './faults.js';
import { toJsonLine, writeJson, writeLines } from './output.js';
import { startProgress, type Progress } from './progress.js';
import { withClient } from './session.js';
import { readLines } from './source.js';
import { newSecret } from '../wire/sign.js';

const PAGE = 500;

interface ImportOptions extends Scoped {
  readonly secretsOut?: string;
  readonly actor?: string;
}

interface Entry {
  readonly line: number;
  readonly input: SubscriberInput;
}

/** `waybill subscriber import`: many subscribers from lines of JSON. */
export function defineImport(group: Command): void {
  scopedCommand(
    group,
    'import',
    `Add subscribers from lines of JSON, each {"name", "url", ...} with the fields of docs/cli.md, in pages of ${PAGE}. ` +
      'A page is added whole or, where a line of it is refused, not at all; pages before it stay.',
    'waybill subscriber import partners.ndjson --secrets-out secrets.ndjson',
  )
    .argument('<file>', 'the lines; - for stdin')
    .option('--secrets-out <file>', 'a new file, readable by you alone, for lines of {id, name, secret}')
    .addOption(actorOption())
    .action(run);
}

async function run(file: string, options: ImportOptions): Promise<void> {
  const secrets = options.secretsOut === undefined ? undefined : await createSecrets(options.secretsOut);
  const progress = startProgress('importing', options.json ?? false);
  try {
    const added = await importAll(file, options, secrets, progress);
    progress.stop();
    if (options.json) return await writeJson({ added });
    await writeLines([`${added} subscribers added`]);
  } finally {
    progress.stop();
    await secrets?.close();
    if (options.secretsOut !== undefined) await dropIfEmpty(options.secretsOut);
  }
}

/** So that an import whose first page was refused can be run again as it was. */
async function dropIfEmpty(path: string): Promise<void> {
  if ((await stat(path)).size === 0) await rm(path);
}

/** Never over an existing file: it may hold the only copy of earlier secrets. */
async function createSecrets(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `--secrets-out: '${path}' ${code === 'EEXIST' ? 'exists already' : `can't be made (${code})`}`,
      {
        cause: error,
      },
    );
  }
}

function importAll(
  file: string,
  options: ImportOptions,
  secrets: FileHandle | undefined,
  progress: Progress,
): Promise<number> {
  return withClient(options, async (client, config) => {
    const { parseSubscriberLine } = await import('./subscriber-line.js');
    const totalBytes =
      file === '-'
        ? 0
        : await stat(file).then(
            (s) => s.size,
            () => 0,
          );
    let added = 0;
    let page: Entry[] = [];
    const names = new Map<string, number>();
    const flush = async (): Promise<void> => {
      if (page.length > 0) await addPage(client, page, secrets, added);
      added += page.length;
      page = [];
      names.clear();
    };
    for await (const { number, text, bytesSoFar } of readLines(file)) {
      if (text.trim() === '') continue;
      const input = atLine(number, added, () => {
        const parsed = parseSubscriberLine(text, options.account, config.allow);
        if (!secrets && parsed.secret === undefined) {
          throw invalid('secret', 'is missing, and without --secrets-out a new one would be lost');
        }
        const twin = names.get(parsed.name);
        if (twin !== undefined)
          throw new WaybillError('name_taken', `name: line ${twin} has it`, { field: 'name' });
        return secrets ? { ...parsed, secret: parsed.secret ?? newSecret() } : parsed;
      });
      names.set(input.name, number);
      page.push({ line: number, input });
      if (page.length === PAGE) await flush();
      progress.update(bytesSoFar, Math.max(totalBytes, bytesSoFar), `bytes, ${added} added`);
    }
    await flush();
    return added;
  });
}

function atLine<T>(line: number, added: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof WaybillError ? new LineError(line, error, afterPages(added)) : error;
  }
}

const afterPages = (added: number): string => `; ${added} subscribers were added from the pages before`;

async function addPage(
  client: WaybillClient,
  page: readonly Entry[],
  secrets: FileHandle | undefined,
  addedBefore: number,
): Promise<void> {
  // Before the page is added: a death between the two leaves secrets of nobody, never somebody without a secret.
  await secrets?.appendFile(page.map(({ input: { name, secret } }) => toJsonLine({ name, secret })).join(''));
  await secrets?.sync();
  try {
    await client.addSubscribers(page.map((entry) => entry.input));
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error;
    throw new LineError(await lineAtFault(client, page, error), error, afterPages(addedBefore));
  }
}

/** The database says that a name is taken or a cohort unknown, not which; so each is looked up, up to the first. */
async function lineAtFault(
  client: WaybillClient,
  page: readonly Entry[],
  error: WaybillError,
): Promise<number> {
  const first = (page[0] as Entry).line;
  for (const { line, input } of page) {
    if (error.code === 'name_taken' && (await found(() => client.subscriber(input.name)))) return line;
    const { cohort } = input;
    if (error.field === 'cohort' && cohort && !(await found(() => client.cohort(cohort)))) return line;
  }
  return first;
}

const found = (look: () => Promise<unknown>): Promise<boolean> =>
  look().then(
    () => true,
    (fault: unknown) => {
      if (fault instanceof WaybillError && fault.code === 'not_found') return false;
      throw fault;
    },
  );
