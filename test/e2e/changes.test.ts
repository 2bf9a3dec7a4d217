import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { createCaller, deriveKeys, fullGrant, type Grant, revokeCaller } from "../../runtime/accounts/index.ts";
import type { FeedEntry } from "../../runtime/changes/index.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { shaped } from "../support/shaped.ts";
import { regrant, withAccounts } from "./support/accounts.ts";
import { hello, plansOf } from "./support/cache.ts";
import { authorized, bad, good, startTenon, useTenon } from "./support/service.ts";

// The change feed over HTTP. The store is written as another process does it.

const secretKey = ["canary-secret-key-of-the-changes-tests"];
const dataDir = mkdtempSync(join(tmpdir(), "tenon-feed-"));
const at = useTenon({ secretKey, dataDir });
const path = "/api/v1/integrations/connectors/github/changes";
const issues = { connector: "github", instance: "github", entity: "issues", scope: hello };
const branches = { ...issues, entity: "branches" };

let store: SqliteStore;
let run = 0;
beforeAll(() => {
  store = new SqliteStore({ dataDir, plans: plansOf(github), readers: 1 });
});
afterAll(() => store.close());

const checkpoint = () => ({ run: ++run, full: true, step: 0 });
const issue = (id: string, more: object = {}) => ({ id, number: 1, title: `Title of ${id}`, state: "open", ...more });
const saveIssues = (...records: readonly ReturnType<typeof issue>[]) => store.save(issues, { records, checkpoint: checkpoint() });

async function read(query: Readonly<Record<string, string>> = {}, headers = {}) {
  const reply = await at.tenon.send("GET", `${path}?${new URLSearchParams(query)}`, undefined, { ...authorized, ...headers });
  const { data, meta } = shaped<{
    readonly data: readonly FeedEntry[];
    readonly meta: { readonly cursor: string; readonly has_more: boolean; readonly truncated: boolean };
  }>(good(reply));
  return { data, meta };
}
const latest = async () => (await read({ cursor: "latest" })).meta.cursor;

async function make(grant: Partial<Grant>) {
  const keys = deriveKeys(secretKey);
  const given = { kind: "key", name: "n", grant: { ...fullGrant, ...grant }, expiresAt: null } as const;
  const { caller, secret } = await withAccounts(dataDir, (accounts) => createCaller(accounts, keys, given));
  return {
    headers: { authorization: `Bearer ${secret}` },
    revoke: () => withAccounts(dataDir, (accounts) => revokeCaller(accounts, "key", caller.id)),
    /** Gives the key another grant. */
    regrant: (other: Partial<Grant>) => regrant(dataDir, caller.id, other),
  };
}

describe("changes over HTTP", () => {
  it("come in order, page by page, each with a cursor of its own", async () => {
    expect(await read()).toMatchObject({ data: [], meta: { has_more: false, truncated: false } });
    const { cursor } = (await read()).meta;
    await saveIssues(issue("a"), issue("b"), issue("c"));
    const first = await read({ cursor, limit: "2" });
    expect(first.meta).toMatchObject({ has_more: true, truncated: false });
    expect(first.data[0]).toEqual({
      sequence: 0,
      connector_id: "github",
      entity: "issues",
      kind: "created",
      key: { id: "a" },
      scope: hello,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      cursor: expect.any(String),
    });
    const next = await read({ cursor: first.meta.cursor });
    expect(next.data.map(({ key }) => key["id"])).toEqual(["c"]);
    const afterFirst = await read({ cursor: first.data[0]?.cursor ?? "" });
    expect(afterFirst.data.map(({ key }) => key["id"])).toEqual(["b", "c"]);
  });

  it("have the present record where fields are requested, and the changed fields of an update", async () => {
    await saveIssues(issue("d"));
    const cursor = await latest();
    await saveIssues(issue("d", { state: "closed" }));
    const record = { state: "closed", title: "Title of d" };
    const query = { cursor, entity: "issues", fields: "state,title" };
    // Another query has other cursors.
    bad(await at.tenon.send("GET", `${path}?${new URLSearchParams(query)}`, undefined, authorized), 422, "bad_cursor");
    const own = (await read({ entity: "issues", fields: "state,title", cursor: "latest" })).meta.cursor;
    await saveIssues(issue("d", { state: "open" }));
    const { data } = await read({ entity: "issues", fields: "state,title", cursor: own });
    expect(data).toMatchObject([{ kind: "updated", changed_fields: ["state"], record: { ...record, state: "open" } }]);
    const before = (await read({ entity: "issues", fields: "state", cursor: "latest" })).meta.cursor;
    await store.save(issues, { records: [issue("d")], checkpoint: checkpoint() });
    await store.finish(issues, { run, full: true, step: 0 }, { massDelete: true, parents: [] });
    const gone = await read({ entity: "issues", fields: "state", cursor: before });
    expect(gone.data.map(({ kind, record: left }) => [kind, left])).toEqual(
      Array.from({ length: 3 }, () => ["deleted", undefined]),
    );
  });

  it("follow a filter, also where a record leaves it", async () => {
    const query = { entity: "issues", filter: JSON.stringify({ eq: { state: "open" } }) };
    const { cursor } = (await read({ ...query, cursor: "latest" })).meta;
    await saveIssues(issue("e"), issue("f", { state: "closed" }));
    await saveIssues(issue("e", { state: "closed" }), issue("f", { state: "closed", title: "New" }));
    await saveIssues(issue("g"));
    const { data } = await read({ ...query, cursor });
    const seen = data.map(({ key, kind, matches }) => `${kind} ${key["id"]} ${matches ?? true}`);
    expect(seen).toEqual(["updated e false", "created g true"]);
  });

  it("wait for the next one where that is asked for", async () => {
    const cursor = await latest();
    const waiting = read({ cursor, wait: "20" });
    await saveIssues(issue("h"));
    expect((await waiting).data.map(({ key }) => key["id"])).toEqual(["h"]);
  });

  it("say that the log does not reach back, and where to go on", async () => {
    const { cursor } = (await read()).meta;
    const small = new SqliteStore({ dataDir, plans: plansOf(github), readers: 1, changeRetention: { time: 1e9, entries: 2 } });
    const records = [issue("i"), issue("j"), issue("k")];
    await small.save(issues, { records: records.slice(0, 1), checkpoint: checkpoint() });
    await small.save(issues, { records: records.slice(1), checkpoint: checkpoint() });
    await small.close();
    const late = await read({ cursor });
    expect(late).toMatchObject({ data: [], meta: { truncated: true, has_more: false } });
    expect((await read()).meta.truncated).toBe(true);
    await saveIssues(issue("l"));
    const { data, meta } = await read({ cursor: late.meta.cursor });
    expect([data.map(({ key }) => key["id"]), meta.truncated]).toEqual([["l"], false]);
  });

  it("report all faults of a request together", async () => {
    const query = "?entity=isues&limit=0&wait=x&from=1";
    const reply = await at.tenon.send("GET", `${path}${query}`, undefined, authorized);
    const errors = shaped<
      {
        pointer: string;
        code: string;
        suggestion?: string;
      }[]
    >(bad(reply, 422, "invalid_request").errors);
    expect(errors.map(({ pointer, code, suggestion }) => [pointer, code, suggestion])).toEqual([
      ["/from", "unknown_param", undefined],
      ["/entity", "unknown_entity", "issues"],
      ["/limit", "out_of_range", undefined],
      ["/wait", "out_of_range", undefined],
    ]);
    const filters = await at.tenon.send("GET", `${path}?entity=issues&filter={}&fields=nothing`, undefined, authorized);
    expect(shaped<{ pointer: string }[]>(bad(filters, 422, "invalid_request").errors).map(({ pointer }) => pointer)).toEqual([
      "/filter",
      "/fields/0",
    ]);
    bad(await at.tenon.send("GET", `${path}?filter={}`, undefined, authorized), 422, "invalid_request");
    const several = await at.tenon.send("GET", `${path}?entity=issues&limit=1&entity=labels`, undefined, authorized);
    expect(bad(several, 422, "invalid_request").errors).toMatchObject([{ pointer: "/entity", code: "duplicate_member" }]);
    const strange = await at.tenon.send("GET", `${path}?__proto__=1`, undefined, authorized);
    expect(bad(strange, 422, "invalid_request").errors).toMatchObject([{ pointer: "/__proto__", code: "unknown_param" }]);
    bad(await at.tenon.send("GET", `${path}?cursor=nonsense`, undefined, authorized), 422, "bad_cursor");
  });

  it("are only those of entities and instances that the caller may read", async () => {
    const cursor = await latest();
    await saveIssues(issue("m"));
    await store.save(branches, { records: [{ repository: "octocat/hello-world", name: "new" }], checkpoint: checkpoint() });
    const narrow = await make({ rights: ["read"], entities: ["branches"] });
    const { data } = await read({ cursor }, narrow.headers);
    expect(data.map(({ entity, key }) => [entity, key])).toEqual([
      ["branches", { repository: "octocat/hello-world", name: "new" }],
    ]);
    const send = (query: string, headers: Readonly<Record<string, string>>) =>
      at.tenon.send("GET", `${path}${query}`, undefined, { ...authorized, ...headers });
    bad(await send("?entity=issues", narrow.headers), 403, "forbidden");
    bad(await send("", (await make({ rights: ["write"] })).headers), 403, "forbidden");
    bad(await send("", (await make({ instances: ["other"] })).headers), 404, "unknown_connector");
  });

  it("end for a caller whose key is revoked while the request waits", async () => {
    const key = await make({});
    const cursor = await latest();
    const waiting = at.tenon.send("GET", `${path}?wait=20&cursor=${cursor}`, undefined, { ...authorized, ...key.headers });
    await key.revoke();
    bad(await waiting, 401, "unauthorized");
  });
});

/** Opens a stream. @returns its events one after the other, without signs of life */
async function open(query = "", headers: Readonly<Record<string, string>> = {}) {
  const gone = new AbortController();
  const response = await fetch(`${at.tenon.url}${path}/stream${query}`, {
    headers: { ...authorized, ...headers },
    signal: gone.signal,
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  const events = (async function* () {
    let text = "";
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const lines = block.split("\n").filter((line) => !line.startsWith(":"));
        const { id, event, data } = Object.fromEntries(lines.map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []));
        if (event !== undefined) yield { id, event, data: JSON.parse(data) as FeedEntry & { readonly code: string } };
      }
    }
  })();
  const next = async () => {
    const { value } = await events.next();
    if (value === undefined) throw new Error("the stream has ended");
    return value;
  };
  return { next, events, close: () => gone.abort() };
}

describe("a stream of changes", () => {
  it("goes on where the last event was, whoever wrote meanwhile", async () => {
    const first = await open(`?entity=issues&cursor=${(await read({ entity: "issues", cursor: "latest" })).meta.cursor}`);
    await saveIssues(issue("s1"), issue("s2"));
    const one = await first.next();
    expect([one.event, one.data.key, one.data.kind, one.id]).toEqual(["change", { id: "s1" }, "created", one.data.cursor]);
    first.close();
    await saveIssues(issue("s3"));
    const again = await open("?entity=issues", { "last-event-id": String(one.id) });
    expect([(await again.next()).data.key, (await again.next()).data.key]).toEqual([{ id: "s2" }, { id: "s3" }]);
    await saveIssues(issue("s3", { title: "Newer" }));
    expect((await again.next()).data).toMatchObject({ kind: "updated", changed_fields: ["title"] });
    again.close();
  });

  it.each(["wait", "limit"])("takes no %s, as it decides itself how much it sends and when", async (name) => {
    const response = await fetch(`${at.tenon.url}${path}/stream?${name}=3`, { headers: authorized });
    const { errors } = (await response.json()) as { errors: unknown };
    expect([response.status, errors]).toEqual([
      422,
      [
        expect.objectContaining({
          pointer: `/${name}`,
          code: "unknown_param",
          message: `A stream of changes has no parameter "${name}".`,
          allowed: ["entity", "cursor", "filter", "fields"],
        }),
      ],
    ]);
  });

  it("says that the log does not reach back, and goes on with what comes", async () => {
    const { next, close } = await open();
    expect((await next()).event).toBe("truncated");
    await saveIssues(issue("t1"));
    expect((await next()).data.key).toEqual({ id: "t1" });
    close();
  });

  it("has nothing more of an entity that the key loses, and ends when it loses the connector", async () => {
    const saveBranch = (name: string) =>
      store.save(branches, { records: [{ repository: "octocat/hello-world", name }], checkpoint: checkpoint() });
    const key = await make({ rights: ["read"] });
    const all = await open("?cursor=latest", key.headers);
    const ofIssues = await open("?cursor=latest&entity=issues", key.headers);
    await saveIssues(issue("n1"));
    for (const { next } of [all, ofIssues]) expect((await next()).data.key).toEqual({ id: "n1" });
    key.regrant({ rights: ["read"], entities: ["branches"] });
    await saveIssues(issue("n2"));
    await saveBranch("n3");
    expect((await all.next()).data.key).toMatchObject({ name: "n3" });
    expect(await ofIssues.next()).toMatchObject({ event: "error", data: { code: "forbidden" } });
    key.regrant({ rights: ["read"], instances: ["other"] });
    await saveBranch("n4");
    expect(await all.next()).toMatchObject({ event: "error", data: { code: "unknown_connector" } });
    for (const { events } of [all, ofIssues]) expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("ends when the key is revoked, and gives nothing from then on", async () => {
    const key = await make({ rights: ["read"] });
    const { events } = await open("?cursor=latest", key.headers);
    await key.revoke();
    await saveIssues(issue("u1"));
    const all = [];
    for await (const { event, data } of events) all.push([event, data.code]);
    expect(all).toEqual([["error", "unauthorized"]]);
  });
});

describe("a service that ends", () => {
  it("ends its streams and what waits, and does not wait for them", async () => {
    const tenon = await startTenon(at.platform, { shutdownMs: 20_000 });
    const waiting = tenon.send("GET", `${path}?wait=20`, undefined, authorized);
    const response = await fetch(`${tenon.url}${path}/stream`, { headers: authorized });
    await tenon.service.close();
    expect(await response.text()).toContain(": connected");
    good(await waiting);
  });
});
