import { report } from './cli/faults.js';
import { makeProgram } from './cli/program.js';

/** A reader that has seen enough (`waybill list | head`) is no error. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const argv = process.argv.slice(2);
try {
  const program = await makeProgram(argv);
  await program.parseAsync(argv, { from: 'user' });
} catch (error) {
  process.exitCode = report(error, argv.includes('--json'));
}
