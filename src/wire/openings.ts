/** Addresses that are remembered; the one opened longest ago goes first. */
const REMEMBERED_MAX = 1_000;

/**
 * When the proxy last opened a tunnel, by address: the only evidence by which its "I could not reach that" is held to
 * be true. A proxy that opens tunnels to nobody is in trouble itself.
 */
export class Openings {
  readonly #openedAtMs = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  note(address: string): void {
    this.#openedAtMs.delete(address);
    this.#openedAtMs.set(address, performance.now());
    const [oldest] = this.#openedAtMs.keys();
    if (this.#openedAtMs.size > REMEMBERED_MAX && oldest !== undefined) this.#openedAtMs.delete(oldest);
    for (const look of [...this.#waiting]) look();
  }

  /** Whether a tunnel was opened since then (`performance.now()`) to an address other than these. */
  elsewhere(addresses: readonly string[], sinceMs: number): boolean {
    for (const [address, atMs] of this.#openedAtMs) {
      if (atMs >= sinceMs && !addresses.includes(address)) return true;
    }
    return false;
  }

  /** As {@link elsewhere}, and waits that long for it; ends early where the signal fires. */
  async awaitElsewhere(
    addresses: readonly string[],
    sinceMs: number,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (this.elsewhere(addresses, sinceMs)) return true;
    if (signal.aborted || waitMs <= 0) return false;
    return new Promise((resolve) => {
      const end = (seen: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        signal.removeEventListener('abort', giveUp);
        resolve(seen);
      };
      const look = (): void => {
        if (this.elsewhere(addresses, sinceMs)) end(true);
      };
      const giveUp = (): void => end(false);
      const timer = setTimeout(giveUp, waitMs);
      this.#waiting.add(look);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
