import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jira } from "../../generated/jira/index.ts";
import { type Simulated, simulated } from "../support/simulated.ts";

// A REST platform that searches by POST with a cursor in the body, stores texts as trees, and answers nothing to a change.

let platform: Simulated;
let instead: Response | undefined;
let calls: { readonly method: string; readonly path: string; readonly body: string }[] = [];
beforeAll(async () => {
  platform = await simulated(jira, (method, path, body) => {
    calls.push({ method, path, body });
    return instead?.clone();
  });
});
afterAll(() => platform.close());

const ask = (entity: string, action: string, params: object) => platform.run({ entity, action, params });
const sent = (method: string) => {
  const { body = "" } = calls.findLast((one) => one.method === method) ?? {};
  return JSON.parse(body) as Record<string, unknown>;
};

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

describe("lists of Jira", () => {
  it("are searched by POST, the cursor in the body, each record once", async () => {
    const issues = await all("issues", "list", { project: "SHOP", per_page: 50, fields: ["key", "updatedAt"] });
    expect([issues.length, new Set(issues.map(({ key }) => key)).size]).toEqual([132, 132]);
    expect(issues.slice(0, 2).map(({ key }) => key)).toEqual(["SHOP-901", "SHOP-902"]);
    expect(sent("POST")).toMatchObject({ jql: 'project = "SHOP" ORDER BY updated DESC', nextPageToken: "100", maxResults: 50 });
    await expect(ask("issues", "list", { project: 'SHOP" OR project = "OPS' })).rejects.toMatchObject({
      faults: [{ pointer: "/params/project" }],
    });
  });

  it("give the text of documents, and the document on request", async () => {
    const fields = ["description", "document", "assignee", "statusCategory"];
    const { data } = await ask("issues", "api_search", { jql: 'text ~ "loses its last"', fields });
    expect(data).toEqual([
      {
        description: "Add two things, go back, and the second one is gone.\nOnly on phones",
        document: expect.objectContaining({ type: "doc", version: 1 }),
        assignee: "Ben Ode",
        statusCategory: "new",
      },
    ]);
  });

  it("end at an empty page where the platform takes records out of its pages", async () => {
    calls = [];
    expect(await all("users", "list", { per_page: 30, fields: ["accountId"] })).toHaveLength(42);
    expect(calls).toHaveLength(3);
  });
});

describe("a token that Jira does not take", () => {
  it.each(["AUTHENTICATED_FAILED", "AUTHENTICATION_DENIED"])("is an error and not an empty list: %s", async (reason) => {
    const stored = async () => (await ask("projects", "context_store_search", { query: {}, fields: ["key"] })).data;
    await platform.syncExamples();
    instead = Response.json({ values: [], total: 0 }, { headers: { "X-Seraph-LoginReason": reason } });
    await expect(ask("projects", "list", {})).rejects.toMatchObject({ code: "platform_unauthorized" });
    const { entities } = await platform.syncExamples();
    instead = undefined;
    expect(entities[0]?.problem?.code).toBe("platform_unauthorized");
    expect(await stored()).toHaveLength(2);
  });
});

describe("writes to Jira", () => {
  it("send texts as documents, a paragraph for each line", async () => {
    await ask("comments", "create", { issue: "SHOP-901", text: 'First {text}\n\n  \nSecond "{line}"', fields: ["id"] });
    const text = (value: string) => ({ type: "paragraph", content: [{ type: "text", text: value }] });
    expect(sent("POST")).toEqual({
      body: { type: "doc", version: 1, content: [text("First {text}"), text('Second "{line}"')] },
    });
    const comments = await all("comments", "list", { issue: "SHOP-901", fields: ["text"] });
    expect(comments.at(-1)).toEqual({ text: 'First {text}\nSecond "{line}"' });
  });

  it("create, change, move and remove an issue", async () => {
    const fields = ["summary", "description", "labels", "assignee", "status", "resolution"];
    const made = await ask("issues", "create", {
      project: "SHOP",
      kind: "Bug",
      summary: "New",
      description: "Why",
      assignee: "5b10a:ben",
    });
    const { key } = made.data as { key: string };
    expect(made.data).toEqual({ id: expect.any(String), key });
    const changed = await ask("issues", "update", {
      issue: key,
      summary: "Newer",
      description: "",
      labels: ["a"],
      assignee: null,
    });
    expect(changed).toMatchObject({ data: null, meta: { warnings: [{ code: "no_content" }] } });
    await ask("issues", "transition", { issue: key, transition: "31" });
    expect((await ask("issues", "get", { issue: key, fields })).data).toEqual({
      summary: "Newer",
      description: "",
      labels: ["a"],
      assignee: null,
      status: "Done",
      resolution: "Done",
    });
    await ask("issues", "delete", { issue: key });
    await expect(ask("issues", "get", { issue: key })).rejects.toMatchObject({ code: "not_found" });
  });

  it.each([
    ["labels", { issue: "SHOP-901", labels: ["two words"] }, "/params/labels"],
    ["nobody's account", { issue: "SHOP-901", assignee: "5b10a:gone" }, "/params/assignee"],
    ["a priority", { issue: "SHOP-901", priority: "Urgent" }, "/params/priority"],
  ])("point to %s that the platform refuses", async (_what, params, pointer) => {
    await expect(ask("issues", "update", params)).rejects.toMatchObject({ code: "platform_rejected", faults: [{ pointer }] });
  });
});

describe("a sync of Jira", () => {
  it("stores every record, finds texts inside documents, and reads comments of changed issues alone", async () => {
    const first = await platform.syncExamples();
    expect(first.entities.map(({ entity, outcome }) => [entity, outcome]).toSorted()).toEqual(
      ["comments", "issues", "projects", "users"].map((entity) => [entity, "complete"]),
    );
    const search = async (entity: string, filter: object) =>
      (await ask(entity, "context_store_search", { query: { filter }, fields: ["id"] })).data;
    expect(await search("comments", { fuzzy: { text: "storage is full" } })).toEqual([{ id: "70001" }]);
    expect(await search("issues", { fuzzy: { description: "only on phones" } })).toHaveLength(1);
    await ask("issues", "transition", { issue: "SHOP-5", transition: "21" });
    calls = [];
    await platform.syncExamples();
    const paths = calls.map(({ path }) => path);
    expect(paths.filter((path) => path.endsWith("/comment"))).toContain("/rest/api/3/issue/SHOP-5/comment");
    expect(paths.filter((path) => path.endsWith("/comment")).length).toBeLessThan(5);
    expect(paths.filter((path) => path.endsWith("/search/jql"))).toHaveLength(1);
    expect(await search("issues", { eq: { statusCategory: "indeterminate" } })).toHaveLength(1);
  });
});

describe("attachments of Jira", () => {
  const upload = (file: object) => ask("attachments", "create", { issue: "SHOP-901", file });

  it("are sent as they are, byte by byte", async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 128, 200]);
    const { data } = await upload({ name: 'a "b" ü.bin', content: bytes.toString("base64"), contentType: "image/png" });
    expect(data).toMatchObject({ filename: "a %22b%22 ü.bin", mimeType: "image/png", size: 8 });
    expect((await upload({ name: "empty.txt", content: "" })).data).toMatchObject({
      mimeType: "application/octet-stream",
      size: 0,
    });
  });

  it.each([
    [{ name: "a.txt", content: "no base64!" }, "/params/file/content"],
    [{ name: "a.txt", content: "QQ==", contentType: "text/plain\r\nX-Evil: 1" }, "/params/file/contentType"],
    [{ content: "QQ==" }, "/params/file/name"],
  ])("are refused for %j", async (file, pointer) => {
    await expect(upload(file)).rejects.toMatchObject({ faults: [{ pointer }] });
  });
});
