import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notion } from "../../generated/notion/index.ts";
import { type Simulated, simulated } from "../support/simulated.ts";

// A REST platform with one search for all kinds of records, cursors in bodies and queries, and texts as lists of parts.

let platform: Simulated;
let calls: { readonly method: string; readonly path: string; readonly body: string }[] = [];
beforeAll(async () => {
  platform = await simulated(notion, (method, path, body) => {
    calls.push({ method, path, body });
    return undefined;
  });
});
afterAll(() => platform.close());

const ask = (entity: string, action: string, params: object) => platform.run({ entity, action, params });
const plan = "59833787-2cf9-4fdf-8782-e53db20768a5";
const lamps = "164b19c5-58e5-4a47-a3a9-c905d9519c65";

async function all(entity: string, action: string, params: object): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let after = "";
  do {
    const { data, meta } = await ask(entity, action, { ...params, after });
    found.push(...(data as Record<string, unknown>[]));
    after = String(meta["end_cursor"] ?? "");
  } while (after !== "");
  return found;
}

describe("lists of Notion", () => {
  it("ask the one search for their kind, page by page, each record once", async () => {
    calls = [];
    const pages = await all("pages", "list", { per_page: 30, fields: ["id", "text"] });
    expect([pages.length, new Set(pages.map(({ id }) => id)).size, calls.length]).toEqual([71, 71, 3]);
    expect(pages[0]).toEqual({ id: plan, text: "Plan for April" });
    expect(JSON.parse(calls.at(-1)?.body ?? "")).toEqual({
      filter: { property: "object", value: "page" },
      sort: { timestamp: "last_edited_time", direction: "descending" },
      page_size: 30,
      start_cursor: "60",
    });
    const fields = ["title", "description"];
    const found = await all("data_sources", "list", { fields });
    expect(found).toEqual([{ title: "Lamps", description: "What stands on the shelves." }]);
  });

  it("have the fields of their own kind, although the call is the same", async () => {
    const keys = async (entity: string) => Object.keys(((await ask(entity, "list", { per_page: 1 })).data as object[])[0] ?? {});
    expect(await keys("data_sources")).toContain("title");
    expect(await keys("pages")).toEqual(expect.arrayContaining(["text", "dataSource"]));
  });

  it("give the rows of a data source with the texts of their properties", async () => {
    const rows = await all("pages", "query", { dataSource: lamps, per_page: 40, fields: ["text", "dataSource"] });
    expect(rows).toHaveLength(70);
    expect(rows[0]).toEqual({ text: "Lamp 1\nShelf 01", dataSource: lamps });
  });

  it("give the text of a block wherever it stands in it", async () => {
    expect(await all("blocks", "list", { block: plan, fields: ["type", "text"] })).toEqual([
      { type: "paragraph", text: "The shop gets warm light before summer." },
      { type: "to_do", text: "Order forty bulbs" },
    ]);
  });

  it.each([
    ["a page", "pages", "get", { page: "00000000-0000-0000-0000-000000000000" }],
    ["a database", "databases", "get", { database: "00000000-0000-0000-0000-000000000000" }],
  ])("say that %s is not there", async (_what, entity, action, params) => {
    await expect(ask(entity, action, params)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("writes to Notion", () => {
  it("create a page in another one, rename it, write into it, and put it into the trash", async () => {
    const made = await ask("pages", "create", { page: plan, title: "Plan for {May}", fields: ["id", "text", "page"] });
    const { id } = made.data as { id: string };
    expect(made.data).toEqual({ id, text: "Plan for {May}", page: plan });
    const title = "Plan for June";
    expect((await ask("pages", "update", { page: id, title, fields: ["text"] })).data).toEqual({ text: title });
    const block = (await ask("blocks", "append", { block: id, text: "First\nsecond", fields: ["id", "text"] })).data as {
      id: string;
    };
    expect(block).toEqual({ id: block.id, text: "First\nsecond" });
    const changed = await ask("blocks", "update", { block: block.id, text: "Third", fields: ["text"] });
    expect(changed.data).toEqual({ text: "Third" });
    await ask("blocks", "delete", { block: block.id });
    expect(await all("blocks", "list", { block: id })).toEqual([]);
    const trashed = await ask("pages", "update", { page: id, trashed: true, fields: ["text", "trashed"] });
    expect(trashed.data).toEqual({ text: title, trashed: true });
  });
});

describe("a sync of Notion", () => {
  it("stores every record, finds texts inside blocks, and reads the blocks of changed pages alone", async () => {
    const first = await platform.syncExamples();
    expect(first.entities.map(({ entity, outcome }) => [entity, outcome]).toSorted()).toEqual(
      ["blocks", "data_sources", "pages", "users"].map((entity) => [entity, "complete"]),
    );
    const search = async (entity: string, filter: object) =>
      (await ask(entity, "context_store_search", { query: { filter }, fields: ["id"], limit: 100 })).data;
    expect(await search("blocks", { fuzzy: { text: "warm light" } })).toHaveLength(1);
    expect(await search("pages", { eq: { dataSource: lamps } })).toHaveLength(70);
    const page = "59833787-2cf9-4fdf-8782-000000000700";
    await ask("pages", "update", { page, title: "Lamp with a switch" });
    calls = [];
    await platform.syncExamples();
    const read = calls.filter(({ path }) => path.endsWith("/children")).map(({ path }) => path);
    expect(read).toContain(`/v1/blocks/${page}/children`);
    expect(read.length).toBeLessThan(5);
    expect(await search("pages", { fuzzy: { text: "a switch" } })).toEqual([{ id: page }]);
  });
});
