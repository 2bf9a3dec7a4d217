import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { figma } from "../../../generated/figma/index.ts";
import { github } from "../../../generated/github/index.ts";
import { manualOf } from "../../../runtime/manual/manual.ts";
import { referencePage } from "../../../runtime/manual/page.ts";
import type { ToolHost } from "../../../runtime/mcp/host.ts";
import { mcpServer } from "../../../runtime/mcp/server.ts";

const host: ToolHost = {
  writes: false,
  instances: async () =>
    [github, figma].map((connector) => ({
      id: connector.name,
      manual: () => manualOf(connector),
      page: (entity) => referencePage(connector, entity),
    })),
  changes: () => Promise.reject(new Error()),
  watch: () => Promise.reject(new Error()),
  execute: () => Promise.reject(new Error("no")),
};
const client = new Client({ name: "test", version: "1" });

beforeAll(async () => {
  const [one, other] = InMemoryTransport.createLinkedPair();
  await mcpServer(host, undefined).connect(other);
  await client.connect(one);
});
afterAll(() => client.close());

const values = async (ref: "prompt" | "resource", name: string, value: string, given: Record<string, string> = {}) => {
  const { completion } = await client.complete({
    ref:
      ref === "prompt"
        ? { type: "ref/prompt", name: "count_records" }
        : { type: "ref/resource", uri: "tenon://{connector}/{entity}" },
    argument: { name, value },
    context: { arguments: given },
  });
  expect([completion.total, completion.hasMore]).toEqual([completion.values.length, false]);
  return completion.values;
};

describe("prompts", () => {
  it("are five, each of which names tools that there are", async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBe(5);
    const tools = (await client.listTools()).tools.map(({ name }) => name);
    for (const { name, arguments: own = [] } of prompts) {
      const given = Object.fromEntries(own.map((one) => [one.name, `<${one.name}>`]));
      const { messages } = await client.getPrompt({ name, arguments: given });
      const text = messages[0]?.content.type === "text" ? messages[0].content.text : "";
      // Each argument stands in the text, in quotes.
      for (const value of Object.values(given)) expect(text).toContain(JSON.stringify(value));
      expect(tools.some((tool) => text.includes(tool))).toBe(true);
    }
  });

  it("do without arguments that are not required, and show where the words of the user end", async () => {
    const { messages } = await client.getPrompt({
      name: "find_similar",
      arguments: { text: 'a "quote"\u200b', entity: "issues" },
    });
    const [message] = messages;
    expect(message?.content).toMatchObject({
      text: expect.stringContaining('Are there "issues" that already say this: "a \\"quote\\""?'),
    });
  });

  it("name what is wrong, and what is allowed", async () => {
    const get = (name: string, given?: Record<string, string>) =>
      client.getPrompt({ name, ...(given === undefined ? {} : { arguments: given }) });
    await expect(get("find")).rejects.toThrow('There is no prompt "find". There is find_records, ');
    await expect(get("find_records")).rejects.toThrow("The prompt find_records needs topic, entity.");
    await expect(get("find_records", { topic: "", entity: "issues" })).rejects.toThrow("needs topic.");
    await expect(get("find_records", { topics: "x" })).rejects.toThrow(
      'has no argument "topics". It takes topic, entity, connector.',
    );
  });
});

describe("completion", () => {
  it("knows connectors, their entities, and the fields of an entity", async () => {
    expect(await values("prompt", "connector", "")).toEqual(["figma", "github"]);
    expect(await values("resource", "connector", "G")).toEqual(["github"]);
    expect(await values("resource", "entity", "com", { connector: "github" })).toEqual(["comments", "commits"]);
    expect(await values("prompt", "entity", "com", { connector: "figma" })).toEqual(["comments", "components"]);
    // What several connectors have is there once.
    expect(await values("prompt", "entity", "comm")).toEqual(["comments", "commits"]);
    expect(await values("prompt", "field", "stat", { entity: "issues", connector: "github" })).toEqual(["state", "stateReason"]);
    expect(await values("prompt", "field", "stat")).toEqual([]);
    expect(await values("prompt", "topic", "")).toEqual([]);
  });

  it("leads to the resource of the template", async () => {
    const [template] = (await client.listResourceTemplates()).resourceTemplates;
    const uri = template?.uriTemplate.replace("{connector}", "github").replace("{entity}", "issues") ?? "";
    expect((await client.readResource({ uri })).contents[0]).toMatchObject({ mimeType: "text/markdown" });
  });
});
