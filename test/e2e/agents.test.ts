import { describe, expect, it } from "vitest";
import { aiSdkTools, anthropicTools, openaiTools, openToolbox } from "../../runtime/main/agents.ts";
import { apiKey, useTenon } from "./support/service.ts";

const running = useTenon();
const open = () => openToolbox({ connector: "github", environment: { TENON_URL: running.tenon.url, TENON_API_KEY: apiKey } });
const params = { owner: "octocat", repo: "hello-world", number: 1 };
const readIssue = { entity: "issues", action: "get", params, fields: ["number"] };
const answer = { data: { number: 1 }, meta: { has_next_page: false, end_cursor: null } };

describe("the tools for agents", () => {
  it("have the forms that Anthropic and OpenAI ask for", async () => {
    const toolbox = await open();
    const names = toolbox.tools.map(({ name }) => name);
    expect(names.slice(0, 4)).toEqual(["list_entities", "describe_entity", "read", "search"]);
    expect(names).not.toContain("write");
    const input = {
      type: "object",
      properties: expect.objectContaining({ entity: expect.anything() }),
      required: [],
      additionalProperties: false,
    };
    expect(anthropicTools(toolbox)[2]).toEqual({ name: "read", description: expect.any(String), input_schema: input });
    expect(openaiTools(toolbox)[2]).toEqual({
      type: "function",
      function: { name: "read", description: expect.any(String), parameters: input },
    });
    // The names that both take.
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    await toolbox.close();
  });

  it("are called by name, and say what to do after an error", async () => {
    const toolbox = await open();
    expect(JSON.parse(await toolbox.call("read", readIssue))).toEqual(answer);
    expect(JSON.parse(await toolbox.call("read", { ...readIssue, entity: "isues" }))).toMatchObject({
      error: { code: "invalid_request" },
      what_to_do: expect.any(String),
    });
    await expect(toolbox.call("write", {})).rejects.toThrow('no tool "write"');
    await toolbox.close();
  });

  it("are tools of the AI SDK with a schema and a function", async () => {
    const toolbox = await open();
    const tools = aiSdkTools(toolbox, (schema) => ({ jsonSchema: schema }));
    expect(tools["read"]?.inputSchema).toMatchObject({ jsonSchema: { type: "object" } });
    expect(JSON.parse((await tools["read"]?.execute(readIssue)) ?? "")).toEqual(answer);
    await toolbox.close();
  });
});
