import { describe, expect, it } from "vitest";
import { CodeScanner } from "../../../runtime/semantic/code-scanner.ts";
import { signCode, vectorCode } from "../../../runtime/semantic/vectors.ts";
import { createRandom } from "../../../runtime/simulated/github/seed/random.ts";

const dims = 40;
const random = createRandom(5);
const vectorOf = () => Float32Array.from({ length: dims }, () => random.below(2_001) / 1_000 - 1);
const average = vectorOf().map((member) => member / 10);
const vectors = Array.from({ length: 70_000 }, vectorOf);
const prompt = vectorOf();
const scanner = new CodeScanner(dims);
for (let at = 0; at < vectors.length; at += 997)
  scanner.add(Buffer.concat(vectors.slice(at, at + 997).map((vector) => vectorCode(vector, average))));
const closed = Uint8Array.from(vectors, (_, slot) => (slot % 5 === 0 ? 1 : 0));

/** 3, 1, -1 or -3 for a member: the side of its mean, and whether it is far from it. */
function levels(vector: Float32Array): number[] {
  const from = [...vector].map((member, index) => member - (average[index] ?? 0));
  const far = (1.25 * from.reduce((sum, one) => sum + Math.abs(one), 0)) / dims;
  return from.map((one) => (one > 0 ? 1 : -1) * (Math.abs(one) > far ? 3 : 1));
}

describe("the scanner of codes", () => {
  const near = scanner.nearest(prompt, signCode(prompt, average), 500, closed, () => undefined);

  it("finds the open slots with the fewest different signs, over several blocks", () => {
    const signs = (vector: Float32Array) => [...vector].map((member, index) => member > (average[index] ?? 0));
    const asked = signs(prompt);
    const distances = vectors.map((vector) => signs(vector).filter((sign, index) => sign !== asked[index]).length);
    const open = [...distances.keys()].filter((slot) => closed[slot] === 0);
    const farthest = open.map((slot) => distances[slot] ?? 0).sort((a, b) => a - b)[499] ?? 0;
    expect([...near.slots]).toEqual(open.filter((slot) => (distances[slot] ?? 0) <= farthest));
    expect(near.slots.at(-1)).toBeGreaterThan(65_536);
  });

  it("estimates products by the signs, and better ones by the whole codes", () => {
    const slots = [...near.slots].reverse();
    const refined = scanner.refined(slots);
    for (const [place, slot] of slots.entries()) {
      const wanted = levels(vectors[slot] ?? prompt);
      const sum = (values: readonly number[]) => values.reduce((all, value, index) => all + value * (prompt[index] ?? 0), 0);
      expect(near.estimates[slots.length - 1 - place]).toBeCloseTo(sum(wanted.map(Math.sign)), 4);
      expect(refined[place]).toBeCloseTo(sum(wanted), 4);
    }
  });
});
