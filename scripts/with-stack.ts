/**
 * `npm run with-stack -- [--fresh] [--quiet] <command> [args...]`: starts the embedded stack, runs the command with
 * its environment, stops all it started and ends with the command's status (128 + n when signal n ended it, 127
 * when there is no such command). stdout is the command's alone.
 */
import { runCommand } from './stack/command.js';
import { startStack } from './stack/stack.js';
import { InterruptedError, interruptions } from './stack/interruptions.js';

const USAGE = `usage: npm run with-stack -- [--fresh] [--quiet] <command> [args...]

Runs the command beside an embedded Postgres and Temporal of this checkout.
  --fresh   delete the data of earlier runs first
  --quiet   no progress lines on stderr
`;

function parse(argv: string[]) {
  const options = { fresh: false, quiet: false };
  const rest = [...argv];
  while (rest[0]?.startsWith('-')) {
    const flag = rest.shift();
    if (flag === '--') break;
    if (flag === '--fresh') options.fresh = true;
    else if (flag === '--quiet') options.quiet = true;
    else return undefined;
  }
  const [command, ...args] = rest;
  return command === undefined ? undefined : { ...options, command, args };
}

async function main(): Promise<number> {
  const asked = parse(process.argv.slice(2));
  if (!asked) {
    process.stderr.write(USAGE);
    return 2;
  }
  const say = (line: string) => {
    if (!asked.quiet) process.stderr.write(`with-stack: ${line}\n`);
  };
  const interrupted = interruptions();
  const stack = await startStack({ fresh: asked.fresh, signal: interrupted.signal, onProgress: say });
  try {
    return await runCommand(asked.command, asked.args, { ...process.env, ...stack.env }, interrupted);
  } finally {
    say('stopping');
    await stack.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof InterruptedError)) process.stderr.write(`with-stack: ${(error as Error).message}\n`);
  process.exitCode = error instanceof InterruptedError ? error.status : 1;
}
