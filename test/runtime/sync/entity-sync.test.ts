import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { gitlab } from "../../../generated/gitlab/index.ts";
import { SqliteStore } from "../../../runtime/store/sqlite/sqlite-store.ts";
import { readScopes, sync } from "../../../runtime/sync/index.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { withoutPace } from "../../support/simulated.ts";

it("an unexpected error in a sync is logged with its cause, and shown to nobody else", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-entity-sync-"));
  const connector = withoutPace(gitlab);
  const plans = Object.entries(connector.entities).map(([name, { store: plan }]) => [name, plan] as const);
  const store = new SqliteStore({ dataDir: folder, plans: { gitlab: Object.fromEntries(plans) }, readers: 1 });
  const broken = new Proxy(store, {
    get: (whole, name) => {
      if (name === "save") return () => Promise.reject(new Error("disk I/O error"));
      const member: unknown = Reflect.get(whole, name, whole);
      return typeof member === "function" ? member.bind(whole) : member;
    },
  });
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "error" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const user = { id: 1, username: "u", name: "User", state: "active", web_url: "https://x/1" };
  const { instance } = fakeInstance(() => Response.json([user]), undefined, connector);
  const scopes = readScopes(connector, ["project=shop/web"]);
  const given = { full: false, massDelete: false, signal: new AbortController().signal, log, scopes, entities: ["users"] };
  const { entities } = await sync({ ...instance, store: broken, storeName: "default" }, broken, given);
  expect(entities).toMatchObject([{ entity: "users", outcome: "failed", problem: { code: "internal" } }]);
  expect(JSON.stringify(entities)).not.toContain("disk I/O");
  const [line, ...others] = lines;
  expect(line).toMatchObject({
    ...{ entity: "users", scope: "project=shop/web", err: { message: "disk I/O error" } },
    ...{ requestId: expect.stringMatching(/^[\da-f-]{36}$/), msg: "unexpected error in a sync" },
  });
  expect(others).toEqual([]);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
