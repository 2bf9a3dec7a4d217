import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { execute } from "../../../runtime/execute/index.ts";
import { type Simulated, simulated } from "../../support/simulated.ts";

let at: Simulated;
beforeAll(async () => {
  at = await simulated(github);
  await at.syncExamples();
});
afterAll(() => at.close());

const ask = (params: object, entity = "issues") => at.run({ entity, action: "context_store_sql_query", params });

/** The fault of a request that is refused. */
async function faultOf(running: Promise<unknown>) {
  const thrown: unknown = await running.catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: "invalid_request" });
  return (thrown as { faults: readonly { pointer: string; message: string; allowed?: readonly string[]; suggestion?: string }[] })
    .faults[0];
}

describe("context_store_sql_query", () => {
  it("answers rows of all entities, whichever the request names", async () => {
    const sql =
      "SELECT r.nameWithOwner, count(i.id) AS issues FROM repositories r JOIN issues i ON i.repository = r.name_with_owner GROUP BY 1";
    const { data, meta } = await ask({ sql }, "labels");
    expect(data).toEqual([{ nameWithOwner: "octocat/hello-world", issues: expect.any(Number) }]);
    expect(meta).toMatchObject({ has_more: false, took_ms: expect.any(Number), synced_at: expect.any(String) });
  });

  it("says that there are more rows, and explains how it ran without any value of the statement", async () => {
    const { data, meta } = await ask({ sql: "SELECT id FROM issues WHERE title <> 'some secret'", limit: 1, explain: true });
    expect(data).toHaveLength(1);
    expect(meta).toMatchObject({ has_more: true, plan: { sql: expect.stringContaining("SELECT") } });
    expect(JSON.stringify(meta)).not.toContain("some secret");
  });

  it("has no table of an entity that the caller may not read", async () => {
    const request = { entity: "issues", action: "context_store_sql_query" };
    const limited = (sql: string) =>
      execute(at.instance, { ...request, params: { sql } }, { ...context, entities: ["issues", "labels"] });
    expect((await limited("SELECT count(*) AS n FROM issues")).data).toEqual([{ n: expect.any(Number) }]);
    const hidden = await faultOf(limited("SELECT * FROM issues WHERE id IN (SELECT id FROM users)"));
    const none = await faultOf(limited("SELECT * FROM issues WHERE id IN (SELECT id FROM nobodies)"));
    expect(hidden?.message).toBe('There is no table "users". (line 1, column 50)');
    expect(hidden?.message.replace("users", "")).toBe(none?.message.replace("nobodies", ""));
    expect(hidden?.allowed).toEqual(["issues", "labels"]);
  });

  it("reports the place of a mistake, what is allowed there, and the nearest name", async () => {
    expect(await faultOf(ask({ sql: "SELECT title\nFROM isues" }))).toMatchObject({
      pointer: "/params/sql",
      message: 'There is no table "isues". (line 2, column 6)',
      suggestion: "issues",
    });
    expect(await faultOf(ask({ sql: "SELECT 'é', titel FROM issues" }))).toMatchObject({
      message: expect.stringContaining("column 13"),
      suggestion: "title",
    });
    expect(await faultOf(ask({ sql: "SELECT FROM WHERE" }))).toMatchObject({ message: expect.stringContaining("Syntax error") });
    expect(await faultOf(ask({ sql: 1, limit: 0, explain: "x", more: 1 }))).toMatchObject({ pointer: "/params/more" });
    expect(await faultOf(ask({}))).toMatchObject({ message: "sql is required: a SELECT." });
  });
});

const context = {
  timeout: 60_000,
  signal: new AbortController().signal,
  log: { warn: () => undefined } as never,
  requestId: "test",
};
