import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundle } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { installRuntime } from '../support/waybill.js';
import { SCENARIOS } from './scenarios.js';

const HISTORIES = fileURLToPath(new URL('../histories/', import.meta.url));
const files = readdirSync(HISTORIES).filter((name) => name.endsWith('.json'));
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

interface Recorded {
  readonly workflowId: string;
  readonly history: { readonly events: Record<string, unknown>[] };
}
const recorded = (file: string): Recorded => JSON.parse(readFileSync(HISTORIES + file, 'utf8')) as Recorded;

let workflowBundle: WorkflowBundle;
beforeAll(async () => {
  installRuntime();
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../../src/workflows/index.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  });
});

describe('under today’s workflows', () => {
  it.each(files)('%s replays', async (file) => {
    const { workflowId, history } = recorded(file);
    await Worker.runReplayHistory({ workflowBundle }, history, workflowId);
  });

  it('this release has a history of every scenario', () => {
    const names = files.filter((file) => file.startsWith(`${version}-`));
    expect(names.sort()).toEqual(
      Object.keys(SCENARIOS)
        .map((name) => `${version}-${name}.json`)
        .sort(),
    );
  });

  it('a timer put into the obligation’s story turns them red', async () => {
    const mutated = mkdtempSync(fileURLToPath(new URL('../../.waybill-mutated-', import.meta.url)));
    try {
      cpSync(fileURLToPath(new URL('../../src/', import.meta.url)), mutated, { recursive: true });
      const story = `${mutated}/workflows/obligation.ts`;
      const source = readFileSync(story, 'utf8');
      const line = "  while (at.is !== 'over') {";
      expect(source).toContain(line);
      writeFileSync(story, source.replace(line, `  await sleep(1);\n${line}`));
      const bundle = await bundleWorkflowCode({
        workflowsPath: `${mutated}/workflows/index.ts`,
        logger: new DefaultLogger('ERROR'),
      });
      const { workflowId, history } = recorded(`${version}-delivered-at-once.json`);
      const replay = Worker.runReplayHistory({ workflowBundle: bundle }, history, workflowId);
      await expect(replay).rejects.toMatchObject({ name: 'DeterminismViolationError' });
    } finally {
      rmSync(mutated, { recursive: true });
    }
  });

  it('a history that tells another story does not replay', async () => {
    const { workflowId, history } = recorded(`${version}-delivered-after-retries.json`);
    const events = history.events.map((event) =>
      event['eventType'] === 'EVENT_TYPE_TIMER_STARTED'
        ? { ...event, eventType: 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED' }
        : event,
    );
    await expect(Worker.runReplayHistory({ workflowBundle }, { events }, workflowId)).rejects.toThrow();
  });
});

describe('the recorded bundle of each release', () => {
  const releases = readdirSync(new URL('../../releases/', import.meta.url));

  it.each(releases)('%s replays its own histories', async (release) => {
    const codePath = fileURLToPath(new URL(`../../releases/${release}/workflow-bundle.js`, import.meta.url));
    for (const file of files.filter((name) => name.startsWith(`${release}-`))) {
      const { workflowId, history } = recorded(file);
      await Worker.runReplayHistory({ workflowBundle: { codePath } }, history, workflowId);
    }
  });
});

describe('what Temporal keeps', () => {
  it.each(files)('%s holds no payload, no URL, no secret and no path of a machine', (file) => {
    const text = readFileSync(HISTORIES + file, 'utf8');
    const decoded = [...text.matchAll(/"data":\s*"([A-Za-z0-9+/=]+)"/g)].map((m) =>
      Buffer.from(m[1] ?? '', 'base64'),
    );
    for (const part of [text, ...decoded.map((bytes) => bytes.toString('utf8'))]) {
      expect(part).not.toMatch(/https?:\/\/|whsec_|v1\.k\d/);
      expect(part).not.toMatch(/[( ]\/[\w./@-]+:\d+:\d+/);
    }
  });
});
