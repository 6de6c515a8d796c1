/** Numbers that a seed decides: the same seed, the same numbers, on every machine. */
export interface Random {
  /** 0 to below 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  /** A shuffled copy. */
  shuffled<T>(from: readonly T[]): T[];
}

/** Mulberry32 over a hash of the words, so that neighbouring seeds have nothing in common. */
export function randomOf(...words: readonly (string | number)[]): Random {
  let state = 2_166_136_261;
  for (const char of words.join('/')) state = Math.imul(state ^ char.charCodeAt(0), 16_777_619);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    whole,
    pick: (from) => from[whole(0, from.length - 1)] as (typeof from)[number],
    shuffled: (from) => {
      const all = [...from];
      for (let i = all.length - 1; i > 0; i -= 1) {
        const j = whole(0, i);
        [all[i], all[j]] = [all[j] as (typeof all)[number], all[i] as (typeof all)[number]];
      }
      return all;
    },
  };
}
