/**
 * `worker.ts ROLE,ROLE BUNDLE`: a worker process as `waybill worker` runs one, which can be told to die, or to stop, at a point.
 * Its control endpoint is on the loopback port of WAYBILL_KILL_PORT: `GET /ready`, `POST /arm` with
 * {@link Orders} in JSON, `POST /disarm` (answers 410 where it has struck already).
 */
import http from 'node:http';
import { installRuntime } from '../../src/cli/temporal-runtime.js';
import { loadConfig } from '../../src/config.js';
import { connectClient, connectWorker } from '../../src/temporal.js';
import { makeLog } from '../../src/watch/log.js';
import { startWorker, type Role, type RunningWorker } from '../../src/worker.js';
import type { Point } from '../../src/watch/points.js';
import type { PointSignal } from './plan.js';

export interface Orders {
  readonly point: Point;
  /** At the how-manieth time from now. */
  readonly nth: number;
  readonly signal: PointSignal;
}

let orders: Orders | undefined;
let times = 0;
let struck = false;

function reached(point: Point): void {
  if (point !== orders?.point || (times += 1) !== orders.nth) return;
  const { signal } = orders;
  orders = undefined;
  struck = true;
  log.info({ point, signal }, 'kill.point');
  process.kill(process.pid, signal);
}

async function control(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.url === '/arm') {
    orders = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Orders;
    times = 0;
    struck = false; // a stop is survived
  } else if (request.url === '/disarm') {
    orders = undefined;
    response.statusCode = struck ? 410 : 200;
  } else if (request.url !== '/ready') response.statusCode = 404;
  response.end();
}

const [roles = '', workflowBundle = ''] = process.argv.slice(2);
const config = loadConfig();
const log = makeLog(config.logLevel, config.workerName);
installRuntime(log);
const { client, close } = await connectClient();
const { connection, namespace } = await connectWorker();
const worker: RunningWorker = await startWorker({
  ...{ config, connection, namespace, log, reached, workflowBundle },
  workflows: client.workflow,
  roles: roles.split(',') as Role[],
});
const server = http.createServer((request, response) => void control(request, response));
server.listen(Number(process.env['WAYBILL_KILL_PORT']), '127.0.0.1');
process.on('SIGTERM', () => void worker.stop());
try {
  await worker.ended;
} finally {
  server.close();
  server.closeAllConnections();
  await connection.close();
  await close();
}
