import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Webpack's inline source map: it holds paths of the machine that built the bundle. */
const SOURCE_MAP = /\n\/\/# sourceMappingURL=data:[^\n]*\s*$/;

/** The SDK takes no bundle without one. */
const EMPTY_MAP = Buffer.from('{"version":3,"sources":[],"names":[],"mappings":""}').toString('base64');

const WORKFLOWS = fileURLToPath(new URL('../src/workflows/index.ts', import.meta.url));

/** Writes the bundle of today's workflows, the same bytes from the same sources wherever it is built. */
export async function buildWorkflowBundle(file: string, workflowsPath = WORKFLOWS): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('ERROR'),
  });
  const portable = code
    .replace(SOURCE_MAP, `\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${EMPTY_MAP}\n`)
    .replaceAll(ROOT, '');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, portable);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildWorkflowBundle(resolve(process.argv[2] ?? `${ROOT}dist/workflow-bundle.js`));
}
