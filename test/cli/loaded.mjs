/** Imported first into a process: tells stderr at its end which CommonJS packages it has loaded. */
import Module from 'node:module';

process.on('exit', () => {
  process.stderr.write(`loaded: ${Object.keys(Module._cache).join(' ')}\n`);
});
