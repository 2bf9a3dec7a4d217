import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { figma } from "../../generated/figma/index.ts";
import { type Simulated, simulated } from "../support/simulated.ts";

// A REST platform that differs from GitHub in paging, authentication, envelopes and errors.

let platform: Simulated;
beforeAll(async () => {
  platform = await simulated(figma);
});
afterAll(() => platform.close());

const ask = (entity: string, action: string, params: object) => platform.run({ entity, action, params });

/** All records of a list, page by page, and the number of pages. */
async function walk(entity: string, params: object): Promise<{ keys: unknown[]; pages: number }> {
  const keys: unknown[] = [];
  let after = "";
  for (let pages = 1; ; pages++) {
    const { data, meta } = await ask(entity, "list", { ...params, after });
    keys.push(...(data as { id?: string; key?: string }[]).map(({ id, key }) => key ?? id));
    if (meta["has_next_page"] !== true) return { keys, pages };
    after = String(meta["end_cursor"]);
  }
}

describe("lists of Figma", () => {
  it.each([
    ["by the address of the next page", "versions", { file: "Xk2bQ7design01", per_page: 30 }, 70, 3],
    ["by a cursor in the body", "components", { team: "1001", per_page: 50 }, 65, 2],
    ["in pages that end with the last record", "components", { team: "1001", per_page: 13 }, 65, 5],
  ])("%s are read to their end, each record once", async (_what, entity, params, records, pages) => {
    const read = await walk(entity, params);
    expect(new Set(read.keys).size).toBe(records);
    expect(read).toMatchObject({ pages, keys: { length: records } });
  });

  it("refuse a cursor of another list", async () => {
    const { meta } = await ask("versions", "list", { file: "Xk2bQ7design01" });
    const other = ask("versions", "list", { file: "Xk2bQ7check002", after: meta["end_cursor"] });
    await expect(other).rejects.toMatchObject({ code: "bad_cursor", faults: [{ pointer: "/params/after" }] });
  });

  it("send a list in one parameter where the platform wants it so", async () => {
    const { data } = await ask("dev_resources", "list", { file: "Xk2bQ7design01", nodes: ["12:34", "1:2"], dryRun: true });
    expect(data).toBeNull();
    const { meta } = await ask("dev_resources", "list", { file: "Xk2bQ7design01", nodes: ["12:34", "1:2"], dryRun: true });
    expect(meta["document"]).toBe("GET /v1/files/Xk2bQ7design01/dev_resources?node_ids=12%3A34%2C1%3A2");
  });
});

describe("writes to Figma", () => {
  it("put parameters under the platform's names, where it wants them, and read the record from where it is", async () => {
    const { data } = await ask("dev_resources", "create", {
      file: "Xk2bQ7design01",
      node: "3:4",
      name: "Docs",
      url: "https://a.example",
    });
    expect(data).toMatchObject({ file: "Xk2bQ7design01", node: "3:4", name: "Docs" });
    const { id } = data as { id: string };
    const changed = await ask("dev_resources", "update", { id, name: "Guide" });
    expect(changed.data).toMatchObject({ id, name: "Guide", url: "https://a.example" });
  });

  it("that change nothing are refused, though they name the record", async () => {
    await expect(ask("webhooks", "update", { id: "701" })).rejects.toMatchObject({ faults: [{ code: "empty_update" }] });
  });

  it("may have a name of their own, and remove a record", async () => {
    const { data } = await ask("comments", "create", { file: "Xk2bQ7design01", message: "Soon gone." });
    const { id } = data as { id: string };
    const removal = { file: "Xk2bQ7design01", comment: id };
    expect((await ask("comments", "delete", removal)).data).toEqual({ status: 200 });
    await expect(ask("comments", "delete", removal)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("refusals of Figma", () => {
  it("are reported in its own words, from the place where they are", async () => {
    const missing = ask("comments", "list", { file: "none" });
    await expect(missing).rejects.toMatchObject({ code: "not_found", message: "Figma responded with 404. It says: Not found." });
  });
});

describe("a sync of Figma", () => {
  it("reads what belongs to files though their calls do not take the team, and only what has changed", async () => {
    expect((await platform.syncExamples()).outcome).toBe("complete");
    const query = { filter: { like: { message: "%contrast%" } }, sort: [{ createdAt: "desc" }] };
    const { data } = await ask("comments", "context_store_search", { query });
    expect(data).toMatchObject([{ id: "501", file: "Xk2bQ7design01" }]);
    const { entities } = await platform.syncExamples();
    expect(entities.find(({ entity }) => entity === "versions")).toMatchObject({ calls: 0 });
  });
});
