import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { driftOf } from "../../generator/drift/drift.ts";
import { isObject } from "../../runtime/base/is-object.ts";
import { publishedFolder, publishedVersions } from "../support/published.ts";
import { brokenBy } from "../support/rest-truth.ts";
import { seeded } from "../support/seeded.ts";
import { allFolders, allModels } from "../support/specs.ts";

type Node = Readonly<Record<string, unknown>>;

const folder = allFolders().find(({ path }) => path === "spec/figma");
const model = allModels().find(({ name }) => name === "figma");
if (folder === undefined || model === undefined) throw new Error("there is no connector figma");
const own = JSON.parse(folder.read("description.json") ?? "") as Node;
// What the spec overrides, because the description is wrong there.
const known = brokenBy(model, own);

/** Holds what the comparison finds to what a walk through the description finds. @returns the numbers of changes and of broken actions */
function holds(description: Node, what: string): readonly [changes: number, broken: number] {
  const broken = new Map(
    [...brokenBy(model as NonNullable<typeof model>, description)]
      .map(([action, facts]) => [action, facts.filter((fact) => !known.get(action)?.includes(fact))] as const)
      .filter(([, facts]) => facts.length > 0),
  );
  const drift = driftOf(folder as NonNullable<typeof folder>, JSON.stringify(description));
  expect([what, drift.diagnostics]).toEqual([what, []]);
  const breaking = drift.changes.filter(({ kind }) => kind === "breaking");
  const found = new Set(breaking.flatMap(({ actions = [] }) => actions));
  const missed = [...broken].filter(([action]) => !found.has(action.replace(/\.sync$/, ".context_store_search")));
  expect([what, missed]).toEqual([what, []]);
  // The search of the cache reads what the calls of its entity return.
  const isBroken = (action: string) =>
    broken.has(action) ||
    (action.endsWith("_search") && [...broken.keys()].some((one) => one.split(".")[0] === action.split(".")[0]));
  const alarms = breaking.filter(({ actions = [] }) => !actions.some(isBroken));
  expect([what, alarms.map(({ path, message }) => `${path}: ${message}`)]).toEqual([what, []]);
  return [breaking.length, broken.size];
}

/** Paths of all objects in a description that are members named so. */
function* membersNamed(
  node: unknown,
  wanted: (key: string, value: unknown) => boolean,
  at: readonly string[] = [],
): Generator<readonly string[]> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (wanted(key, value)) yield [...at, key];
    yield* membersNamed(value, wanted, [...at, key]);
  }
}

type Change = (parent: Record<string, unknown>, key: string) => void;

/** The kinds of a change: the members that it can change, and what it does with one. */
const changes: readonly (readonly [what: string, wanted: (key: string, value: unknown) => boolean, change: Change])[] = [
  ["without a member of", (key) => key === "properties", (parent, key) => drop(parent[key])],
  [
    "nothing is required in",
    (key, value) => key === "required" && Array.isArray(value),
    (parent, key) => Reflect.set(parent, key, [String([parent[key]].flat(2)[0])]),
  ],
  [
    "without a param of",
    (key, value) => key === "parameters" && Array.isArray(value) && value.length > 0,
    (parent, key) => drop(parent[key]),
  ],
  ["without a value of", (key, value) => key === "enum" && Array.isArray(value), (parent, key) => drop(parent[key])],
  [
    "another type of",
    (key, value) => key === "type" && (value === "string" || value === "boolean"),
    (parent, key) => Reflect.set(parent, key, "number"),
  ],
  ["without a call of", (key) => /^\/v\d/.test(key), (parent, key) => drop(parent[key])],
];

function drop(value: unknown): void {
  if (Array.isArray(value)) value.pop();
  else if (isObject(value)) Reflect.deleteProperty(value, Object.keys(value).at(-1) ?? "");
}

/** Descriptions with one change each. */
function* mutants(count: number, seed: number): Generator<readonly [what: string, description: Node]> {
  const random = seeded(seed);
  for (let number = 0; number < count; number++) {
    const copy = JSON.parse(JSON.stringify(own)) as Node;
    const [what, wanted, change] = changes[number % changes.length] ?? changes[0] ?? [];
    if (what === undefined || wanted === undefined || change === undefined) return;
    const places = [...membersNamed(copy, wanted)].filter((at) => !at.some((key) => key.includes("Error")));
    const place = places[Math.floor(random() * places.length)] ?? [];
    const parent = place.slice(0, -1).reduce<unknown>((here, key) => (here as Record<string, unknown>)[key], copy);
    change(parent as Record<string, unknown>, place.at(-1) ?? "");
    yield [`${what} ${place.join("/")}`, copy];
  }
}

describe("ground truth of a walk through a REST description", () => {
  it("is nothing for the description of the spec", () => {
    expect(holds(own, "own")).toEqual([0, 0]);
  });

  const count = Number(process.env["TENON_TEST_SEEDS"] ?? 0) || 12;
  it(`finds the same on ${count} descriptions of Figma with one change each`, () => {
    let found = 0;
    for (const [what, description] of mutants(count, 3)) found += holds(description, what)[0] > 0 ? 1 : 0;
    expect(found).toBeGreaterThan(count / 4);
  });

  it.skipIf(publishedFolder === undefined)(
    "finds the same on published descriptions of figma",
    async () => {
      const files = await publishedVersions("figma");
      expect(files.length).toBeGreaterThanOrEqual(10);
      for (const file of files) {
        const [breaking, broken] = holds(parse(readFileSync(file, "utf8")) as Node, file);
        console.log(`${file}: ${breaking} breaking, ${broken} actions`);
      }
    },
    1_800_000,
  );
});
