import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GitHub } from "../../generated/github/client.ts";
import { github } from "../../generated/github/index.ts";
import { storeAction } from "../../runtime/contract/index.ts";
import { ownerToken } from "../../spec/github/simulator/tokens.ts";
import { byCommandLine, byLibrary, byTools, type Outcome, overHttp, type Triple, type Way } from "../conformance/ways.ts";
import { apiKey, useTenon } from "./support/service.ts";

// The same triple has the same outcome whichever way it takes. The cases come from the spec: for each action its example, and what can be
// wrong with any action.

const running = useTenon({ mcpWrites: true });
const ways: Way[] = [];
let tools: Awaited<ReturnType<typeof byTools>> | undefined;
beforeAll(async () => {
  const { url } = running.tenon;
  const { url: restUrl, graphqlUrl } = running.platform;
  tools = await byTools(url, apiKey, github);
  ways.push(
    overHttp(url, apiKey, "github"),
    byLibrary("the library on a service", GitHub, { baseUrl: url, apiKey }),
    byLibrary("the library in local mode", GitHub, { accessToken: ownerToken, restUrl, graphqlUrl }),
    byCommandLine(url, apiKey, "github"),
    tools,
  );
});
afterAll(() => tools?.close());

type Schema = Readonly<Record<string, unknown>>;
const { schemas } = (JSON.parse(readFileSync(github.openapi, "utf8")) as { components: { schemas: Record<string, Schema> } })
  .components;

interface Case {
  readonly what: string;
  readonly triple: Triple;
}

const example = (schema: Schema | undefined): unknown => (schema?.["examples"] as unknown[] | undefined)?.[0];

/** An action with the examples of its required params, and with each thing that can be wrong. */
function casesOf(entity: string, action: string): Case[] {
  const schema = schemas[`${entity}.${action}.params`] ?? {};
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema["required"] ?? []) as string[];
  const params = Object.fromEntries(required.map((name) => [name, example(properties[name])]));
  const [first] = required;
  const made = (what: string, more: object, without?: string): Case => {
    const all = Object.entries({ ...params, ...more }).filter(([name]) => name !== without);
    return { what, triple: { entity, action, params: Object.fromEntries(all) } };
  };
  return [
    ...(action === "update" ? [] : [made("its example", {})]),
    ...(action === "update" ? [made("its example", { title: "Changed" })] : []),
    ...(first === undefined ? [] : [made(`no ${first}`, {}, first), made(`${first} of a wrong type`, { [first]: [1] })]),
    made("an unknown param", { unknown_param: 1 }),
    made("an unknown field", { fields: ["no_such_field"] }),
    ...(properties["per_page"] === undefined ? [] : [made("a page that is too large", { per_page: 101 })]),
    ...(properties["after"] === undefined ? [] : [made("a cursor of nowhere", { after: "not a cursor" })]),
    ...(properties["repo"] === undefined ? [] : [made("a repository that is not there", { repo: "no-such-repository" })]),
  ];
}

function searchCases(entity: string): Case[] {
  const search = (what: string, params: Triple["params"]): Case => ({ what, triple: { entity, action: storeAction, params } });
  return [
    search("all", { query: {}, limit: 2 }),
    search("an unknown operator", { query: { filter: { equals: { id: 1 } } } }),
    search("an unknown field", { query: { filter: { eq: { no_such_field: 1 } } } }),
    search("a cursor of nowhere", { query: {}, cursor: "not a cursor" }),
  ];
}

const entities = Object.entries(github.entities);
const cases = entities.flatMap(([entity, { actions }]) => [
  ...Object.keys(actions).flatMap((action) => casesOf(entity, action)),
  ...searchCases(entity),
]);

/** Without what differs from call to call: times, and how long a search took. */
function steady(outcome: Outcome): unknown {
  const text = JSON.stringify(outcome)
    .replace(/"took_ms":[\d.]+/g, '"took_ms":0')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>");
  const { advice: _advice, ...meta } = (JSON.parse(text) as { meta?: Record<string, unknown> }).meta ?? {};
  return { ...JSON.parse(text), ...("data" in outcome ? { meta } : {}) };
}

/** Pointers of a tool's arguments have another root than those of a request, so only their last member is compared. */
const places = (outcome: Outcome): Outcome =>
  "code" in outcome
    ? { ...outcome, pointers: outcome.pointers.map((pointer) => pointer.split("/").at(-1) ?? "").sort() }
    : outcome;

describe("every way into Tenon", () => {
  it("is tried with every action of every entity", () => {
    expect(cases.length).toBeGreaterThan(entities.length * 8);
    const missing = cases.filter(({ triple }) => Object.values(triple.params).includes(undefined));
    expect(missing.map(({ what, triple }) => `${triple.entity}.${triple.action}: ${what}`)).toEqual([]);
  });

  it.each(entities.map(([name]) => name))("gives the same for %s", async (entity) => {
    for (const { what, triple } of cases.filter((one) => one.triple.entity === entity)) {
      const writes = Object.entries(github.entities[entity]?.actions ?? {}).some(
        ([name, { traits }]) => name === triple.action && traits.writes,
      );
      // What one way has written must not change what the next one finds.
      const reset = () => writes && running.platform.reset();
      const [first, ...others] = ways;
      reset();
      const expected = await first?.run(triple);
      if (expected === undefined) throw new Error("there is no way");
      if (what === "its example" || what === "all") expect(expected, `${triple.entity}.${triple.action}`).toHaveProperty("data");
      else expect(expected, `${triple.entity}.${triple.action}: ${what}`).toHaveProperty("code");
      for (const way of others) {
        if (way.takes?.(triple) === false) continue;
        reset();
        const label = `${triple.entity}.${triple.action}, ${what}: ${way.name}`;
        const found = await way.run(triple);
        if (way.name.includes("local mode") && triple.action === storeAction) {
          // The one difference: a client in local mode has no store.
          expect(found, label).toEqual({ code: "context_store_unavailable", pointers: [] });
          continue;
        }
        const wanted = way.shaped?.(expected) ?? expected;
        expect(steady(places(found)), label).toEqual(steady(places(wanted)));
      }
    }
  });
});
