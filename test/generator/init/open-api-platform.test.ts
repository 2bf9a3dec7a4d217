import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { initSpec } from "../../../generator/init/init.ts";
import { draftOpenApi } from "../../../generator/init/open-api-draft.ts";
import { type JsonSchema, OpenApi } from "../../../generator/model/open-api.ts";

const own = mkdtempSync(join(tmpdir(), "tenon-platform-"));
afterAll(() => rmSync(own, { recursive: true }));

const items = { type: "object", properties: { id: { type: "integer" } } };
const responses = { 200: { content: { "application/json": { schema: { type: "array", items } } } } };
const described = (server: JsonSchema | undefined) => ({
  openapi: "3.1.0",
  ...(server === undefined ? {} : { servers: [server] }),
  paths: { "/notes": { get: { responses } } },
});

describe("the address of a platform", () => {
  it.each([
    ["https://api.example.org/v1/", "https://docs.example.net/api.json", "https://api.example.org/v1"],
    ["/v2", "https://docs.example.net/a/api.json", "https://docs.example.net/v2"],
    ["/", "https://docs.example.net/a/api.json", "https://docs.example.net"],
    ["./v2", "https://docs.example.net/a/api.json", "https://docs.example.net/a/v2"],
    ["//api.example.org/{base}", "https://docs.example.net/api.json", "https://api.example.org/{base}"],
    // Nothing says these.
    ["/v2", "api.json", "https://api.example.com"],
    ["{host}/v2", "https://docs.example.net/api.json", "https://api.example.com"],
    ["ftp://files.example.org", "https://docs.example.net/api.json", "https://api.example.com"],
  ])("%s of a description from %s is %s, which the author checks where it is made", (url, from, expected) => {
    const { connector, open } = draftOpenApi("draft", new OpenApi(described({ url })), [], from);
    expect(connector).toMatchObject({ platform: { rest: { url: expected } } });
    const isMade = !url.startsWith("https:") && expected !== "https://api.example.com";
    expect(open).toEqual(isMade ? [expect.stringContaining(`Check that the API is at ${expected}`)] : []);
  });

  it.each([[{ url: "/v2" }], [undefined]])("is for the author to say where the server %j of a file does not", async (server) => {
    const file = join(own, "api.json");
    writeFileSync(file, JSON.stringify(described(server)));
    const name = server === undefined ? "without" : "relative";
    const said =
      "connector.yaml platform.rest.url: the description does not give the address of the REST API: replace the placeholder https://api.example.com";
    expect(await initSpec({ name, openApi: file, only: [], spec: own })).toMatchObject({ diagnostics: [], open: [said] });
    const ask = (question: string) => Promise.resolve(question.startsWith("Address") ? "https://api.example.org/v2" : "");
    const asked = await initSpec({ name: `${name}-asked`, openApi: file, only: [], spec: own, ask });
    expect(asked.open).toEqual([]);
  });

  it("has its variables with names that the language has", async () => {
    const file = join(own, "variables.json");
    const variables = { "your-domain": { default: "acme", description: "The domain." } };
    const url = "https://{your-domain}.example.org/{tenant_id}";
    writeFileSync(file, JSON.stringify(described({ url, variables })));
    expect(await initSpec({ name: "variables", openApi: file, only: [], spec: own })).toMatchObject({
      diagnostics: [],
      open: [],
    });
    expect(parse(readFileSync(join(own, "variables/connector.yaml"), "utf8")).platform).toMatchObject({
      rest: { url: "https://{yourDomain}.example.org/{tenant_id}" },
      variables: {
        yourDomain: { env: "VARIABLES_YOUR_DOMAIN", doc: "The domain.", default: "acme" },
        tenant_id: { env: "VARIABLES_TENANT_ID" },
      },
    });
  });
});
