import { expect, it } from "vitest";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { fakeInstance, run } from "../support/fake-instance.ts";
import { alone, authorized, executePath, good, list } from "./support/service.ts";

// A record with the credential of its own instance. The helpers that send a request check that no response has it.

const at = { owner: "octocat", repo: "hello-world" };
const syncPath = executePath.replace("execute", "sync");
const body = { data: [expect.objectContaining({ title: "leak [redacted]" })] };

it("a credential in a record of the platform reaches no caller: written, read, listed, cached, or over MCP", () =>
  alone({}, async ({ platform, tenon }) => {
    const made = good(await tenon.run("issues", "create", { ...at, title: `leak ${ownerToken}` }))["data"];
    expect(made).toMatchObject({ title: "leak [redacted]" });
    // The platform has it as it is.
    expect(JSON.stringify(platform.requests.at(-1))).toContain(`leak ${ownerToken}`);
    const number = made?.["number"];
    expect(good(await tenon.run("issues", "get", { ...at, number, fields: ["title"] }))["data"]).toEqual({
      title: "leak [redacted]",
    });
    const newest = { ...at, per_page: 100, fields: ["title"] };
    expect(list(good(await tenon.run("issues", "list", newest))["data"])).toContainEqual({ title: "leak [redacted]" });
    const scope = { scopes: ["repository=octocat/hello-world"], entities: ["issues"] };
    expect((await tenon.send("POST", syncPath, JSON.stringify(scope))).status).toBe(202);
    for (;;) {
      const states = list((await tenon.send("GET", syncPath, undefined)).body["data"]);
      if (states.some(({ entity, state }) => String(entity) === "issues" && String(state) === "complete")) break;
    }
    const query = { filter: { eq: { number } } };
    const found = good(await tenon.run("issues", "context_store_search", { query }));
    expect(found).toMatchObject(body);
    const params = { name: "search", arguments: { connector: "github", entity: "issues", filter: query.filter } };
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const headers = { ...authorized, accept: "application/json, text/event-stream" };
    expect((await tenon.send("POST", "/mcp", call, headers)).text).toContain("leak [redacted]");
  }));

it("a credential of eight characters reaches no caller as a word of a record", async () => {
  const token = "hunter-2";
  const issue = { number: 1, title: `use ${token}`, body: `x\n${token}\ny hunter-20`, url: `https://x.test/?t=${token}` };
  const { instance } = fakeInstance(() => ({ data: { repository: { issue } } }), token);
  const request = { entity: "issues", action: "get", params: { ...at, number: 1, fields: ["title", "body", "url"] } };
  expect((await run(instance, request)).data).toEqual({
    title: "use [redacted]",
    body: "x\n[redacted]\ny hunter-20",
    url: "https://x.test/?t=[redacted]",
  });
});
