/**
 * Runs one program on behalf of a launcher, over node's IPC channel, and sees to its end: when the launcher asks,
 * when it goes away (the channel closes even on `kill -9`), or when this process is told to end.
 *
 * Lives in a session of its own, and the program in a group of its own, so that Ctrl-C on the terminal reaches
 * neither: the launcher decides the order of things. stdio is inherited. Plain JavaScript for a quick start.
 *
 * In:  {start: {command, args, cwd, uid, gid, stopSignal, stopTimeoutMs, wholeGroup}} once, then {signal}.
 * Out: {started: pid} or {failed: {code, message}}, then {exited: {code, signal}}.
 */
import { spawn } from 'node:child_process';

const POLL_MS = 20;
/** How long descendants that a command left behind get between SIGTERM and SIGKILL. */
const LEFTOVER_TIMEOUT_MS = 3_000;

let spec;
let child;
let stopping = false;

/** Signals the program, or everything in its group; false when there is nobody left. */
function signalProgram(signal, group) {
  try {
    process.kill(group ? -child.pid : child.pid, signal);
    return true;
  } catch (error) {
    // EPERM: macOS says so of a group in which only zombies are left.
    if (error.code === 'ESRCH' || error.code === 'EPERM') return false;
    throw error;
  }
}

function stop() {
  if (stopping) return;
  stopping = true;
  if (!child) process.exit(0);
  signalProgram(spec.stopSignal, spec.wholeGroup);
  setTimeout(() => signalProgram('SIGKILL', true), spec.stopTimeoutMs);
}

async function endLeftovers() {
  signalProgram('SIGTERM', true);
  const deadline = Date.now() + LEFTOVER_TIMEOUT_MS;
  while (signalProgram(0, true) && Date.now() < deadline)
    await new Promise((done) => setTimeout(done, POLL_MS));
  signalProgram('SIGKILL', true);
}

function report(message, then = () => undefined) {
  if (process.connected) process.send(message, then);
  else then();
}

function start() {
  child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    uid: spec.uid,
    gid: spec.gid,
    stdio: 'inherit',
    detached: true,
  });
  child.on('spawn', () => report({ started: child.pid }));
  child.on('error', (error) => {
    report({ failed: { code: error.code, message: error.message } }, () => process.exit(0));
  });
  child.on('exit', async (code, signal) => {
    await endLeftovers();
    report({ exited: { code, signal } }, () => process.exit(0));
  });
}

process.on('message', (message) => {
  if (message.start) {
    spec = message.start;
    start();
  } else if (message.signal) {
    signalProgram(message.signal, spec.wholeGroup);
  }
});
process.on('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
