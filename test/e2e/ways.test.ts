import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectors } from "../../generated/index.ts";
import type { ClientOptions } from "../../runtime/client/index.ts";
import { type Connector, storeAction } from "../../runtime/contract/index.ts";
import { singleCredential } from "../../runtime/platform/credential.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { startSimulator } from "../../runtime/simulator/start-thread.ts";
import { byCommandLine, byLibrary, byTools, type Outcome, overHttp, type Triple, type Way } from "../conformance/ways.ts";
import { withoutPace } from "../support/fake-instance.ts";
import { startPlatform } from "../support/github/start.ts";
import { apiKey, startTenon, type Tenon } from "./support/service.ts";

// The same triple has the same outcome whichever way it takes. The cases come from the specs: for each action its example, and what can be
// wrong with any action.

/** A simulated platform. */
interface Place {
  readonly rest: string | undefined;
  readonly graphql: string | undefined;
  readonly token: string;
  /** Puts the seeded data back; absent where the platform runs in a thread. */
  readonly reset?: () => void;
  close(): Promise<void>;
}

async function placeOf({ name, simulator }: Connector): Promise<Place> {
  if (name === "github") {
    const { url, graphqlUrl, reset, close } = await startPlatform();
    return { rest: url, graphql: graphqlUrl, token: ownerToken, reset, close };
  }
  if (simulator === undefined) throw new Error(`the connector ${name} has no simulator`);
  const { rest, graphql, token, close } = await startSimulator(simulator);
  return { rest, graphql, token, close };
}

/** The class of a connector's client: the one value that its module exports in the name of the connector. */
async function clientOf({ name, title }: Connector): Promise<new (options: ClientOptions) => unknown> {
  const module: Readonly<Record<string, unknown>> = await import(`../../generated/${name}/client.ts`);
  const found = Object.entries(module).find(([key]) => key === title.replaceAll(" ", ""));
  if (found === undefined) throw new Error(`the client of ${name} is not found`);
  return found[1] as new (
    options: ClientOptions,
  ) => unknown;
}

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

interface Case {
  readonly what: string;
  readonly triple: Triple;
}

const example = (schema: Schema | undefined): unknown => (schema?.["examples"] as unknown[] | undefined)?.[0];

/** An action with the examples of its required params, and with each thing that can be wrong. */
function casesOf(schemas: Schemas, entity: string, action: string, updates: boolean): Case[] {
  const schema = schemas[`${entity}.${action}.params`] ?? {};
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema["required"] ?? []) as string[];
  const params = Object.fromEntries(required.map((name) => [name, example(properties[name])]));
  const [first] = required;
  // An update that changes nothing is refused, so its example sets the first param that may be left out.
  const optional = Object.keys(properties).filter((name) => !required.includes(name) && example(properties[name]) !== undefined);
  const change = updates ? optional[0] : undefined;
  const made = (what: string, more: object, without?: string): Case => {
    const all = Object.entries({ ...params, ...more }).filter(([name]) => name !== without);
    return { what, triple: { entity, action, params: Object.fromEntries(all) } };
  };
  return [
    made("its example", change === undefined ? {} : { [change]: example(properties[change]) }),
    ...(first === undefined ? [] : [made(`no ${first}`, {}, first), made(`${first} of a wrong type`, { [first]: [1] })]),
    made("an unknown param", { unknown_param: 1 }),
    made("an unknown field", { fields: ["no_such_field"] }),
    ...(properties["per_page"] === undefined
      ? []
      : [made("a page that is too large", { per_page: Number(properties["per_page"]["maximum"]) + 1 })]),
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

/** The credential of a client in local mode: a token, or all values of a kind that takes several. */
function localCredential({ platform }: Connector, token: string): { readonly accessToken: string } {
  const [kind] = platform.auth.kinds;
  const names = Object.keys(kind?.values ?? {});
  if (kind === undefined || names.length < 2) return { accessToken: token };
  const variables = Object.fromEntries(Object.entries(platform.variables ?? {}).map(([name]) => [name, "x"]));
  return { variables, credential: { ...Object.fromEntries(names.map((name) => [name, token])), kind: kind.name } } as never;
}

function allCases({ openapi, entities }: Connector): Case[] {
  const { components } = JSON.parse(readFileSync(openapi, "utf8")) as { components: { schemas: Schemas } };
  return Object.entries(entities).flatMap(([entity, { actions, sync }]) => [
    ...Object.entries(actions).flatMap(([action, { traits }]) => casesOf(components.schemas, entity, action, traits.updates)),
    ...(sync.length === 0 ? [] : searchCases(entity)),
  ]);
}

/** Without what differs from call to call: times, and how long a search took. */
function steady(outcome: Outcome): unknown {
  const text = JSON.stringify(outcome)
    .replace(/"took_ms":[\d.]+/g, '"took_ms":0')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>");
  const { advice: _advice, ...meta } = (JSON.parse(text) as { meta?: Record<string, unknown> }).meta ?? {};
  return { ...JSON.parse(text), ...("data" in outcome ? { meta } : {}) };
}

/** Where a write cannot be undone, each way writes another record: then only the names of its members are compared. */
function formOf(outcome: Outcome): unknown {
  const { data } = outcome as { data?: unknown };
  return "data" in outcome && typeof data === "object" && data !== null ? Object.keys(data).sort() : outcome;
}

/** Pointers of a tool's arguments have another root than those of a request, so only their last member is compared. */
const places = (outcome: Outcome): Outcome =>
  "code" in outcome
    ? { ...outcome, pointers: outcome.pointers.map((pointer) => pointer.split("/").at(-1) ?? "").sort() }
    : outcome;

describe.each(connectors.map((connector) => [connector.name, connector] as const))("every way to %s", (_name, connector) => {
  const ways: Way[] = [];
  const cases = allCases(connector);
  let place: Place;
  let tenon: Tenon;
  let tools: Awaited<ReturnType<typeof byTools>>;
  beforeAll(async () => {
    const { name } = connector;
    place = await placeOf(connector);
    const { token, rest, graphql } = place;
    const credential = singleCredential(connector.platform.auth.kinds, token);
    const platforms = { [name]: { credential, rest, graphql } };
    tenon = await startTenon(
      { url: rest ?? "", graphqlUrl: graphql ?? "" },
      // Its writes need not wait a second for each other here.
      { connectors: [withoutPace(connector)], platforms, mcpWrites: true },
    );
    const Client = await clientOf(connector);
    tools = await byTools(tenon.url, apiKey, connector);
    ways.push(
      overHttp(tenon.url, apiKey, name),
      byLibrary("the library on a service", Client, { baseUrl: tenon.url, apiKey }),
      byLibrary("the library in local mode", Client, {
        ...localCredential(connector, token),
        restUrl: rest,
        graphqlUrl: graphql,
      }),
      byCommandLine(tenon.url, apiKey, name),
      tools,
    );
  });
  afterAll(async () => {
    await tools.close();
    await tenon.service.close();
    await place.close();
  });

  it("is tried with every action of every entity", () => {
    const actions = Object.entries(connector.entities).flatMap(([entity, one]) =>
      Object.keys(one.actions).map((action) => `${entity}.${action}`),
    );
    const tried = new Set(cases.map(({ triple }) => `${triple.entity}.${triple.action}`));
    expect(actions.filter((action) => !tried.has(action))).toEqual([]);
    const missing = cases.filter(({ triple }) => Object.values(triple.params).includes(undefined));
    expect(missing.map(({ what, triple }) => `${triple.entity}.${triple.action}: ${what}`)).toEqual([]);
  });

  it.each(Object.keys(connector.entities))("gives the same for %s", async (entity) => {
    let isChanged = false;
    for (const { what, triple } of cases.filter((one) => one.triple.entity === entity)) {
      const writes = Object.entries(connector.entities[entity]?.actions ?? {}).some(
        ([name, { traits }]) => name === triple.action && traits.writes,
      );
      // What one way has written must not change what the next one finds.
      const run = async (way: Way) => {
        if (isChanged) place.reset?.();
        const outcome = await way.run(triple);
        isChanged = writes && "data" in outcome;
        return outcome;
      };
      const same = writes && place.reset === undefined ? formOf : steady;
      const [first, ...others] = ways;
      if (first === undefined) throw new Error("there is no way");
      const expected = await run(first);
      if (what === "its example" || what === "all") expect(expected, `${triple.entity}.${triple.action}`).toHaveProperty("data");
      else expect(expected, `${triple.entity}.${triple.action}: ${what}`).toHaveProperty("code");
      for (const way of others) {
        if (way.takes?.(triple) === false) continue;
        // What was deleted cannot be deleted by another way.
        if (writes && place.reset === undefined && !["create", "update"].includes(triple.action) && "data" in expected) continue;
        const label = `${triple.entity}.${triple.action}, ${what}: ${way.name}`;
        const found = await run(way);
        if (way.name.includes("local mode") && triple.action === storeAction) {
          // The one difference: a client in local mode has no store.
          expect(found, label).toEqual({ code: "context_store_unavailable", pointers: [] });
          continue;
        }
        const wanted = way.shaped?.(expected) ?? expected;
        expect(same(places(found)), label).toEqual(same(places(wanted)));
      }
    }
  });
});
