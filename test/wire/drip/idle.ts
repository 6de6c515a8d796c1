/**
 * `idle.ts PORT`: a process that does nothing but watch how late its own timers are: what the machine alone does to a
 * deadline. On that loopback port: `GET /ready`, `GET /late` (milliseconds since the last `POST /forget`).
 */
import http from 'node:http';
import { watchLateness } from './lateness.js';

const lateness = watchLateness();
http
  .createServer((request, response) => {
    if (request.url === '/forget') lateness.reset();
    response.end(JSON.stringify(lateness.lateMs()));
  })
  .listen(Number(process.argv[2]), '127.0.0.1');
