/**
 * `node scripts/run.mjs <file.ts> [args]`: runs a TypeScript file of this checkout on a bare machine.
 * `node scripts/run.mjs --install-only` stops once the packages are there.
 *
 * Checks Node, installs the lock file's packages where they are missing or outdated (all of npm's output goes to
 * stderr), links `node_modules/.bin/waybill`, then runs the file in this very process through tsx. One process
 * means that stdio, signals and the exit status are the file's own: nothing is forwarded, nothing arrives twice.
 * Node's own modules only: this file runs before any package is there.
 */
import { spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = [20, 20];
const INSTALL_TIMEOUT_MS = 15 * 60_000;
const POLL_MS = 250;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, 'package-lock.json');

function refuse(message, status = 1) {
  process.stderr.write(`waybill: ${message}\n`);
  process.exit(status);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  refuse(
    `Node ${OLDEST_NODE.join('.')} or later is needed, this is ${process.versions.node} (${process.execPath}).`,
  );
}

/**
 * Whether node_modules holds what the lock file asks for, judged by the list npm itself leaves there once an
 * install is complete. So a hand-made `npm ci` counts, one without the dev packages or cut short does not.
 */
function packagesAreCurrent() {
  const installedList = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages ?? {};
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {};
  return Object.entries(wanted).every(([path, want]) => {
    if (path === '' || want.link) return true;
    const have = installed[path];
    if (!have) return Boolean(want.optional ?? want.devOptional);
    return have.version === want.version && have.integrity === want.integrity;
  });
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Creates the lock file with our pid in it, in one step; false where another process has it. */
function takeInstallLock(path) {
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Removes the lock of an installer that was killed. Its age counts too, since pids are used again. */
function dropStaleInstallLock(path) {
  try {
    const owner = Number(readFileSync(path, 'utf8'));
    const ageMs = Date.now() - statSync(path).mtimeMs;
    if (!isAlive(owner) || ageMs > INSTALL_TIMEOUT_MS) rmSync(path, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function npmCi() {
  // The level is named since `npm --silent run` hands its own down, and with it would hide why an install failed.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, all] = npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : ['npm', args];
  return new Promise((done, fail) => {
    const child = spawn(command, all, {
      cwd: root,
      stdio: ['ignore', process.stderr, process.stderr],
      timeout: INSTALL_TIMEOUT_MS,
    });
    child.on('error', fail);
    child.on('exit', (code, signal) => {
      if (code === 0) done();
      else fail(new Error(`npm ci ended with ${signal ?? `status ${code}`}`));
    });
  });
}

/** Two at once: one installs, the other waits until the packages are there (or takes over if the first fails). */
async function ensurePackages() {
  if (packagesAreCurrent()) return;
  const tools = join(root, '.tools');
  mkdirSync(tools, { recursive: true });
  const lock = join(tools, 'install.lock');
  const deadline = Date.now() + INSTALL_TIMEOUT_MS;
  while (!takeInstallLock(lock)) {
    if (Date.now() > deadline) refuse(`another install has not ended (${lock}).`);
    dropStaleInstallLock(lock);
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  try {
    if (packagesAreCurrent()) return;
    process.stderr.write('waybill: installing the packages of package-lock.json\n');
    await npmCi();
    if (!packagesAreCurrent())
      throw new Error('npm ci ended well, yet node_modules differs from package-lock.json');
  } catch (error) {
    rmSync(lock, { force: true });
    refuse(`the packages could not be installed: ${error.message}`);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** npm links the bins of dependencies but not the checkout's own, so `npx waybill` would not find it. */
function linkOwnBin() {
  const link = join(root, 'node_modules', '.bin', 'waybill');
  const target = join('..', '..', 'bin', 'waybill.cjs');
  try {
    if (readlinkSync(link) === target) return;
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EINVAL') throw error;
  }
  try {
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(target, link);
  } catch (error) {
    if (error.code !== 'EEXIST' && error.code !== 'EROFS') throw error;
  }
}

requireNode();
const [file, ...args] = process.argv.slice(2);
if (!file) refuse('usage: node scripts/run.mjs <file.ts> [args] | --install-only', 2);
const target = existsSync(resolve(file)) ? resolve(file) : join(root, file);
const installOnly = file === '--install-only';
if (!installOnly && !existsSync(target)) refuse(`no such file: ${file}`, 2);
await ensurePackages();
linkOwnBin();
if (!installOnly) {
  process.argv = [process.argv[0], target, ...args];
  const { register } = await import('tsx/esm/api');
  register();
  await import(pathToFileURL(target).href);
}
