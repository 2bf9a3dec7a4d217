import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jira } from "../../../generated/jira/index.ts";
import { SqliteStore } from "../../../runtime/store/sqlite/sqlite-store.ts";
import { readScopes, sync } from "../../../runtime/sync/index.ts";
import { fakeInstance, type Seen } from "../../support/fake-instance.ts";
import { withoutPace } from "../../support/simulated.ts";

// A REST platform whose issues have comments that are read with the key of each issue, in pages that begin at an offset.

const connector = withoutPace(jira);
const at = "2026-01-01T00:00:00Z";
let folder: string;
let store: SqliteStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-hidden-"));
  const plans = Object.entries(connector.entities).map(([name, { store: plan }]) => [name, plan] as const);
  store = new SqliteStore({ dataDir: folder, plans: { jira: Object.fromEntries(plans) }, readers: 1 });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Issue {
  readonly id: string;
  key: string | null;
  updated: string;
  readonly comments: string[];
}

/** A platform with these issues. */
function platform(issues: readonly Issue[]) {
  const asked: string[] = [];
  let onPage: (nth: number) => void = () => undefined;
  const answer = ({ url }: Seen) => {
    const [, key] = /^\/rest\/api\/3\/issue\/([^/]+)\/comment$/.exec(url.pathname) ?? [];
    if (key === undefined) {
      const fields = { project: { key: "SHOP" }, summary: "s", status: { name: "Open" }, issuetype: { name: "Bug" }, labels: [] };
      return { issues: issues.map(({ id, key, updated }) => ({ id, key, fields: { ...fields, created: at, updated } })) };
    }
    const start = Number(url.searchParams.get("startAt") ?? 0);
    asked.push(`${key} ${start}`);
    onPage(asked.length);
    const all = issues.find((one) => one.key === key)?.comments ?? [];
    const comments = all.slice(start, start + 100).map((id) => ({ id, created: at, updated: at, body: null }));
    return { comments, startAt: start, total: all.length };
  };
  const { instance } = fakeInstance(answer, undefined, connector);
  return {
    /** Syncs comments. @returns what became of them, and the pages that were requested */
    run: async (full = false) => {
      asked.length = 0;
      const options = { full, massDelete: true, signal: new AbortController().signal, log: pino({ level: "silent" }) };
      const scopes = readScopes(connector, ["project=SHOP"]);
      const { entities } = await sync({ ...instance, store, storeName: "default" }, store, {
        ...options,
        scopes,
        entities: ["comments"],
      });
      const { outcome, inserted, removed, problem } = entities.find(({ entity }) => entity === "comments") ?? {};
      const state = (await store.states({ connector: "jira", instance: "default" })).find(({ entity }) => entity === "comments");
      return {
        outcome,
        inserted,
        removed,
        problem: problem?.code,
        hidden: state?.hidden,
        records: state?.records,
        asked: [...asked],
      };
    },
    /** Called before each page of comments, with its number. */
    whenAsked: (call: (nth: number) => void) => {
      onPage = call;
    },
  };
}

describe("a record without the value that the call for what belongs to it needs", () => {
  it("keeps what belongs to it, is counted, and the others are read", async () => {
    const first: Issue = { id: "1", key: "SHOP-1", updated: at, comments: ["a", "b"] };
    const second: Issue = { id: "2", key: "SHOP-2", updated: at, comments: ["c"] };
    const { run } = platform([first, second]);
    expect(await run()).toMatchObject({ outcome: "complete", inserted: 3, hidden: 0, asked: ["SHOP-1 0", "SHOP-2 0"] });
    first.key = null;
    second.comments.pop();
    const without = { outcome: "complete", removed: 1, hidden: 1, records: 2, asked: ["SHOP-2 0"] };
    expect(await run(true)).toMatchObject(without);
    // While nothing tells of a change, it is not asked for again.
    first.key = "SHOP-1";
    first.comments.pop();
    expect(await run()).toMatchObject({ outcome: "complete", removed: 0, hidden: 1, records: 2, asked: [] });
    expect(await run(true)).toMatchObject({ outcome: "complete", removed: 1, hidden: 0, records: 1 });
  });

  it("makes the sync partial where there is no other record, as the token may not see what is needed", async () => {
    const issue: Issue = { id: "1", key: "SHOP-1", updated: at, comments: ["a", "b"] };
    const { run } = platform([issue]);
    await run();
    issue.key = null;
    const outcome = { outcome: "partial", problem: "platform_forbidden", removed: 0, records: 2, asked: [] };
    expect(await run(true)).toMatchObject(outcome);
  });
});

describe("a list that is read twice because its records may have moved", () => {
  it("is begun once more where it has become shorter than the part that was read, and no third time", async () => {
    const comments = Array.from({ length: 250 }, (_, nth) => `${nth}`);
    const issue: Issue = { id: "1", key: "SHOP-1", updated: at, comments };
    const { run, whenAsked } = platform([issue]);
    const whole = ["SHOP-1 0", "SHOP-1 100", "SHOP-1 200"];
    expect(await run()).toMatchObject({ outcome: "complete", inserted: 250, asked: whole });
    issue.updated = "2026-01-02T00:00:00Z";
    whenAsked((nth) => {
      if (nth === 6) comments.splice(150);
    });
    const pages = [...whole, ...whole, "SHOP-1 0", "SHOP-1 100"];
    // All of them were there while it was read. The next sync finds what is gone.
    expect(await run()).toMatchObject({ outcome: "complete", removed: 0, records: 250, asked: pages });
    whenAsked(() => undefined);
    issue.updated = "2026-01-03T00:00:00Z";
    expect(await run()).toMatchObject({
      outcome: "complete",
      removed: 100,
      records: 150,
      asked: [...whole.slice(0, 2), ...whole.slice(0, 2)],
    });
  });
});
