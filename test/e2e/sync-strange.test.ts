import { describe, expect, it } from "vitest";
import { figma } from "../../generated/figma/index.ts";
import { run } from "../support/fake-instance.ts";
import { simulated } from "../support/simulated.ts";
import { type GraphqlBody, hello, resultOf } from "./support/cache.ts";
import { useCaches } from "./support/caches.ts";

// Lists of a platform that does not do what the spec says: records without a key or with the same one, and lists without an end.

const running = useCaches();

interface LabelPage {
  readonly nodes: readonly unknown[];
  readonly next?: string;
}
/** What the platform says in the place of a page. */
interface PageError {
  readonly error: string;
}
const badCursor: PageError = { error: "INVALID_CURSOR_ARGUMENTS" };

/** A cache whose platform gives these pages of labels; each is asked for by its number and the cursor. */
function cacheOf(pageOf: (nth: number, after: string | undefined) => LabelPage | PageError) {
  let asked = 0;
  return running.openEmpty({
    answer: (operation, { variables }) => {
      if (operation !== "LabelsList") return undefined;
      const page = pageOf(asked++, variables["after"] as string | undefined);
      if ("error" in page) return { data: null, errors: [{ type: page.error, message: "Not this cursor." }] };
      const { nodes, next } = page;
      return {
        data: { repository: { labels: { nodes, pageInfo: { hasNextPage: next !== undefined, endCursor: next ?? null } } } },
      };
    },
  });
}

const label = (id: string | null, name = `name of ${id}`) => ({
  id,
  name,
  color: "ffffff",
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
  repository: { nameWithOwner: "octocat/hello-world" },
  url0: { owner: { login: "octocat" } },
  url1: { name: "hello-world" },
  url2: name,
});
/** As many as a sync asks for at once. */
const fullPage = (name: string) => Array.from({ length: 100 }, (_, at) => label(`${name}-${at}`));
const labels = { entities: ["labels"] };

describe("records without a key", () => {
  it.each([null, ""])("(%j) fail their sync run, which no retry can help, and nothing of their page is stored", async (id) => {
    const nodes = Array.from({ length: 34 }, (_, at) => label(id, `label ${at}`));
    const cache = await cacheOf((nth) => (nth === 0 ? { nodes: fullPage("a"), next: "2" } : { nodes }));
    const result = resultOf(await cache.sync([hello], labels), "labels");
    expect(result).toMatchObject({ outcome: "failed", problem: { code: "unexpected_response" } });
    expect(result.problem?.message).toBe(
      'GitHub sent a record of labels without "id", which the spec names as its key. The record cannot be stored. Another sync does not help until the spec, or the platform, has been corrected.',
    );
    expect(await cache.states()).toMatchObject([{ problem: "unexpected_response", completedAt: null, records: 100 }]);
  });
});

describe("records with the same key", () => {
  it("are counted once, and those with another content are reported", async () => {
    const nodes = Array.from({ length: 34 }, (_, at) => label("same", `label ${at}`));
    const cache = await cacheOf(() => ({ nodes: [...nodes, label("other"), label("other")] }));
    const result = resultOf(await cache.sync([hello], labels), "labels");
    expect(result).toMatchObject({ outcome: "complete", inserted: 2, changed: 0, unchanged: 0, repeated: 33 });
    expect(await cache.states()).toMatchObject([{ records: 2, notes: { repeated: 33 } }]);
  });

  it("are no longer reported after a sync run without any", async () => {
    let twice = true;
    const cache = await cacheOf(() => ({ nodes: [label("a"), ...(twice ? [label("a", "another")] : [])] }));
    expect(resultOf(await cache.sync([hello], labels), "labels").repeated).toBe(1);
    twice = false;
    expect(resultOf(await cache.sync([hello], labels), "labels").repeated).toBe(0);
    expect((await cache.states())[0]?.notes).not.toHaveProperty("repeated");
  });
});

describe("a cursor that the platform has no longer", () => {
  it.each(["NOT_FOUND", "UNPROCESSABLE"])("and of which it says %s has the list read from its beginning, once", async (error) => {
    const gone = new Set(["c0"]);
    const cache = await cacheOf((nth, after) => {
      if (after !== undefined && gone.has(after)) return { error };
      return after === undefined ? { nodes: fullPage("a"), next: `c${nth}` } : { nodes: [label("b")] };
    });
    const result = resultOf(await cache.sync([hello], labels), "labels");
    expect(result).toMatchObject({ outcome: "complete", inserted: 101, removed: 0, calls: 4 });
    // Where every cursor is refused, the platform's own words are what helps.
    for (let nth = 0; nth < 20; nth++) gone.add(`c${nth}`);
    const refused = resultOf(await cache.sync([hello], { ...labels, full: true }), "labels");
    expect(refused).toMatchObject({ outcome: "failed", calls: 4 });
    expect(refused.problem?.code).toBe(error === "NOT_FOUND" ? "not_found" : "platform_rejected");
    expect(await cache.states()).toMatchObject([{ records: 101 }]);
  });
});

describe("values of another type than the spec declares", () => {
  it("are counted in the status, and a search that is about their field warns, until a full sync finds none", async () => {
    let odd: object = { color: 7 };
    const cache = await cacheOf(() => ({ nodes: [label("a"), { ...label("b"), ...odd }, { ...label("c"), ...odd }] }));
    const warningsOf = async (params: object) => {
      const { meta } = await run(cache.instance, { entity: "labels", action: "context_store_search", params });
      return meta["warnings"];
    };
    expect(resultOf(await cache.sync([hello], labels), "labels")).toMatchObject({ misfits: { "color unexpected_type": 2 } });
    expect(await cache.states()).toMatchObject([{ notes: { misfits: { "color unexpected_type": 2 } } }]);
    const message =
      "The cache has values of another type than the spec declares, in color (2). They are passed through as they are; filters and sorting take them for missing.";
    const warning = [{ path: "data", code: "unexpected_type", message }];
    expect(await warningsOf({ query: {} })).toEqual(warning);
    expect(await warningsOf({ fields: ["name"], query: { filter: { not: { eq: { color: "ff" } } } } })).toEqual(warning);
    expect(await warningsOf({ fields: ["name"], query: { sort: [{ color: "asc" }] } })).toEqual(warning);
    expect(await warningsOf({ fields: ["name"], query: {} })).toBeUndefined();
    odd = {};
    expect(resultOf(await cache.sync([hello], { ...labels, full: true }), "labels")).not.toHaveProperty("misfits");
    expect(await warningsOf({ query: {} })).toBeUndefined();
  });
});

describe("elements of a list that are no records", () => {
  const odd = [null, "a", 7, ["b"]];

  it("make a sync run incomplete, which removes nothing", async () => {
    let nodes: readonly unknown[] = fullPage("a");
    const cache = await cacheOf(() => ({ nodes }));
    expect(resultOf(await cache.sync([hello], labels), "labels").outcome).toBe("complete");
    for (const one of odd) {
      nodes = [label("a-0"), one];
      const result = resultOf(await cache.sync([hello], { ...labels, full: true }), "labels");
      expect(result).toMatchObject({ outcome: "partial", removed: 0 });
    }
    expect((await cache.states())[0]).toMatchObject({ records: 100 });
  });

  it("make a sync run incomplete on a REST platform too, and a live read reports them", async () => {
    let elements: readonly unknown[] | undefined;
    const platform = await simulated(figma, (_method, path) =>
      elements !== undefined && path.endsWith("/comments") ? { comments: elements } : undefined,
    );
    const synced = async () => (await platform.syncExamples()).entities.find(({ entity }) => entity === "comments");
    expect(await synced()).toMatchObject({ outcome: "complete" });
    elements = odd;
    expect(await synced()).toMatchObject({ outcome: "partial", removed: 0 });
    const { data, meta } = await platform.run({ entity: "comments", action: "list", params: { file: "Xk2bQ7design01" } });
    expect(data).toEqual([]);
    expect(meta.warnings).toEqual([
      { path: "data", code: "record_missing", message: "The platform left out 4 of these records without saying why." },
    ]);
    await platform.close();
  });
});

describe("a list without an end", () => {
  it.each([
    ["one after the other", 5, fullPage],
    ["within one page of ours", 33, (name: string) => [label(name)]],
  ])("fails soon when its cursors go round in a circle, %s", async (_what, length, nodes) => {
    const cache = await cacheOf((nth) => ({ nodes: nodes(`${nth % length}`), next: `c${nth % length}` }));
    const result = resultOf(await cache.sync([hello], labels), "labels");
    expect(result).toMatchObject({ outcome: "failed", problem: { code: "platform_failed" } });
    expect(result.problem?.message).toContain("returned a cursor a second time");
    expect(result.calls).toBeLessThan(100);
  });

  it.each([
    ["the same records", (nth: number) => fullPage(`${nth % 3}`)],
    ["no records", (nth: number) => (nth < 3 ? fullPage(`${nth}`) : [])],
  ])("fails when it goes on with new cursors and %s", async (_what, nodes) => {
    const cache = await cacheOf((nth) => ({ nodes: nodes(nth), next: `c${nth}` }));
    const result = resultOf(await cache.sync([hello], labels), "labels");
    expect(result).toMatchObject({ outcome: "failed", problem: { code: "platform_failed" } });
    expect(result.problem?.message).toMatch(/sent \d+ pages in a row that bring nothing new/);
    expect(result.calls).toBeLessThan(300);
    expect((await cache.states())[0]).toMatchObject({ records: 300, completedAt: null });
  });

  it("fails soon also where it is read again from its beginning, however many records are stored", async () => {
    // 40 pages, then the cursor is refused, and then the first three pages come for ever.
    const cache = await cacheOf((nth) =>
      nth === 40 ? badCursor : { nodes: fullPage(`${nth < 40 ? nth : nth % 3}`), next: `c${nth}` },
    );
    const result = resultOf(await cache.sync([hello], labels), "labels");
    expect(result).toMatchObject({ outcome: "failed", problem: { code: "platform_failed" }, inserted: 0 });
    expect(result.problem?.message).toMatch(/sent 21 pages in a row that bring nothing new/);
    expect(result.calls).toBeLessThan(80);
    expect((await cache.states())[0]).toMatchObject({ records: 4000, completedAt: null });
  });

  it("is not taken for one because all that was read is read again when the platform refuses its cursor", async () => {
    const cache = await cacheOf((nth) => {
      if (nth === 40) return badCursor;
      const at = nth < 40 ? nth : nth - 41;
      return { nodes: fullPage(`${at}`), ...(at === 45 ? {} : { next: `c${nth}` }) };
    });
    const result = resultOf(await cache.sync([hello], labels), "labels");
    expect(result).toMatchObject({ outcome: "complete", inserted: 4600 });
  });

  it("is not taken for one because some of its pages have no records", async () => {
    const cache = await cacheOf((nth) => ({
      nodes: nth % 40 === 0 ? [label(`${nth}`)] : [],
      ...(nth === 160 ? {} : { next: `c${nth}` }),
    }));
    const result = resultOf(await cache.sync([hello], labels), "labels");
    expect(result).toMatchObject({ outcome: "complete", inserted: 5 });
  });

  /** A page of a list below something, for every alias in the query that begins with this letter. */
  const pagesOf = ({ query }: GraphqlBody, letter: string, one: (alias: string) => object) =>
    Object.fromEntries([...query.matchAll(new RegExp(`\\b(${letter}\\d+):`, "g"))].map(([, alias = ""]) => [alias, one(alias)]));

  it.each([
    ["go round in a circle", (nth: number) => `c${nth % 5}`, /returned a cursor a second time/],
    ["are always new ones", (nth: number) => `c${nth}`, /pages in a row that bring nothing new/],
  ])("fails also where it belongs to a record and its cursors %s", async (_what, cursorOf, message) => {
    let asked = 0;
    const cache = await running.openEmpty({
      answer: (operation, body) => {
        if (operation !== "CommentsListBatch") return undefined;
        asked++;
        const pageInfo = { hasNextPage: true, endCursor: cursorOf(asked) };
        return { data: { repository: pagesOf(body, "p", () => ({ comments: { nodes: [], pageInfo } })) } };
      },
    });
    const result = resultOf(await cache.sync([hello], { entities: ["comments"] }), "comments");
    expect(result).toMatchObject({ outcome: "failed", problem: { code: "platform_failed" } });
    expect(result.problem?.message).toMatch(message);
    expect(asked).toBeLessThan(300);
  });
});

describe("a repository without commits", () => {
  const scope = "repository=octocat/empty";
  const entries = { entities: ["directory_content"] };

  it("has a complete sync with no records, and a second one too", async () => {
    const cache = await running.openEmpty();
    for (const full of [false, true]) {
      const result = await cache.sync([scope], { ...entries, full });
      expect(result.outcome).toBe("complete");
      expect(resultOf(result, "directory_content")).toMatchObject({ inserted: 0, removed: 0 });
    }
    expect(await cache.states()).toMatchObject([{ entity: "directory_content", records: 0, problem: null }]);
  });

  it("has no entries, while a path that another repository does not have is not found", async () => {
    const { instance } = await running.openEmpty();
    const list = (repo: string, path: string) =>
      run(instance, { entity: "directory_content", action: "list", params: { owner: "octocat", repo, path } });
    expect(await list("empty", "")).toMatchObject({ data: [], meta: { has_next_page: false, end_cursor: null } });
    await expect(list("hello-world", "no/such/path")).rejects.toMatchObject({ code: "not_found" });
  });
});
