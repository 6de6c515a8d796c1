import net, { isIP } from 'node:net';
import tls from 'node:tls';
import { ProxyFault, type EgressProxy } from './egress-proxy.js';
import { faultCode } from './fault-code.js';
import { tlsFault } from './tls-fault.js';

/** The event by which a dialled connection stands, TLS and all. */
export const readyEvent = ({ secure }: EgressProxy): 'secureConnect' | 'connect' =>
  secure ? 'secureConnect' : 'connect';

/** A connection to the proxy itself. It is the operator's: it may be private, and the guard has no say in it. */
export function dialProxy({ secure, host, port }: EgressProxy, trust: tls.SecureContext): net.Socket {
  if (!secure) return net.connect({ host, port, noDelay: true });
  const servername = isIP(host) ? '' : host;
  return tls.connect({ host, port, servername, secureContext: trust, rejectUnauthorized: true });
}

/** Why no connection to the proxy came about. */
export function unreachable(error: unknown): ProxyFault {
  const code = faultCode(error);
  const fault = tlsFault(code, false);
  return fault === undefined
    ? new ProxyFault(`the egress proxy could not be reached (${code})`)
    : new ProxyFault(`the egress proxy could not be trusted (${fault.replace('endpoint', 'proxy')})`);
}

/** Resolves where the proxy can be connected to, asks it nothing; rejects with a {@link ProxyFault}. */
export function reachProxy(proxy: EgressProxy, trust: tls.SecureContext, ms: number): Promise<void> {
  const socket = dialProxy(proxy, trust);
  return new Promise<void>((resolve, reject) => {
    const late = (): void => reject(new ProxyFault('the egress proxy could not be reached in time'));
    const timer = setTimeout(late, ms);
    socket.on('error', (fault) => reject(unreachable(fault)));
    socket.once('close', () => (clearTimeout(timer), reject(unreachable(undefined))));
    socket.once(readyEvent(proxy), () => (clearTimeout(timer), resolve()));
  }).finally(() => socket.destroy());
}
