import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { CHECKOUT, PAGES, fencesOf } from './pages.js';

const TIMEOUT_MS = 120_000;

/** Each TypeScript block of the pages as a file that isn't there, beside its page; `waybill` is our own client. */
function snippets(): Map<string, string> {
  const files = new Map<string, string>();
  for (const page of PAGES) {
    const blocks = fencesOf(page).filter(({ language }) => language === 'ts');
    for (const [i, { text }] of blocks.entries()) {
      const file = join(CHECKOUT, `${page}.${i + 1}.ts`);
      const client = relative(dirname(file), join(CHECKOUT, 'src/client.js'));
      files.set(
        file,
        text.replace("from 'waybill'", `from '${client.startsWith('.') ? client : `./${client}`}'`),
      );
    }
  }
  return files;
}

it(
  'every TypeScript block, and the example, holds to the types',
  () => {
    const files = snippets();
    expect(files.size).toBeGreaterThan(3);
    const config = ts.readConfigFile(join(CHECKOUT, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent({ ...config.config, include: [] }, ts.sys, CHECKOUT);
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists } = host;
    host.fileExists = (name) => files.has(name) || fileExists(name);
    host.getSourceFile = (name, target, ...rest) => {
      const text = files.get(name);
      return text === undefined
        ? getSourceFile(name, target, ...rest)
        : ts.createSourceFile(name, text, target);
    };
    const roots = [...files.keys(), join(CHECKOUT, 'examples/receiver.ts')];
    const program = ts.createProgram(roots, options, host);
    const faults = roots.flatMap((file) => {
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    });
    expect(ts.formatDiagnostics(faults, { ...host, getCurrentDirectory: () => CHECKOUT })).toBe('');
  },
  TIMEOUT_MS,
);
