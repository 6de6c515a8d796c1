import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tryLock } from './folder-lock.js';
import { dropCluster, endOrphan } from './postgres-cluster.js';

const LOCK = 'lock';
const MOST_STACKS = 20;
/** Others may pass through, but not look: Postgres, run as another user by root, has its folder inside. */
const MODE = 0o711;

export interface DataDir {
  path: string;
  unlock(): void;
}

/** Takes `base` for this process, or the first free `base/stack-2`, `base/stack-3`... while other stacks run. */
export function takeDataDir(base: string): DataDir {
  for (let n = 1; n <= MOST_STACKS; n++) {
    const path = n === 1 ? base : join(base, `stack-${n}`);
    if (mkdirSync(path, { recursive: true, mode: MODE })) chmodSync(path, MODE);
    const unlock = tryLock(join(path, LOCK));
    if (unlock) return { path: realpathSync(path), unlock };
  }
  throw new Error(`${MOST_STACKS} stacks run in ${base} already`);
}

/** Deletes what earlier runs left, but for the lock and the folders of other stacks. */
export async function wipeDataDir(path: string): Promise<void> {
  const cluster = join(path, 'postgres');
  if (existsSync(cluster)) await endOrphan(realpathSync(cluster));
  dropCluster(path);
  for (const name of readdirSync(path)) {
    if (name === LOCK || name.startsWith('stack-')) continue;
    rmSync(join(path, name), { recursive: true, force: true });
  }
}

/** The keys that encrypt secrets at rest, as WAYBILL_KEYS has them; made once, so that a later start reads what this one wrote. */
export function keptKeys(path: string): string {
  const file = join(path, 'keys');
  if (!existsSync(file)) {
    writeFileSync(file, `k1:${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  }
  return readFileSync(file, 'utf8').trim();
}
