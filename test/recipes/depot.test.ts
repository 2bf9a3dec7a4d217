import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type OwnConnector, ownConnector } from "../support/own-connector.ts";
import { type Simulated, simulated } from "../support/simulated.ts";

// What the recipes show of no real platform: lists by spans of time, signed calls, and several signs of an error.

let own: OwnConnector;
let platform: Simulated;
let calls: string[] = [];
let sent = new Headers();
let reply: object | undefined;
beforeAll(async () => {
  own = await ownConnector(import.meta.dirname, "depot");
  platform = await simulated(own.connector, (method, path, _body, query, headers) => {
    sent = headers;
    calls.push(`${method} ${path}${query}`);
    return reply;
  });
});
afterAll(async () => {
  await platform.close();
  own.remove();
});

const page = (params: object) => platform.run({ entity: "scans", action: "list", params });

async function all(params: object, entity = "scans"): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let after = "";
  do {
    const { data, meta } = await platform.run({ entity, action: "list", params: { ...params, after } });
    found.push(...(data as Record<string, unknown>[]));
    after = String(meta["end_cursor"] ?? "");
  } while (after !== "");
  return found;
}

describe("a list by spans of time", () => {
  it("has each record once, although one day has more than fit into a page", async () => {
    const found = await all({ since: "2026-05-01T00:00:00Z", until: "2026-06-01T00:00:00Z" });
    expect([found.length, new Set(found.map(({ id }) => id)).size]).toEqual([68, 68]);
  });

  it("reads halves of a full span, and longer ones again after it", async () => {
    calls = [];
    expect(await all({ since: "2026-05-09T00:00:00Z", until: "2026-05-11T00:00:00Z" })).toHaveLength(42);
    const spans = calls.map((call) => {
      const query = new URLSearchParams(call.split("?")[1]);
      return [query.get("from") ?? "", query.get("to") ?? ""] as const;
    });
    const hours = spans.map(([from, to]) => (Date.parse(to) - Date.parse(from)) / 3_600_000);
    expect(hours[0]).toBe(24);
    expect(Math.min(...hours)).toBeLessThan(0.25);
    expect(spans.at(-1)?.[1]).toBe("2026-05-11T00:00:00Z");
    expect(hours.at(-1)).toBeGreaterThan(1);
  });

  it("is refused where a second has more records than a page", async () => {
    reply = Array.from({ length: 10 }, (_, index) => ({ id: String(index), at: "2026-05-09T12:00:00Z" }));
    await expect(page({ since: "2026-05-09T00:00:00Z" })).rejects.toMatchObject({
      code: "platform_failed",
      message: expect.stringContaining("more records at 2026-05-09T00:00:00Z than one page may have"),
    });
    reply = undefined;
  });

  it("is synced to its end, and its text without markup is searched", async () => {
    // The list would go on to the present.
    const { entities } = await platform.syncExamples();
    expect(new Map(entities.map(({ entity, inserted }) => [entity, inserted]))).toEqual(
      new Map([
        ["racks", 25],
        ["scans", 68],
      ]),
    );
    const query = { filter: { keyword: { note: "box open" }, eq: { id: "b7" } } };
    const { data } = await platform.run({ entity: "scans", action: "context_store_search", params: { query, fields: ["note"] } });
    expect(data).toEqual([{ note: "Box 7 is open" }]);
  });
});

describe("a list whose params have brackets in their names", () => {
  it("has each record once, in pages of the size that the caller wants", async () => {
    calls = [];
    const found = await all({ per_page: 10 }, "racks");
    expect([found.length, new Set(found.map(({ id }) => id)).size]).toEqual([25, 25]);
    expect(found.at(-1)).toEqual({ id: "r25", name: "Rack without shelves", shelves: null, extra: "spare" });
    // A value of any form comes as the platform has it, without a warning.
    expect(found[0]).toMatchObject({ extra: [{ made: 2026 }, "oak"] });
    const queries = calls.map((call) => Object.fromEntries(new URLSearchParams(call.split("?")[1])));
    expect(queries).toHaveLength(3);
    expect(queries[0]).toEqual({ "page[size]": "10", "filter[kind]": "rack" });
    expect(queries[1]).toMatchObject({ "page[after]": expect.any(String) });
    expect((await platform.run({ entity: "racks", action: "list", params: {} })).meta).not.toHaveProperty("warnings");
  });
});

describe("headers whose names have more than letters and hyphens", () => {
  it("are sent, whether they are fixed or a param", async () => {
    // The platform refuses calls without the fixed one.
    await platform.run({ entity: "scans", action: "create", params: { id: "c2", zone: "north" } });
    expect([sent.get("depot_api.version"), sent.get("x_depot.zone")]).toEqual(["2", "north"]);
  });
});

describe("a signed call", () => {
  it("is accepted with a body and without, and refused with another secret", async () => {
    const { data } = await platform.run({ entity: "scans", action: "create", params: { id: "c1" } });
    expect(data).toMatchObject({ id: "c1" });
    const [kind] = own.connector.platform.auth.kinds;
    if (kind?.sign === undefined) throw new Error("the depot wants no signature");
    const wrong = { ...kind, sign: { ...kind.sign, with: "key", of: ["", "timestamp", ",", "body", ""] } };
    const other = await simulated({
      ...own.connector,
      platform: { ...own.connector.platform, auth: { kinds: [wrong], secrets: [] } },
    });
    await expect(other.run({ entity: "scans", action: "list", params: {} })).rejects.toMatchObject({
      code: "platform_unauthorized",
    });
    await other.close();
  });
});

describe("a response with signs of an error", () => {
  it.each([
    [200, { id: "1", ok: false, reason: "Closed" }, true],
    [202, { id: "1", state: "lost", reason: "Closed" }, true],
    [200, { id: "1", state: "lost" }, false],
    [202, { id: "1", state: "fine" }, false],
  ])("of status %d and body %j is one: %s", async (status, body, isError) => {
    reply = Response.json(body, { status });
    const run = platform.run({ entity: "scans", action: "create", params: { id: "1" } });
    if (isError) await expect(run).rejects.toThrow("Closed");
    else await expect(run).resolves.toMatchObject({ data: { id: "1" } });
    reply = undefined;
  });
});

describe("the recipes that are written out", () => {
  const markdown = readFileSync(join(import.meta.dirname, "../../runtime/site/text/recipes.md"), "utf8");
  const blocks = [...markdown.matchAll(/^```yaml\n# depot\/(\S+) (\S+)\n(.*?)\n```$/gms)].map(
    ([, file = "", path = "", yaml = ""]) => ({ file, path, yaml }),
  );
  const valueAt = (text: string, path: string) =>
    path.split(".").reduce<unknown>((here, key) => (here as Record<string, unknown>)[key], parse(text));

  it.each(blocks)("show $file $path as these tests run it", ({ file, path, yaml }) => {
    expect(valueAt(yaml, path)).toEqual(valueAt(readFileSync(join(import.meta.dirname, "depot", file), "utf8"), path));
  });

  it("are as many as this platform is for", () => {
    expect(blocks).toHaveLength(6);
  });
});
