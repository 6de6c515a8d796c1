import { Socket } from 'node:net';

/** Addresses that sockets of this process were really opened to, oldest first; made by {@link watchDials}. */
export interface Dials {
  /** What was dialled since the last call. */
  take(): string[];
  stop(): void;
}

/**
 * Sees each address that any socket of this process tries to connect to, below all code that is under proof: node
 * announces it (`connectionAttempt`) right before it asks the kernel.
 */
export function watchDials(): Dials {
  const connect = Socket.prototype.connect;
  let dialled: string[] = [];
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    this.on('connectionAttempt', (address: string) => dialled.push(address));
    return Reflect.apply(connect, this, args) as Socket;
  } as typeof connect;
  return {
    take() {
      const taken = dialled;
      dialled = [];
      return taken;
    },
    stop: () => void (Socket.prototype.connect = connect),
  };
}
