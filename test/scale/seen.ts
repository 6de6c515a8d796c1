import type { SeenRequest } from './journal.js';

/** A request as a hand-made journal has it, for the tests of those who judge journals. */
export function seen(
  request: Pick<SeenRequest, 'begin'> &
    Partial<SeenRequest> & { readonly end?: number; readonly status?: number },
): SeenRequest {
  const { begin, end, status = 200, ...more } = request;
  const version = more.version ?? 1;
  const shipment = more.shipment ?? 'S';
  const path = more.path ?? '/group/name';
  return {
    ...{ begin, atMs: begin, path, shipment, version },
    ...{ key: `${shipment}:${path}:${version}`, attempt: 1, order: null },
    ended: end === undefined ? undefined : { endOf: begin, end, atMs: end, status },
    ...more,
  };
}
