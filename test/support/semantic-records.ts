import fc from "fast-check";
import { expect } from "vitest";
import type { StorePlan } from "../../runtime/contract/index.ts";
import { compareTexts, interpret, QueryParser, type RecordObject } from "../../runtime/search/index.ts";
import { contextOf } from "../../runtime/semantic/context.ts";
import { cutPassages } from "../../runtime/semantic/passages.ts";
import { factorBytes, packVector } from "../../runtime/semantic/vectors.ts";
import type { SemanticAnswer, SemanticQuery, SemanticStore } from "../../runtime/store/semantic.ts";
import type { Collection } from "../../runtime/store/store.ts";
import { embed } from "./embeddings.ts";

// Records and searches by meaning, and what a store must find.

/** An entity with a text that is searched by meaning. */
export const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    number: { type: "integer", index: "exact" },
    state: { type: "string", index: "exact", values: ["open", "closed"] },
    body: { type: "string", index: "text", nullable: true },
  },
  semantic: { fields: { body: { window: 200 } }, hit: { key: "id", number: "number" } },
};
/** An entity without one. */
export const others: StorePlan = { key: ["id"], fields: { id: { type: "string", index: "exact" } } };
const words = "crash memory leak slow button colour login token refresh page export import parser queue worker deadline".split(
  " ",
);
const sentence = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 }).map((list) => `${list.join(" ")}.`);
export const bodies = fc.oneof(
  { weight: 8, arbitrary: fc.array(sentence, { minLength: 1, maxLength: 60 }).map((list) => list.join(" ")) },
  { weight: 1, arbitrary: fc.constantFrom(null, "", "   ", "> quoted only") },
);
export const things = (most: number) =>
  fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-z0-9]{1,4}$/),
      number: fc.nat(20),
      state: fc.constantFrom("open", "closed"),
      body: bodies,
    }),
    { selector: ({ id }) => id, maxLength: most },
  );

interface Given {
  readonly prompt: string;
  readonly dedup: "max" | "none";
  readonly filter: object | undefined;
  readonly minSimilarity: number | undefined;
}
export const searches: fc.Arbitrary<Given> = fc.record({
  prompt: sentence,
  dedup: fc.constantFrom("max", "none"),
  filter: fc.option(
    fc.constantFrom<object>(
      { eq: { state: "open" } },
      { lt: { number: 7 } },
      { keyword: { body: "memory" } },
      { or: [{ eq: { state: "closed" } }, { gt: { number: 15 } }] },
      { not: { keyword: { body: "crash leak" } } },
    ),
    { nil: undefined },
  ),
  minSimilarity: fc.option(fc.constantFrom(-1, 0, 0.3), { nil: undefined }),
});

export const dims = 48;

export function queryOf({ prompt, dedup, filter, minSimilarity }: Given, more: Partial<SemanticQuery> = {}): SemanticQuery {
  const condition = filter === undefined ? undefined : new QueryParser("things", plan.fields).filter(filter, []);
  return {
    field: "body",
    model: "test-model",
    vector: embed(prompt, dims),
    dedup,
    contextSize: 200,
    limit: 100,
    fields: null,
    explain: true,
    ...(condition === undefined ? {} : { filter: condition }),
    ...(minSimilarity === undefined ? {} : { minSimilarity }),
    ...more,
  };
}

/** The definition: every passage of every record that the filter allows, by the cosine of its stored vector. */
export function wanted(
  records: readonly RecordObject[],
  { prompt, dedup, filter, minSimilarity = -1 }: Given,
  contextSize = 200,
) {
  const condition = filter === undefined ? undefined : new QueryParser("things", plan.fields).filter(filter, []);
  const holds = condition === undefined ? () => true : interpret(condition, plan.fields);
  const vector = embed(prompt, dims);
  const score = (text: string) => {
    const packed = packVector(embed(text, dims), dims);
    const factor = new DataView(packed.buffer).getFloat32(0, true);
    const bytes = new Int8Array(packed.buffer, factorBytes);
    return vector.reduce((sum, member, at) => sum + member * (bytes[at] ?? 0), 0) * factor;
  };
  const hits = records.filter(holds).flatMap((record) => {
    const passages = cutPassages(String(record["body"] ?? "")).map(({ at, end, text }) => ({
      key: String(record["id"]),
      at,
      end,
      score: score(text),
    }));
    if (dedup === "none") return distinct(String(record["body"] ?? ""), passages, contextSize);
    const [best, second] = passages.toSorted((a, b) => b.score - a.score);
    if (best === undefined) return [];
    return [{ ...best, score: (best.score + 0.2 * (best.score + (second ?? best).score)) / 1.4 }];
  });
  return hits
    .filter((hit) => hit.score >= minSimilarity - 1e-6)
    .sort((a, b) => b.score - a.score || compareTexts(a.key, b.key) || a.at - b.at);
}

/** Without the passages that show nothing but what a better one shows. */
function distinct<One extends { at: number; end: number; score: number }>(body: string, passages: One[], size: number): One[] {
  const best = new Map<string, One>();
  for (const one of passages.toSorted((a, b) => a.score - b.score || b.at - a.at)) best.set(contextOf(body, one, size), one);
  return [...best.values()];
}

/** Each hit says where its passage is, and no two hits of a record show the same. */
export function expectPlaces(answer: SemanticAnswer, records: readonly RecordObject[], contextSize: number) {
  const shown = answer.hits.map(({ entity, metadata }) => `${String(entity["key"])} ${metadata.context}`);
  expect(new Set(shown).size).toBe(shown.length);
  for (const { entity, metadata } of answer.hits) {
    const body = String(records.find(({ id }) => id === entity["key"])?.["body"]);
    const { start, end, context } = metadata;
    expect(cutPassages(body)).toContainEqual(expect.objectContaining({ at: start, end }));
    expect(context).toBe(contextOf(body, { at: start, end }, contextSize));
  }
}

export function keysOf(answer: SemanticAnswer): { key: unknown; score: number }[] {
  return answer.hits.map(({ entity, metadata }) => ({ key: entity["key"], score: metadata.score }));
}

/** The same hits with the same scores; hits whose scores differ by less than rounding may change places. */
export function expectSame(
  found: readonly { key: unknown; score: number }[],
  want: readonly { key: string; score: number }[],
  bound: number,
) {
  const sure = want.filter(({ score }) => bound === -1 || score >= bound + 1e-5);
  expect(found.length).toBeGreaterThanOrEqual(sure.length);
  for (const [place, { key, score }] of found.entries()) {
    expect(score).toBeCloseTo(want[place]?.score ?? Number.NaN, 4);
    expect(want.some((one) => one.key === key && Math.abs(one.score - score) < 1e-4)).toBe(true);
  }
}

/** Records that are all as near to the prompt `crash memory`. */
export const alike = Array.from({ length: 7 }, (_, at) => ({
  id: `k${at}`,
  number: at,
  state: "open",
  body: "crash memory leak.",
}));

/**
 * Checks that hits end at the bytes that a search allows, and that the next ones begin behind them. The store has the records of {@link
 * alike}.
 */
export async function expectWithinBytes(store: SemanticStore, collection: Collection): Promise<void> {
  const all = queryOf({ prompt: "crash memory", dedup: "max", filter: undefined, minSimilarity: undefined });
  const find = (query: SemanticQuery) => store.searchByMeaning(collection, query, performance.now() + 100_000);
  const { hits } = await find(all);
  const two = hits.slice(0, 2).reduce((sum, hit) => sum + JSON.stringify(hit).length, 0);
  const walked: SemanticAnswer[] = [];
  for (let after: SemanticQuery["after"]; walked.at(-1)?.more !== false; after = walked.at(-1)?.last)
    walked.push(await find({ ...all, bytes: two, ...(after === undefined ? {} : { after }) }));
  expect(walked.map((answer) => answer.hits.length)).toEqual([2, 2, 2, 1]);
  expect(walked.flatMap((answer) => answer.hits)).toEqual(hits);
  // The more were seen, the more passages are scored for the next ones.
  expect(walked.map((answer) => answer.last?.seen)).toEqual([2, 4, 6, 7]);
  expect((await find({ ...all, bytes: 1 })).hits).toEqual(hits.slice(0, 1));
}

/** A record with two passages that are equally near to the prompt `crash memory`. */
export const twofold = [
  {
    id: "k",
    number: 1,
    state: "open",
    body: ["crash memory", "Crash memory"].map((words) => `${`${words} `.repeat(50).trim()}.`).join("\n\n"),
  },
];

/** Checks that a walk gives both passages of {@link twofold}, which the store has, in the order of the text. */
export async function expectBothPassages(store: SemanticStore, collection: Collection): Promise<void> {
  const one = queryOf({ prompt: "crash memory", dedup: "none", filter: undefined, minSimilarity: undefined }, { limit: 1 });
  const find = (query: SemanticQuery) => store.searchByMeaning(collection, query, performance.now() + 100_000);
  const first = await find(one);
  const second = await find(first.last === undefined ? one : { ...one, after: first.last });
  expect([first, second].map(({ hits, more }) => [hits.map(({ metadata }) => metadata.start), more])).toEqual([
    [[0], true],
    [[652], false],
  ]);
}
