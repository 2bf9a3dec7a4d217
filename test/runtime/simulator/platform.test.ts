import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { GraphQLError } from "graphql";
import { describe, expect, it } from "vitest";
import { graphqlOf } from "../../../runtime/simulator/described/graphql-api.ts";
import { describedPlatform } from "../../../runtime/simulator/described/platform.ts";
import { type PlatformFile, readPlatformFile } from "../../../runtime/simulator/described/platform-file.ts";
import { DataGap } from "../../../runtime/simulator/graphql/refusal.ts";
import { endsWithTests } from "../../support/ends-with-tests.ts";

const root = new URL("../../../", import.meta.url);
const notion = new URL("spec/notion/simulator/platform.yaml", root);

describe("a simulated platform", () => {
  it("wants the headers that its file names", () => {
    const read = readPlatformFile(notion);
    const { admit, seed } = describedPlatform(read);
    const authorization = `Bearer ${read.file.token}`;
    const request = (headers: Record<string, string>) => ({
      method: "GET",
      path: "/v1/users",
      headers,
      text: "",
      body: undefined,
      at: 0,
    });
    const versioned = { authorization, "notion-version": "2025-09-03" };
    expect(admit(request(versioned), seed())).toEqual({ viewer: { token: read.file.token } });
    expect(admit(request({ authorization }), seed())).toMatchObject({
      refused: { status: 400, body: expect.stringContaining('The header notion-version should be \\"2025-09-03\\".') },
    });
  });

  it("cannot start without its description", () => {
    const { file, folder } = readPlatformFile(notion);
    const spec = { rest: { description: "nowhere/description.yaml" } };
    expect(() => describedPlatform({ file, spec, folder })).toThrow('cannot read "nowhere/description.yaml"');
  });

  it("runs as a process of its own", async () => {
    const main = new URL("runtime/simulator/described/main.ts", root).pathname;
    const start = (...args: string[]) => endsWithTests(spawn(process.execPath, [main, ...args], { cwd: root.pathname }));
    const child = start("spec/notion/simulator/platform.yaml");
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const { rest, token } = JSON.parse(line);
    const headers = { authorization: `Bearer ${token}`, "notion-version": "2025-09-03" };
    expect((await fetch(`${rest}/v1/users`, { headers })).status).toBe(200);
    child.kill();
    expect(await text(start().stderr)).toContain("the address of a file with records is missing");
  });
});

describe("a simulated API in GraphQL", () => {
  const sdl = `type Query { me: Person!, shelf: Shelf!, room: Room!, book(id: String!): Book! }
    type Person { id: ID!, name: String }
    type Shelf { id: ID!, place: String! }
    type Room { id: ID! }
    type Book { id: ID!, title: String, isLent: Boolean!, tags: [String!]!, owners: [Person!]!, lenders: [Person!]!, pages: Int! }`;
  const errors = {
    unauthorized: { status: 401, body: {} },
    missing: { status: 404, body: {} },
    invalid: { status: 400, body: {} },
  };
  const graphql = { path: "/graphql", header: "Authorization", page: { default: 10, max: 50 }, invalidCode: "WRONG" };
  const file: PlatformFile = {
    token: "secret",
    web: "https://books.example",
    viewer: { id: "ben" },
    errors: { ...errors, limited: errors.invalid },
    records: {},
    graphql,
  };
  const records = {
    Person: ["ann", "ben"].map((id) => ({ __typename: "Person", id, name: id })),
    Shelf: [{ __typename: "Shelf", id: "s1", place: "left" }],
    Book: [{ __typename: "Book", id: "b1", owners: ["ann", "gone", "ben"] }],
  };

  async function ask(query: string) {
    const engine = graphqlOf(file, graphql, sdl);
    const viewer = { token: "secret" };
    const request = { query, variables: {} };
    const prepared = engine.prepare(request, viewer);
    if (prepared.kind === "refused") throw new Error(JSON.stringify(prepared.result));
    const { document, cost } = prepared;
    const world = { records, serial: 1, done: {}, made: {} };
    const budget = () => ({ limit: 1, remaining: 1, used: 0, reset: 0 });
    return engine.run(document, request, { world, viewer, web: file.web, budget, cost });
  }

  it("gives whoever asks, and of other types the only record", async () => {
    expect(await ask("{ me { name } shelf { place } }")).toEqual({ data: { me: { name: "ben" }, shelf: { place: "left" } } });
    const { data, errors: found } = await ask("{ room { id } }");
    expect([data, found?.[0]?.message]).toEqual([null, "Entity not found: Room - Could not find referenced Room."]);
  });

  it("gives the records that a list names, and what is empty where a record has nothing", async () => {
    expect(await ask('{ book(id: "b1") { title isLent tags owners { name } lenders { name } } }')).toEqual({
      data: { book: { title: null, isLent: false, tags: [], owners: [{ name: "ann" }, { name: "ben" }], lenders: [] } },
    });
  });

  it("makes no number up", async () => {
    const asked = ask('{ book(id: "b1") { pages } }');
    await expect(asked).rejects.toThrow(DataGap);
    await expect(asked).rejects.not.toThrow(GraphQLError);
  });
});
