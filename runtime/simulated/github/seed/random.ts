/** A small seeded generator (mulberry32): the same seed gives the same data set on every machine. */
export interface Random {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** `count` different items, in their original order. */
  sample<T>(items: readonly T[], count: number): T[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  return {
    below,
    pick,
    chance: (probability) => next() < probability,
    sample(items, count) {
      const rest = items.map((item, index) => ({ item, index }));
      const chosen: typeof rest = [];
      while (chosen.length < count && rest.length > 0) chosen.push(...rest.splice(below(rest.length), 1));
      return chosen.sort((a, b) => a.index - b.index).map((entry) => entry.item);
    },
  };
}
