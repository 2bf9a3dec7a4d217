import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { type Caller, fullGrant, type Grant } from "../../../runtime/accounts/index.ts";
import { Rounds } from "../../../runtime/base/rounds.ts";
import type { ConnectorInstance } from "../../../runtime/execute/index.ts";
import { Answers } from "../../../runtime/server/answers.ts";
import { operator } from "../../../runtime/server/callers/bearer.ts";
import { Usages } from "../../../runtime/server/limits/usages.ts";
import { describeRoute } from "../../../runtime/server/routes/describe-route.ts";
import { DescriptionParts } from "../../../runtime/server/routes/description.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

it("the description of a connector whose file could not be read once is there the next time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-describe-"));
  const file = join(folder, "openapi.json");
  const { instance } = fakeInstance(() => ({}));
  const { store: _, ...others } = instance;
  const shown: ConnectorInstance = { ...others, connector: { ...instance.connector, openapi: pathToFileURL(file) } };
  const answers = new Answers(1);
  const sent: string[] = [];
  answers.sendJsonParts = (_response, parts) => void sent.push(Buffer.concat(parts).toString());
  const instances = { instances: new Map([["github", shown]]) };
  const route = describeRoute(
    { instances, limits: new Usages({}, {}), timeout: 1_000, rounds: new Rounds({ most: 1 }) },
    answers,
  );
  const ask = async () =>
    route(
      { params: { connectorId: "github" }, headers: {} } as never,
      { locals: { caller: operator }, setHeader: () => undefined } as never,
      () => undefined,
    );
  await expect(ask()).rejects.toThrow("ENOENT");
  copyFileSync(instance.connector.openapi, file);
  await ask();
  expect(Object.keys(JSON.parse(sent[0] ?? "").data.schemas).length).toBeGreaterThan(10);
  rmSync(folder, { recursive: true });
});

it("describes the tables of SQL that a caller may read, and joins with no others", () => {
  const { connector } = fakeInstance(() => ({})).instance;
  const described = (entities: readonly string[] | null) =>
    JSON.parse(Buffer.from(new DescriptionParts().entities(connector, { ...fullGrant, entities }).bytes).toString()) as Record<
      string,
      { actions: Record<string, object>; table: { columns: Record<string, string>; relations: { table: string }[] } }
    >;
  const { comments, ...others } = described(["comments", "issues"]);
  expect(Object.keys(others)).toEqual(["issues"]);
  expect(comments?.table.columns).toMatchObject({ key: "text", createdAt: "timestamp", number: "integer", scope: "text[]" });
  expect(comments?.table.relations).toEqual([
    { table: "issues", on: "issues.repository = comments.repository AND issues.number = comments.number" },
  ]);
  expect(comments?.actions).toHaveProperty("context_store_sql_query.params", "tenon.sql.params");
  expect(described(null)["comments"]?.table.relations).toHaveLength(3);
});

describe("many descriptions at once", () => {
  /** A store that counts how often it is asked, and answers when told so. */
  function counted() {
    const { instance } = fakeInstance(() => ({}));
    const waiting: (() => void)[] = [];
    const store = {
      states: () => new Promise((resolve) => waiting.push(() => resolve([state]))),
      schedule: async () => null,
      leased: async () => false,
    };
    const sent: (readonly Uint8Array[])[] = [];
    const tags: string[] = [];
    const answers = new Answers(1);
    answers.sendJsonParts = (_response, parts) => void sent.push(parts);
    const instances = { instances: new Map([["github", { ...instance, store } as never]]) };
    const route = describeRoute(
      { instances, limits: new Usages({}, {}), timeout: 60_000, rounds: new Rounds({ most: 1 }) },
      answers,
    );
    const ask = async (caller: Caller = operator) =>
      route(
        { params: { connectorId: "github" }, headers: {} } as never,
        { locals: { caller }, setHeader: (_name: string, value: string) => void tags.push(value) } as never,
        () => undefined,
      );
    return { ask, waiting, sent, tags };
  }

  const state = {
    scope: "repository=octocat/private",
    entity: "issues",
    records: 7,
    hidden: 0,
    checkpoint: null,
    completedAt: null,
    fullAt: null,
    problem: null,
    notes: {},
  };
  const until = (holds: () => boolean) => vi.waitFor(() => expect(holds()).toBe(true));

  it("share reads of the store and the bytes that are sent, and none gets what was read before it asked", async () => {
    const { ask, waiting, sent, tags } = counted();
    const first = ask();
    await until(() => waiting.length === 1);
    const others = Array.from({ length: 100 }, () => ask());
    waiting[0]?.();
    await first;
    await until(() => waiting.length === 2);
    expect(sent.length).toBe(1);
    waiting[1]?.();
    await Promise.all(others);
    expect([sent.length, waiting.length]).toEqual([101, 2]);
    const large = sent.map((parts) => parts.filter(({ length }) => length > 100_000));
    for (const parts of large) {
      expect(parts.length).toBe(1);
      expect(parts[0]).toBe(large[0]?.[0]);
    }
    expect(new Set(tags).size).toBe(1);
    const { data, meta } = JSON.parse(Buffer.concat(sent[0] ?? []).toString());
    expect([data.cache[0].scope, Object.keys(data.schemas).length > 10, meta]).toEqual([state.scope, true, {}]);
  });

  it("name scopes and counts only to callers who may read or sync, and only of their entities", async () => {
    const { ask, waiting, sent, tags } = counted();
    const shown = async (rights: Grant["rights"], entities: Grant["entities"] = null) => {
      const before = waiting.length;
      const asked = ask({ id: "k", name: "k", grant: { ...fullGrant, rights, entities } });
      if (rights.includes("read") || rights.includes("sync")) {
        await until(() => waiting.length > before);
        waiting.at(-1)?.();
      }
      await asked;
      return JSON.parse(Buffer.concat(sent.at(-1) ?? []).toString()).data.cache;
    };
    expect(await shown(["metrics"])).toBeNull();
    expect(await shown(["write", "metrics", "admin"])).toBeNull();
    expect(waiting.length).toBe(0);
    expect(await shown(["read"])).toMatchObject([{ scope: state.scope, records: 7 }]);
    expect(await shown(["sync"], ["issues"])).toMatchObject([{ scope: state.scope, records: 7 }]);
    expect(await shown(["read"], ["users"])).toEqual([]);
    expect(new Set(tags).size).toBe(tags.length);
  });
});
