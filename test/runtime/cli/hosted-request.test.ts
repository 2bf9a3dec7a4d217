import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { run as runChanges } from "../../../runtime/cli/request/changes.ts";
import { runRequest } from "../../../runtime/cli/request/request.ts";
import { run as runSearch } from "../../../runtime/cli/request/search.ts";
import { run as runSql } from "../../../runtime/cli/request/sql.ts";
import { onTerminal, toProgram } from "../../support/command-output.ts";
import { problem, type Received, type Reply, tinyService } from "../../support/tiny-service.ts";

// Requests to a service, and what a person sees of its responses.

let service: Awaited<ReturnType<typeof tinyService>>;
let reply: (params: Readonly<Record<string, unknown>>, received: Received) => Reply;

const connectorsPath = "/api/v1/integrations/connectors";
const instances = [
  { id: "mine-too", connector: "figma" },
  { id: "mine", connector: "github" },
];

beforeEach(async () => {
  service = await tinyService((received) =>
    received.path === connectorsPath
      ? { body: { data: instances, meta: {} } }
      : reply(((received.body ?? {}) as { readonly params?: Readonly<Record<string, unknown>> }).params ?? {}, received),
  );
  vi.stubEnv("TENON_URL", service.url);
  vi.stubEnv("TENON_API_KEY", "a-key-of-an-operator");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await service.close();
});

const none = undefined;
const flags = {
  ...{ fields: [], all: false, json: false, ndjson: false, params: none, connector: none, timeout: none, config: none },
  ...{ workspace: none, organization: none },
};
const bodies = () => service.requests.flatMap(({ body }) => (body === undefined ? [] : [body]));

it("a service without a key for it is an error that names the settings", async () => {
  vi.stubEnv("TENON_API_KEY", "");
  reply = () => ({ body: { data: [], meta: {} } });
  const request = { connector: "linear", entity: "labels", action: "list", params: {} };
  const { status, errors } = await toProgram(() => runRequest(request, flags));
  expect([status, JSON.parse(errors)]).toMatchObject([
    77,
    {
      code: "unauthorized",
      message: expect.stringContaining("Set TENON_API_KEY, or TENON_CLIENT_ID and TENON_CLIENT_SECRET"),
    },
  ]);
});

describe("all pages of a list", () => {
  const request = { connector: "linear", entity: "labels", action: "list", params: {} };
  const meta = { simulated: true, total_count: 2 };
  beforeEach(() => {
    reply = ({ after }) =>
      after === "c1"
        ? { body: { data: [{ name: "bug" }], meta: { ...meta, has_next_page: false, end_cursor: null } } }
        : { body: { data: [{ name: "idea" }], meta: { ...meta, has_next_page: true, end_cursor: "c1" } } };
  });

  it("are one table on a terminal", async () => {
    const { status, lines, errors } = await onTerminal(() => runRequest(request, { ...flags, all: true }));
    expect([status, lines]).toEqual([0, ["name", "idea", "bug"]]);
    expect(errors).toContain("SIMULATED: linear.");
  });

  it("are records or one response in JSON where the flags say so", async () => {
    const ndjson = await onTerminal(() => runRequest(request, { ...flags, all: true, ndjson: true }));
    expect(ndjson.lines).toEqual(['{"name":"idea"}', '{"name":"bug"}']);
    const json = await onTerminal(() => runRequest(request, { ...flags, all: true, json: true }));
    expect(JSON.parse(json.text)).toEqual({ data: [{ name: "idea" }, { name: "bug" }], meta: { count: 2, simulated: true } });
    expect((await toProgram(() => runRequest(request, { ...flags, all: true }))).text).toBe(json.text);
  });
});

describe("tenon search", () => {
  const search = { filter: none, sort: [], limit: none, count: false, "group-by": [], semantic: none, "semantic-field": none };

  it("passes on everything behind the field of --sort as its direction, so that nothing of it is lost", async () => {
    reply = () => ({ body: { data: [], meta: {} } });
    const sort = ["title", "updatedAt:desc", "number:desc:id"];
    await toProgram(() => runSearch(["mine", "issues"], { ...flags, ...search, sort }));
    expect(bodies()).toMatchObject([
      { params: { query: { sort: [{ title: "asc" }, { updatedAt: "desc" }, { number: "desc:id" }] } } },
    ]);
  });

  it("by meaning finds the field of an instance by its connector", async () => {
    reply = () => ({ body: { data: [], meta: {} } });
    const meant = { ...flags, ...search, semantic: "it hangs" };
    expect(await toProgram(() => runSearch(["mine", "issues"], meant))).toMatchObject({ status: 0 });
    expect(bodies()).toMatchObject([{ params: { semantic: { field: "body", prompt: "it hangs" } } }]);
  });
});

describe("tenon sql", () => {
  const { fields: _fields, all: _all, params: _params, ...common } = flags;
  const sqlFlags = { ...common, describe: false, limit: none, csv: false, explain: false };
  const counts: Readonly<Record<string, number>> = { cycles: 1, teams: 1234 };

  it("--describe prints the tables that the caller may read, with columns, joins and numbers of rows", async () => {
    reply = ({ sql }) => {
      const rows = counts[/ FROM "(\w+)"$/.exec(String(sql))?.[1] ?? ""];
      return rows === undefined ? problem(400, "invalid_request") : { body: { data: [{ n: rows }], meta: {} } };
    };
    const all = await onTerminal(() => runSql(["linear"], { ...sqlFlags, describe: true }));
    expect(all.lines.filter((line) => line !== "" && !line.startsWith("  "))).toEqual(["cycles (1 row)", "teams (1,234 rows)"]);
    const one = await onTerminal(() => runSql(["linear", "cycles"], { ...sqlFlags, describe: true }));
    expect([one.status, one.lines[0], one.lines.slice(-2)]).toEqual([
      0,
      "cycles (1 row)",
      ["  JOIN teams ON teams.id = cycles.team", ""],
    ]);
    expect(one.lines).toContain("  number       integer");
    const json = JSON.parse((await toProgram(() => runSql(["linear", "cycles"], { ...sqlFlags, describe: true }))).text);
    expect(json).toMatchObject({ tables: [{ name: "cycles", rows: 1, columns: { number: "integer" } }] });
    await expect(onTerminal(() => runSql(["linear", "cycle"], { ...sqlFlags, describe: true }))).resolves.toMatchObject({
      status: 64,
      errors: expect.stringContaining('there is no table called \\"cycle\\"; there is comments, cycles,'),
    });
  });

  it("--explain prints what the engine got, and not among the rows", async () => {
    reply = () => ({ body: { data: [{ n: 1 }], meta: { plan: { sql: "SELECT 1 AS n" } } } });
    const { text, errors } = await toProgram(() =>
      runSql(["mine", "SELECT 1 AS n"], { ...sqlFlags, explain: true, ndjson: true }),
    );
    expect([text, errors]).toEqual(['{"n":1}\n', "SELECT 1 AS n\n"]);
    expect(bodies()).toEqual([
      { entity: "branches", action: "context_store_sql_query", params: { sql: "SELECT 1 AS n", explain: true } },
    ]);
    reply = () => ({ body: { data: [{ n: 1 }], meta: { plan: null } } });
    expect(await onTerminal(() => runSql(["mine", "SELECT 1 AS n"], sqlFlags))).toMatchObject({
      status: 0,
      lines: ["n", "1"],
      errors: "",
    });
  });
});

describe("tenon changes", () => {
  const change = { kind: "update", entity: "issues", key: { id: "I_1" }, at: "2026-01-31T09:30:00Z", changed_fields: ["title"] };
  const changes = [
    { ...change, kind: "create", changed_fields: undefined, record: { title: "a" } },
    { ...change, record: { title: "b" }, matches: false },
    { ...change, kind: "delete", changed_fields: undefined },
  ];
  const changesFlags = { ...flags, entity: ["issues"], fields: ["title"], follow: false, cursor: none, filter: none };
  beforeEach(() => {
    reply = () => ({ body: { data: changes, meta: { cursor: "c2", has_more: false } } });
  });

  it("are lines for a person", async () => {
    const { status, lines } = await onTerminal(() => runChanges(["github"], changesFlags));
    expect([status, ...lines]).toEqual([
      0,
      '2026-01-31T09:30:00Z  create  issues  I_1  {"title":"a"}',
      '2026-01-31T09:30:00Z  update  issues  I_1  title  {"title":"b"}  (does not match the filter any longer)',
      "2026-01-31T09:30:00Z  delete  issues  I_1",
    ]);
    expect(service.requests[0]?.path).toMatch(/\/changes\?.*fields=title/);
  });

  it("are JSON for a program, and where the flags say so", async () => {
    const program = await toProgram(() => runChanges(["github"], changesFlags));
    expect(program.lines.map((line) => JSON.parse(line))).toEqual(changes.map((one) => JSON.parse(JSON.stringify(one))));
    expect((await onTerminal(() => runChanges(["github"], { ...changesFlags, json: true }))).text).toBe(program.text);
  });
});
