import { TokenSet } from "./token-set.ts";

// HalfSipHash-2-4 with 64 bits, of words in UTF-16. Source: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", and the
// reference implementation, https://github.com/veorq/SipHash.

/** Words, and what stands for them in an index of words: of each token first the upper 32 bits, then the lower ones. */
export interface TokenList {
  readonly words: readonly string[];
  readonly tokens: readonly number[];
}

/**
 * What stands for a word of an instance in an index of words: a hash, because an index of numbers is made in less than half the time that
 * texts take. Of some hundred thousand instances with ten million words each, one has two words with the same token; each of these two
 * finds the records of the other too.
 */
export function wordToken(inst: number, word: string): bigint {
  return halfSipHash(inst, 0, word);
}

/** Some words, each once, with their tokens. Numbers of 64 bits would take several times as long to make and to write. */
export function tokensOf(inst: number, words: readonly string[]): TokenList {
  listed.clear();
  const distinct: string[] = [];
  const tokens: number[] = [];
  for (const word of words) {
    hash(inst, 0, word);
    if (!listed.add(upper, lower)) continue;
    distinct.push(word);
    tokens.push(upper, lower);
  }
  return { words: distinct, tokens };
}

/** Used by one call after the other. Making a new set of texts each time takes longer than all tokens do. */
const listed = new TokenSet();

/** @param low the first four bytes of the key as a number, the lowest byte first @param high the other four */
export function halfSipHash(low: number, high: number, text: string): bigint {
  hash(low, high, text);
  return (BigInt(upper) << 32n) | BigInt(lower >>> 0);
}

/** The two halves of the last hash. */
let upper = 0;
let lower = 0;

function hash(low: number, high: number, text: string): void {
  let v0 = low;
  let v1 = high ^ 0xee;
  let v2 = 0x6c796765 ^ low;
  let v3 = 0x74656462 ^ high;
  const { length } = text;
  const blocks = (length >> 1) + 1;
  for (let step = 0; step < blocks + 2; step++) {
    // Two characters are a block of four bytes. The last one has what is left, and the number of bytes. Two more steps make the result.
    const at = 2 * step;
    const first = at < length ? text.charCodeAt(at) : 0;
    const block = at + 1 < length ? first | (text.charCodeAt(at + 1) << 16) : first | ((2 * length) << 24);
    if (step < blocks) v3 ^= block;
    else if (step === blocks) v2 ^= 0xee;
    else v1 ^= 0xdd;
    for (let rounds = step < blocks ? 2 : 4; rounds > 0; rounds--) {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }
    if (step < blocks) v0 ^= block;
    else if (step === blocks) lower = v1 ^ v3;
    else upper = v1 ^ v3;
  }
}
