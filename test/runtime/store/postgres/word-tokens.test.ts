import { describe, expect, it } from "vitest";
import { halfSipHash, wordToken } from "../../../../runtime/store/postgres/words/word-tokens.ts";

/** `vectors_hsip64` of the reference implementation: of the bytes 0, 1, 2 …, as many as it says, with the key 0, 1 … 7. */
const vectors: readonly (readonly [bytes: number, hash: string])[] = [
  [0, "218d1f59b9b83cc8"],
  [2, "064f39ef7c50eb57"],
  [4, "d5e78a175be52ea1"],
  [6, "ce3e91358aa2bc25"],
  [8, "edfee820bce4858c"],
  [12, "7bc71f9faef5c799"],
  [14, "3bb1a870eae8e658"],
];

describe("tokens of words", () => {
  it.each(vectors)("are hashed as the reference implementation does with %i bytes", (bytes, hash) => {
    const text = Buffer.from(Array.from({ length: bytes }, (_, at) => at)).toString("utf16le");
    const result = Buffer.alloc(8);
    result.writeBigInt64LE(halfSipHash(0x03020100, 0x07060504, text));
    expect(result.toString("hex")).toBe(hash);
  });

  it("are other ones in another instance, and for another word", () => {
    const words = Array.from({ length: 10_000 }, (_, at) => `word${at}`);
    const tokens = new Set([1, 2, 3].flatMap((inst) => words.map((word) => wordToken(inst, word))));
    expect(tokens.size).toBe(30_000);
    // Tokens are stored: another value would make the words of every database unfindable.
    expect([wordToken(1, "word7"), wordToken(2, "word7")]).toEqual([6106714171670986391n, -399736879819739623n]);
  });
});
