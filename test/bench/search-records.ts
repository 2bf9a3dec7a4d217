import type { Issue } from "../../generated/github/issues.ts";

/** Raised when the records change, so that files made of older ones are made anew. */
export const recordsVersion = 2;

export const amounts = { words: 50_000, repositories: 2_000, labels: 200, people: 20_000 } as const;

const years = { from: Date.UTC(2016, 0, 1), to: Date.UTC(2026, 0, 1) } as const;
const day = 86_400_000;

/** Random numbers from a seed (mulberry32). */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = mix(seed);
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** From `low` to `high`, both possible. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.next() * values.length)] as Value;
  }
}

/** Ranks with Zipf's law: rank r (from 0) as often as 1 / (r + 1) ** power. One look-up per draw (Vose's aliases). */
export class Zipf {
  readonly #share: Float64Array;
  readonly #alias: Int32Array;

  constructor(size: number, power: number) {
    const weights = Float64Array.from({ length: size }, (_, rank) => (rank + 1) ** -power);
    const sum = weights.reduce((all, one) => all + one, 0);
    const share = weights.map((one) => (one * size) / sum);
    this.#alias = new Int32Array(size);
    const small: number[] = [];
    const large: number[] = [];
    for (let rank = 0; rank < size; rank++) ((share[rank] ?? 0) < 1 ? small : large).push(rank);
    while (small.length > 0 && large.length > 0) {
      const [few, many] = [small.pop() ?? 0, large.at(-1) ?? 0];
      this.#alias[few] = many;
      share[many] = (share[many] ?? 0) - (1 - (share[few] ?? 0));
      if ((share[many] ?? 0) < 1) small.push(large.pop() ?? 0);
    }
    for (const rank of [...small, ...large]) share[rank] = 1;
    this.#share = share;
  }

  draw(random: Random): number {
    const at = random.next() * this.#share.length;
    const rank = Math.floor(at);
    return at - rank < (this.#share[rank] ?? 1) ? rank : (this.#alias[rank] ?? rank);
  }
}

/** The issues of many repositories: each follows from the seed and its number alone. */
export class Records {
  readonly size: number;
  readonly seed: number;
  readonly words: readonly string[];
  readonly repositories: readonly string[];
  readonly #zipf = new Zipf(amounts.words, 1);
  readonly #repository: Uint16Array;
  readonly #number: Int32Array;
  readonly #labels: readonly Issue["labels"][number][];

  constructor(size: number, seed = 1) {
    this.size = size;
    this.seed = seed;
    const random = new Random(seed);
    this.words = makeWords(random);
    this.repositories = Array.from(
      { length: amounts.repositories },
      (_, at) => `${this.words[100 + (at >> 2)]}-${at >> 4}/${this.words[500 + at * 7]}`,
    );
    this.#labels = Array.from({ length: amounts.labels }, (_, at) => ({
      id: `LA_kwDO${mix(at).toString(36)}`,
      name: `${this.words[at]}/${this.words[at + 300]}`,
      color: (mix(at) & 0xffffff).toString(16).padStart(6, "0"),
    }));
    const sizes = new Zipf(amounts.repositories, 0.7);
    const last = new Int32Array(amounts.repositories);
    this.#repository = Uint16Array.from({ length: size }, () => sizes.draw(random));
    this.#number = Int32Array.from(this.#repository, (repository) => {
      last[repository] = (last[repository] ?? 0) + 1;
      return last[repository] ?? 0;
    });
  }

  /** Deterministic, whatever was asked for before. `version` is how often it was changed since. */
  record(at: number, version = 0): Issue {
    const random = new Random(Math.imul(this.seed, 0x9e3779b1) + at);
    const repository = this.repositories[this.#repository[at] ?? 0] ?? "";
    const number = this.#number[at] ?? at;
    const created = years.from + Math.floor((random.next() * (years.to - years.from)) / 1000) * 1000;
    const later = created + Math.floor((-Math.log(1 - random.next()) * 90 * day) / 1000) * 1000;
    // No heap of records at the end of time.
    const changedAt = later < years.to ? later : created + Math.floor((random.next() * (years.to - created)) / 1000) * 1000;
    const closed = random.next() < 0.7;
    const why = random.next();
    const title = capital(this.#text(random, random.int(5, 12)));
    const body = this.#body(random, random.int(200, 2_000));
    const record: Issue = {
      id: idOf(at),
      databaseId: 1_000_000_000 + (mix(at ^ 0x5bd1e995) % 2_000_000_000),
      number,
      repository,
      title,
      body,
      state: closed ? "closed" : "open",
      stateReason: closed ? (why < 0.8 ? "completed" : why < 0.95 ? "not_planned" : "duplicate") : why < 0.05 ? "reopened" : null,
      author: random.next() < 0.01 ? null : person(random),
      labels: Array.from({ length: random.int(0, 3) }, () => random.pick(this.#labels)),
      assignees: Array.from({ length: random.int(-2, 2) < 0 ? 0 : random.int(0, 2) }, () => {
        const { id, login, url } = person(random);
        return { id: id ?? "", login, url, databaseId: mix(login.length) % 1_000_000 };
      }),
      milestone: null,
      commentCount: Math.floor(-Math.log(1 - random.next()) * 6),
      locked: random.next() < 0.02,
      createdAt: timestamp(created),
      updatedAt: timestamp(changedAt),
      closedAt: closed ? timestamp(created + (changedAt - created) * 0.9) : null,
      url: `https://github.com/${repository}/issues/${number}`,
    };
    return version === 0 ? record : changed(record, random, version);
  }

  /** A base word by its rank: 0 is the most common one. */
  word(rank: number): string {
    return this.words[rank] ?? "";
  }

  #text(random: Random, count: number): string {
    const words: string[] = [];
    for (let one = 0; one < count; one++) words.push(this.#word(random));
    return words.join(" ");
  }

  #body(random: Random, length: number): string {
    let text = "";
    let begins = true;
    while (text.length < length) {
      const word = this.#word(random);
      if (text !== "") text += begins && random.next() < 0.2 ? "\n\n" : " ";
      text += begins ? capital(word) : word;
      begins = random.next() < 0.1;
      if (begins) text += ".";
    }
    // A text that comes from a platform is in one piece, and this one is in hundreds.
    return Buffer.from(text.slice(0, 2_000)).toString();
  }

  /** About one word in a hundred has a typing error. */
  #word(random: Random): string {
    const word = this.words[this.#zipf.draw(random)] ?? "";
    return random.next() < 0.01 ? misspelt(word, random) : word;
  }
}

/** What one issue has become after something happened to it. */
function changed(record: Issue, random: Random, version: number): Issue {
  const state = random.next() < 0.5 ? record.state : record.state === "open" ? "closed" : "open";
  const updatedAt = timestamp(years.to + version * day + Math.floor(random.next() * 86_400) * 1000);
  return {
    ...record,
    state,
    updatedAt,
    closedAt: state === "closed" ? updatedAt : null,
    stateReason: state === "closed" ? "completed" : "reopened",
    commentCount: record.commentCount + 1,
    body: random.next() < 0.2 ? `${record.body.slice(0, -1)}. Changed.` : record.body,
  };
}

/** Like a node id of GitHub: its order has nothing to do with time. */
function idOf(at: number): string {
  const bytes = Buffer.alloc(12);
  bytes.writeInt32BE(mix(at + 0x1234567) | 0, 0);
  bytes.writeInt32BE(mix(at ^ 0x7f4a7c15) | 0, 4);
  bytes.writeInt32BE(at, 8);
  return `I_kwDO${bytes.toString("base64url")}`;
}

function person(random: Random) {
  const number = Math.floor(random.next() ** 2 * amounts.people);
  const login = `user-${number.toString(36)}`;
  return {
    id: `U_kgDO${mix(number).toString(36)}`,
    login,
    url: `https://github.com/${login}`,
    kind: random.next() < 0.05 ? "Bot" : "User",
  };
}

function makeWords(random: Random): string[] {
  const begins = [
    ..."bcdfghjklmnprstvwz",
    "br",
    "ch",
    "cl",
    "cr",
    "dr",
    "fl",
    "gr",
    "pl",
    "pr",
    "sh",
    "sl",
    "sp",
    "st",
    "tr",
    "th",
  ];
  const vowels = [..."aeiou", "ea", "ai", "io", "ou"];
  const ends = [..."nrstlmdk", "ng", "ck", "st", "nt", "ss"];
  const words = new Set<string>();
  while (words.size < amounts.words) {
    // Common words are short.
    const longest = words.size < 300 ? 1 : words.size < 5_000 ? 2 : 3;
    let word = "";
    for (let syllable = random.int(1, longest); syllable > 0; syllable--)
      word += random.pick(begins) + random.pick(vowels) + (random.next() < 0.4 ? random.pick(ends) : "");
    words.add(word);
  }
  return [...words];
}

export function misspelt(word: string, random: Random): string {
  const at = random.int(0, Math.max(0, word.length - 1));
  const letter = String.fromCharCode(97 + random.int(0, 25));
  switch (random.int(0, 3)) {
    case 0:
      return word.slice(0, at) + letter + word.slice(at + 1);
    case 1:
      return word.slice(0, at) + letter + word.slice(at);
    case 2:
      return word.length > 2 ? word.slice(0, at) + word.slice(at + 1) : word + letter;
    default:
      return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
  }
}

function timestamp(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Bits of a number, thoroughly shuffled. */
function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
