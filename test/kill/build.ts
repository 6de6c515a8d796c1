import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Turns the sources into JavaScript in a folder of their own, once: a worker that was killed is then back in half the
 * time, and edits made to the checkout meanwhile don't reach a proof that runs. Answers the path of `entry` there; what it
 * needs besides `src` is named after it.
 */
export function buildOnce(folder: string, entry: string, ...besides: readonly string[]): string {
  const sources = readdirSync(join(CHECKOUT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('src', file));
  for (const file of [...sources, entry, ...besides]) {
    const { outputText } = ts.transpileModule(readFileSync(join(CHECKOUT, file), 'utf8'), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      },
    });
    const to = join(folder, inJavaScript(file));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, outputText);
  }
  cpSync(join(CHECKOUT, 'migrations'), join(folder, 'migrations'), { recursive: true });
  cpSync(join(CHECKOUT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, inJavaScript(entry));
}

/** A text of a built file -> what stands there instead. */
export interface BuildEdit {
  /** Below the checkout, such as `src/wire/exchange.ts`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Breaks the copy of the sources that was built into `folder`; the checkout stays as it is. */
export function editBuild(folder: string, { file, from, to }: BuildEdit): void {
  const built = join(folder, inJavaScript(file));
  const before = readFileSync(built, 'utf8');
  if (!before.includes(from)) throw new Error(`mutation of ${file}: it no longer says: ${from}`);
  writeFileSync(built, before.replace(from, to));
}

const inJavaScript = (file: string): string => file.replace(/\.ts$/, '.js');
