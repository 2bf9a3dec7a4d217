import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { hello, plansOf } from "./support/cache.ts";
import { openProcesses } from "./support/process.ts";
import { apiKey, until, useTenon } from "./support/service.ts";

// `tenon changes`, and the tool of models that reads the same.

const dataDir = mkdtempSync(join(tmpdir(), "tenon-changes-"));
const at = useTenon({ dataDir });
const processes = openProcesses();
const issues = { connector: "github", instance: "github", entity: "issues", scope: hello };
let store: SqliteStore;
let run = 0;
beforeAll(async () => {
  store = new SqliteStore({ dataDir, plans: plansOf(github), readers: 1 });
  await save("a", "b");
});
afterAll(async () => {
  await processes.close();
  await store.close();
});
const save = (...ids: readonly string[]) =>
  store.save(issues, { records: ids.map((id) => ({ id, state: "open" })), checkpoint: { run: ++run, full: true, step: 0 } });

interface Line {
  readonly kind: string;
  readonly key: { readonly id: string };
  readonly cursor: string;
}
const linesOf = (text: string) => text.split("\n").flatMap((line): Line[] => (line === "" ? [] : [JSON.parse(line)]));

describe("tenon changes", () => {
  it("prints what there is in this process, and follows a service", async () => {
    const hosted = { TENON_URL: at.tenon.url, TENON_API_KEY: apiKey };
    const followed = processes.start(hosted, ["changes", "github", "--entity", "issues", "--follow"]);
    const own = processes.start({ TENON_DATA_DIR: dataDir, GITHUB_TOKEN: "token-of-this-test" }, ["changes", "github"]);
    expect([await own.exit, own.err()]).toEqual([0, ""]);
    const lines = linesOf(own.out());
    expect(lines.map(({ kind, key }) => `${kind} ${key.id}`)).toEqual(["created a", "created b"]);
    let count = 0;
    // Nobody knows when it has begun to follow.
    const writing = setInterval(() => void save(`c${count++}`), 300);
    await until(() => linesOf(followed.out()).length > 1).finally(() => clearInterval(writing));
    const [first, second] = linesOf(followed.out()).map(({ key }) => Number(key.id.slice(1)));
    expect(second).toBe(Number(first) + 1);
    followed.child.kill("SIGINT");
    expect([await followed.exit, followed.err()]).toEqual([130, ""]);
  });
});

describe("the tool read", () => {
  it("gives the changes of an entity, shortly, with a cursor", async () => {
    const call = async (args: object) => {
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "read", arguments: { entity: "issues", action: "changes", connector: "github", ...args } },
      });
      const accept = "application/json, text/event-stream";
      const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", accept };
      const reply = await at.tenon.send("POST", "/mcp", body, headers);
      return JSON.parse(String(reply.body["result"]?.["content"]?.[0]?.["text"]));
    };
    const { data, meta } = await call({ params: { limit: 1 } });
    expect(data).toEqual([{ kind: "created", key: { id: "a" }, scope: hello, at: expect.any(String) }]);
    expect(meta).toMatchObject({ has_more: true, truncated: false });
    const next = await call({ cursor: meta.cursor, params: { limit: 1 }, fields: ["state"] });
    // The fields belong to no cursor: only entity and filter do.
    expect(next.data).toMatchObject([{ key: { id: "b" }, record: { state: "open" } }]);
    const wrong = await call({ params: { limit: 0 } });
    expect(wrong).toMatchObject({
      error: { code: "invalid_request", errors: [{ pointer: "/params/limit" }] },
      what_to_do: "Correct the arguments that errors names, and call read again.",
    });
  });
});
