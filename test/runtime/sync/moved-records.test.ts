import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitlab } from "../../../generated/gitlab/index.ts";
import { SqliteStore } from "../../../runtime/store/sqlite/sqlite-store.ts";
import { readScopes, sync } from "../../../runtime/sync/index.ts";
import { fakeInstance, type Seen } from "../../support/fake-instance.ts";
import { withoutPace } from "../../support/simulated.ts";

// Lists whose pages have numbers. A record that is removed while they are read moves those behind it to the page before.

const connector = withoutPace(gitlab);
const at = "2026-01-01T00:00:00Z";
let folder: string;
let store: SqliteStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-moved-"));
  const plans = Object.entries(connector.entities).map(([name, { store: plan }]) => [name, plan] as const);
  store = new SqliteStore({ dataDir: folder, plans: { gitlab: Object.fromEntries(plans) } });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const user = (id: number) => ({ id, username: `u${id}`, name: `User ${id}`, state: "active", web_url: `https://x/${id}` });
const note = (id: number) => ({
  ...{ id, body: "b", project_id: 1, noteable_iid: 5, author: { username: "u" }, created_at: at, updated_at: at },
  ...{ system: false, internal: false, resolved: null },
});

/** A platform with one issue, whose lists of users and of notes have so many records. */
function platform(count: number) {
  const ids = Array.from({ length: count }, (_, nth) => nth + 1);
  let issue = at;
  let onPage: (page: number) => void = () => undefined;
  const asked: string[] = [];
  const listOf = (path: string): object[] => {
    if (path.endsWith("/users")) return ids.map(user);
    if (path.endsWith("/notes")) return ids.map(note);
    return [{ id: 9, iid: 5, project_id: 1, title: "t", state: "opened", created_at: at, updated_at: issue, labels: [] }];
  };
  const answer = ({ url }: Seen) => {
    const [page, size] = ["page", "per_page"].map((name) => Number(url.searchParams.get(name) ?? 1));
    if (page === undefined || size === undefined) throw new Error("no page");
    const all = listOf(url.pathname);
    const response = all.slice((page - 1) * size, page * size);
    const next = new URL(url);
    next.searchParams.set("page", String(page + 1));
    const headers: Record<string, string> = page * size < all.length ? { link: `<${next.href}>; rel="next"` } : {};
    if (!url.pathname.endsWith("/issues")) {
      asked.push(`${url.pathname.split("/").at(-1)} ${page}`);
      onPage(page);
    }
    return Response.json(response, { headers });
  };
  const { instance } = fakeInstance(answer, undefined, connector);
  return {
    ids,
    /** Syncs an entity. @returns what it did, and the pages that it requested */
    run: async (entity: string) => {
      asked.length = 0;
      const signal = new AbortController().signal;
      const options = { full: false, massDelete: false, signal, log: pino({ level: "silent" }) };
      const given = { ...options, scopes: readScopes(connector, ["project=shop/web"]), entities: [entity] };
      const { entities } = await sync({ ...instance, store, storeName: "default" }, store, given);
      const result = entities.find((one) => one.entity === entity);
      const { outcome, inserted, unchanged, repeated, removed } = result ?? {};
      return { outcome, inserted, unchanged, repeated, removed, asked: [...asked] };
    },
    /** The issue changes, so that its notes are read. */
    change: (time: string) => {
      issue = time;
    },
    /** Removes a record once, when a page has been sent. */
    removeAfter: (page: number, id: number) => {
      onPage = (sent) => {
        if (sent !== page) return;
        ids.splice(ids.indexOf(id), 1);
        onPage = () => undefined;
      };
    },
  };
}

describe("a record that moves to a page that was read already", () => {
  it("stays in the cache, because what is missing is looked for once more before it is removed", async () => {
    const { run, removeAfter } = platform(150);
    const done = { outcome: "complete", repeated: 0 };
    expect(await run("users")).toEqual({ ...done, inserted: 150, unchanged: 0, removed: 0, asked: ["users 1", "users 2"] });
    removeAfter(1, 1);
    const twice = ["users 1", "users 2", "users 1", "users 2"];
    expect(await run("users")).toEqual({ ...done, inserted: 0, unchanged: 149, removed: 0, asked: twice });
    expect(await run("users")).toEqual({ ...done, inserted: 0, unchanged: 149, removed: 1, asked: twice });
    expect(await run("users")).toEqual({ ...done, inserted: 0, unchanged: 149, removed: 0, asked: ["users 1", "users 2"] });
  });

  it("stays where it belongs to another record, whose list is read twice where it has several pages", async () => {
    const { run, removeAfter, change } = platform(150);
    expect(await run("issue_notes")).toMatchObject({ outcome: "complete", inserted: 150, asked: ["notes 1", "notes 2"] });
    change("2026-01-02T00:00:00Z");
    removeAfter(1, 1);
    const twice = ["notes 1", "notes 2", "notes 1", "notes 2"];
    expect(await run("issue_notes")).toMatchObject({ outcome: "complete", removed: 0, asked: twice });
    change("2026-01-03T00:00:00Z");
    expect(await run("issue_notes")).toMatchObject({ outcome: "complete", removed: 1, asked: twice });
  });

  it("is looked for nowhere in a list of one page", async () => {
    const { run, ids } = platform(50);
    await run("users");
    ids.shift();
    expect(await run("users")).toMatchObject({ removed: 1, asked: ["users 1"] });
  });
});
