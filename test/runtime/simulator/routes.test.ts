import { describe, expect, it } from "vitest";
import { Refused } from "../../../runtime/simulator/answer.ts";
import type { PlatformFile, RouteFile, StoredRecord } from "../../../runtime/simulator/described/platform-file.ts";
import { type DescribedWorld, routesOf } from "../../../runtime/simulator/described/rest-routes.ts";

const text = (status: number) => ({ status, body: { message: "{message}" } });
const place = { rest: "http://localhost", path: "/notes", params: {}, viewer: { token: "" } };
const budget = () => ({ limit: 1, remaining: 1, used: 0, reset: 0 });

/** Calls the one route of a platform with these notes. */
function notes(route: RouteFile, records: readonly StoredRecord[], method = "GET") {
  const file: PlatformFile = {
    token: "secret",
    web: "https://notes.example",
    viewer: {},
    idempotency: "Idempotency-Key",
    errors: { unauthorized: text(401), missing: text(404), invalid: text(400), limited: text(429) },
    records: {},
    routes: { [`${method} /notes`]: route },
  };
  const names = ["rank[gt]", "rank[gte]", "rank[lt]", "rank[lte]", "sort", "direction", "fields"];
  const described = { parameters: names.map((name) => ({ in: "query", name, schema: {} })) };
  const [found] = routesOf(file, { paths: { "/notes": { [method.toLowerCase()]: described } } });
  const world: DescribedWorld = { records: { notes: [...records] }, serial: 9000, done: {}, made: {} };
  return (query: string, body: object = {}, headers: Record<string, string> = {}) => {
    try {
      const answer = found?.run({ ...place, method, query, headers, world, budget }, body as Record<string, unknown>);
      return JSON.parse(String(answer?.body));
    } catch (error) {
      if (error instanceof Refused) return [error.answer.status, JSON.parse(String(error.answer.body)).message];
      throw error;
    }
  };
}

describe("a list of a simulated API in REST", () => {
  const records = [3, 1, 2].map((rank) => ({ id: `n${rank}`, rank }));
  it.each([
    ["?rank[gt]=2", ["n3"]],
    ["?rank[gte]=2", ["n3", "n2"]],
    ["?rank[lt]=2", ["n1"]],
    ["?rank[lte]=2", ["n1", "n2"]],
    ["?rank[gt]=1&rank[lt]=3", ["n2"]],
  ])("has with %s what is in the range", (query, ids) => {
    const found = notes({ list: "notes", ranges: ["rank"] }, records)(query);
    expect(found.map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  it("follows the requested order, and keeps the order of equal records", () => {
    const route = { list: "notes", order: { by: "rank", param: "sort", direction: "direction" } };
    const all = [
      ...records.map((one) => ({ ...one, title: one.rank === 2 ? "Two" : "Other" })),
      { id: "a", rank: 2, title: "A" },
    ];
    const ids = (query: string) => notes(route, all)(query).map(({ id }: { id: string }) => id);
    expect(ids("")).toEqual(["n3", "n2", "a", "n1"]);
    expect(ids("?direction=asc")).toEqual(["n1", "n2", "a", "n3"]);
    expect(ids("?sort=title")).toEqual(["n2", "n3", "n1", "a"]);
    expect(ids("?sort=title&direction=asc")).toEqual(["a", "n3", "n1", "n2"]);
    expect(ids("?sort=id&direction=asc")).toEqual(["a", "n1", "n2", "n3"]);
  });

  it("expands the members that a request names, and gives only ids otherwise", () => {
    const list = notes({ list: "notes", picks: "fields" }, [{ id: "n1", title: "One", fields: { color: "red", size: 3 } }]);
    expect(list("?fields=color")).toEqual([{ id: "n1", title: "One", fields: { color: "red" } }]);
    expect(list("")).toEqual([{ id: "n1" }]);
    expect(list("?fields=nope")).toEqual([{ id: "n1" }]);
  });
});

describe("a write with a key", () => {
  it("is done once, and refused when its key comes with something else", () => {
    const create = notes({ create: "notes", set: { id: "{serial}" } }, [], "POST");
    const key = { "idempotency-key": "k1", "content-type": "application/json" };
    const first = create("", { title: "One" }, key);
    expect(create("", { title: "One" }, key)).toEqual(first);
    expect(create("", { title: "Two" }, key)).toEqual([400, "The key of this request was used with other parameters."]);
    expect(create("", { title: "Two" }, { ...key, "idempotency-key": "k2" })).toMatchObject({ title: "Two" });
  });
});
