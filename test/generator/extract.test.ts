import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertValidSchema, parse as parseDocument, validate } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { Diagnostics } from "../../generator/diagnostic/diagnostic.ts";
import { extractSchema } from "../../generator/extract/graphql-extract.ts";
import { extractOpenApi } from "../../generator/extract/open-api-extract.ts";
import { extractDescription } from "../../generator/extract.ts";
import { loadConnector } from "../../generator/load/load.ts";
import { buildGraphqlSchema } from "../../generator/model/read-platform.ts";
import { specFolders } from "../../generator/spec-folders.ts";
import { run } from "../../runtime/cli/spec/spec-extract.ts";
import { command } from "../support/command.ts";
import { allFolders } from "../support/specs.ts";

const root = join(import.meta.dirname, "../..");
const own = mkdtempSync(join(tmpdir(), "tenon-extract-test-"));
const spec = join(own, "spec");
const whole = join(own, "whole.yaml");
const connectorFile = join(spec, "figma/connector.yaml");

/** What a connector's folder has beside `connector.yaml`, and what is wrong in it. */
function entities(): { readonly names: readonly string[]; readonly problems: readonly string[] } {
  const diagnostics = new Diagnostics();
  const [folder] = specFolders(spec, join(own, "generated"), "figma");
  const loaded = folder && loadConnector(folder.path, folder.files, diagnostics);
  return {
    names: (loaded?.entities ?? []).map((one) => one.spec.entity),
    problems: diagnostics.sorted().map(({ message }) => message),
  };
}

beforeAll(() => {
  cpSync(join(root, "spec/figma"), join(spec, "figma"), {
    recursive: true,
    filter: (path) => !path.endsWith("description.json"),
  });
  const text = readFileSync(connectorFile, "utf8").replace("description.json", "description.yaml");
  writeFileSync(connectorFile, text);
  const { openapi, paths, ...more } = JSON.parse(readFileSync(join(root, "spec/figma/description.json"), "utf8"));
  const unused = { get: { responses: { 200: { description: "Nothing that the spec reads." } } } };
  // An author's description is whole and in YAML, and may begin with any key.
  writeFileSync(whole, stringify({ info: more.info, openapi, paths: { ...paths, "/v1/unused": unused }, ...more }));
});
afterAll(() => rmSync(own, { recursive: true, force: true }));

describe("tenon spec extract", () => {
  it("writes the part of a description that the spec uses into an author's own repository, where it is not read as an entity", () => {
    const names = entities().names;
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, "spec", "extract", "figma", "whole.yaml"], {
      cwd: own,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ event: "extracted", file: "spec/figma/description.yaml" });
    const extract = parse(readFileSync(join(spec, "figma/description.yaml"), "utf8"));
    const { paths } = JSON.parse(readFileSync(join(root, "spec/figma/description.json"), "utf8"));
    // The repository's extract has a path more, which an earlier spec used.
    const unused = "/v2/folders/{folder_id}/folders";
    expect(new Set([...Object.keys(extract.paths), unused])).toEqual(new Set(Object.keys(paths)));
    expect(JSON.stringify(extract.info)).toContain("whole.yaml");
    expect(entities()).toEqual({ names, problems: [] });
  });

  it.each([
    ["that begins with another key", () => readFileSync(whole, "utf8")],
    ["in JSON", () => JSON.stringify(parse(readFileSync(whole, "utf8")), null, 1)],
    ["in JSON on one line", () => JSON.stringify({ swagger: "2.0", paths: {} })],
  ])("does not read a description %s beside the spec as an entity", (_what, text) => {
    const names = allFolders().find(({ path }) => path === "spec/figma")?.files.length;
    writeFileSync(join(spec, "figma/description.yaml"), text());
    const found = entities();
    expect(found.problems).toEqual([]);
    expect(found.names).toHaveLength((names ?? 0) - 1);
  });

  it("has the calls that only ask whether a job has ended", () => {
    const gitlab = allFolders().find(({ path }) => path === "spec/gitlab");
    if (gitlab === undefined) throw new Error("there is no connector gitlab");
    const files = gitlab.files.map(({ path, text }) => ({
      path,
      text: text.replace('poll: { rest: "GET /projects/{id}/merge_requests/{merge_request_iid}"', "poll: { rest: GET /jobs"),
    }));
    expect(files).not.toEqual(gitlab.files);
    const description = gitlab.read("description.yaml") ?? "";
    const text = description.replace(
      "\npaths:\n",
      "\npaths:\n  /jobs: { get: { responses: {} } }\n  /more: { get: { responses: {} } }\n",
    );
    const { paths } = parse(extractDescription({ ...gitlab, files }, { text, source: "here" }).text);
    expect([Object.hasOwn(paths, "/jobs"), Object.hasOwn(paths, "/more")]).toEqual([true, false]);
  });

  it("says how the calls that it has are authorized, without what scopes mean", () => {
    const operation = (scheme: string) => ({ get: { security: [{ [scheme]: [] }], responses: {} } });
    const header = { type: "apiKey", name: "X-Key", in: "header" };
    const flows = { clientCredentials: { tokenUrl: "https://example.com/token", scopes: { read: "Reads everything." } } };
    const securitySchemes = {
      header: { ...header, description: "Prose." },
      token: { type: "http", scheme: "bearer" },
      grant: { type: "oauth2", flows },
    };
    const paths = {
      "/books": operation("header"),
      "/loans": operation("token"),
      "/readers": operation("grant"),
      "/unused": operation("more"),
    };
    const root = { openapi: "3.0.0", paths, components: { securitySchemes: { ...securitySchemes, more: header } } };
    const made = extractOpenApi(root, ["GET /books", "GET /loans", "GET /readers"], "here");
    expect(made).toMatchObject({ paths: { "/books": paths["/books"] } });
    expect(made["components"]).toEqual({
      securitySchemes: { header, token: { type: "http", scheme: "bearer" }, grant: { type: "oauth2" } },
    });
  });

  it("keeps components whose names every JavaScript object has", () => {
    const names = ["__proto__", "constructor"];
    const schemas = Object.fromEntries(names.map((name) => [name, { type: name }]));
    const content = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const root = { openapi: "3.0.0", paths: { "/books": { get: { responses: {}, anyOf: content } } }, components: { schemas } };
    const made = extractOpenApi(root, ["GET /books"], "here");
    expect(JSON.stringify(made["components"])).toBe(JSON.stringify({ schemas }));
    const other = { ...root, paths: { "/books": { get: { $ref: "#/components/constructor/more" } } } };
    extractOpenApi(other, ["GET /books"], "here");
    expect(Object.hasOwn(Object, "more")).toBe(false);
  });

  it("keeps names and values of the platform that are spelled like prose", () => {
    const text = { type: "string" };
    const names = { tags: text, title: text, links: text, "x-id": text, $ref: text };
    const join = { style: "form", explode: false };
    const encoding = { tags: join, ids: { ...join, headers: names } };
    const schema = {
      properties: { ...names, kind: { enum: [{ title: "a" }], default: { tags: [] }, const: { $ref: "#/none", summary: 1 } } },
      patternProperties: names,
      $defs: names,
      definitions: names,
      dependentSchemas: names,
      dependentRequired: { title: ["tags"] },
      dependencies: { title: ["tags"], links: text },
      discriminator: { propertyName: "kind", mapping: { title: "#/components/schemas/Title" } },
    };
    const variables = { title: { default: "a", enum: ["a"] } };
    const operation = {
      requestBody: { content: { "application/x-www-form-urlencoded": { schema, encoding } } },
      responses: { default: { headers: names, content: { title: { schema: { default: { summary: "" } } } } } },
      servers: [{ url: "/{title}", variables }],
    };
    const prose = {
      description: "Prose.",
      tags: ["prose"],
      links: { title: {} },
      examples: { title: {} },
      callbacks: { title: {} },
    };
    const responses = { default: { ...operation.responses.default, ...prose } };
    const root = {
      openapi: 3.1,
      servers: operation.servers,
      paths: { "/a": { get: { ...prose, ...operation, responses } } },
    };
    const made = extractOpenApi(root, ["GET /a"], "here");
    expect(made).toMatchObject({ openapi: "3.1", servers: operation.servers });
    expect(made["paths"]).toEqual({ "/a": { get: { ...operation, parameters: [] } } });
  });

  it("keeps of a schema what documents read, and says where it is from", () => {
    const linear = allFolders().find(({ path }) => path === "spec/linear");
    if (linear === undefined) throw new Error("there is no connector linear");
    const sdl = linear.read("schema.graphql") ?? "";
    const made = extractDescription(linear, { text: `${sdl}\ntype Unused {\n  id: ID!\n}\n`, source: "here" });
    expect(made.diagnostics).toEqual([]);
    expect(made.file).toBe("spec/linear/schema.graphql");
    expect(made.text.split("\n")).toEqual([
      "# Extracted from here by `tenon spec extract`. Do not edit.",
      ...sdl.split("\n").slice(1),
    ]);
    const broken = extractDescription(linear, { text: sdl.replace("\n  branchName: String!", ""), source: "here" });
    expect([broken.file, broken.diagnostics[0]?.message]).toEqual([undefined, expect.stringContaining("branchName")]);
  });

  it("keeps of inputs the fields that lead to a value, and nothing beside them", () => {
    const sdl = `
      type Query { find(by: Outer): Int }
      input Outer { other: Int, inner: [Inner!] }
      input Inner { flat: String, deep: String }
    `;
    const documents = [{ action: "", text: "query ($by: Outer) { find(by: $by) }" }];
    const used = { documents, inputs: [["Outer", ["inner", "deep"]] as const] };
    const text = extractSchema(buildGraphqlSchema(sdl), sdl, used, "here");
    expect(text).toContain("input Inner {\n  deep: String\n}");
    expect(text).toContain("input Outer {\n  inner: [Inner!]\n}");
  });

  it.each([
    ["an object without its id, whose id comes later", "{ thing { __typename } }", "type Thing {\n  id: ID!\n}"],
    ["an object without an id, its first text", "{ note { __typename } }", "type Note {\n  text: String\n}"],
    ["an object without texts, its first field", "{ sum { __typename } }", "type Sum {\n  least: Int\n}"],
    ["a union of which nothing is read, its first type", "{ either { __typename } }", "union Either = Sum\n"],
    ["a union, the types that are read of it", "{ either { ... on Thing { id } } }", "union Either = Thing\n"],
    ["an input that no value is known of, its first field", "query ($by: By) { by(by: $by) }", "input By {\n  first: Int\n}"],
    ["an input, what it requires", "query ($to: To!) { to(to: $to) }", "input To {\n  place: Int!\n}"],
    ["arguments, those that are given and those that are required", "{ many(a: 1, c: 2) }", "  many(a: Int, c: Int!): Int\n"],
    ["a field that is there twice, one", "{ twice }", "type Query {\n  twice: Int\n}"],
  ])("keeps of %s", (_what, text, expected) => {
    const sdl = `
      type Query {
        thing: Thing, note: Note, sum: Sum, either: Either, by(by: By): Int, to(to: To!): Int, twice: Int
        many(a: Int, b: Int, c: Int!, d: Int! = 1): Int
      }
      type Thing { name: String, id: ID! }
      type Note { length: Int, text: String, more: String }
      type Sum { least: Int, most: Int }
      union Either = Sum | Thing
      input By { first: Int, second: Int }
      input To { other: Int, place: Int!, size: Int! = 1 }
    `;
    const schema = buildGraphqlSchema(sdl);
    const published = sdl.replace("twice: Int", "twice: Int, twice: Int");
    const made = extractSchema(schema, published, { documents: [{ action: "", text }], inputs: [] }, "here");
    expect(made).toContain(expected);
    expect(made).not.toMatch(/second|more|most|other|size|[bd]: Int/);
  });

  it("keeps of a schema what its extensions add to it and to types of each kind", () => {
    const sdl = `
      schema { query: Root }
      extend schema { mutation: Changes }
      type Root { ping: String, unused: Int }
      extend type Root { find(by: By, size: Size): [Found!] }
      extend type Root { at(time: Time): Named }
      type Changes { unused: Int }
      extend type Changes { stop: Boolean }
      interface Named { key: ID }
      extend interface Named { name: String }
      type Book { id: ID! }
      extend type Book implements Named { key: ID, name: String, unused: Int }
      type Shelf { id: ID! }
      type Unused { id: ID! }
      union Found = Book
      extend union Found = Shelf | Unused
      input By { title: String }
      extend input By { words: [String!], unused: Int }
      enum Size { SMALL }
      extend enum Size { LARGE }
      scalar Time
      extend scalar Time @specifiedBy(url: "https://example.com/time")
      extend type Nowhere { unused: Int }
    `;
    const documents = [
      "{ find(by: { words: [] }, size: LARGE) { ... on Book { id } ... on Shelf { id } } }",
      "query ($time: Time) { at(time: $time) { name } }",
      "mutation { stop }",
    ].map((text) => ({ action: "", text }));
    const text = extractSchema(buildGraphqlSchema(sdl), sdl, { documents, inputs: [] }, "here");
    const made = buildGraphqlSchema(text);
    assertValidSchema(made);
    for (const document of documents) expect(validate(made, parseDocument(document.text))).toEqual([]);
    expect(text).not.toMatch(/extend|[Uu]nused|Nowhere|ping|title/);
    expect(text).toContain('scalar Time @specifiedBy(url: "https://example.com/time")');
  });

  it.each([
    ["none", whole, "there is no folder", 64],
    ["figma", "nowhere", 'cannot read "nowhere"', 69],
    ["figma", join(root, "spec/linear/schema.graphql"), "of a GraphQL API, and the connector uses none", 64],
  ])("refuses %s from %s", async (name, from, message, exit) => {
    await expect(run([name, from], { as: undefined, spec })).rejects.toMatchObject({
      message: expect.stringContaining(message),
      exit,
    });
  });

  it("refuses to write into a package, and what the description lacks", async () => {
    mkdirSync(join(own, "node_modules/api"), { recursive: true });
    writeFileSync(join(own, "node_modules/api/openapi.json"), "{}");
    const text = readFileSync(connectorFile, "utf8");
    writeFileSync(connectorFile, text.replace("description: description.yaml", "description: api/openapi.json"));
    const refused = () => run(["figma", whole], { as: undefined, spec });
    await expect(refused()).rejects.toMatchObject({
      message: expect.stringContaining('takes "api/openapi.json" from a package'),
    });
    writeFileSync(connectorFile, text);
    const without = join(own, "without.yaml");
    writeFileSync(without, readFileSync(whole, "utf8").replace("/v1/files/{file_key}/versions:", "/v1/gone:"));
    const lacks = run(["figma", without], { as: undefined, spec });
    await expect(lacks).rejects.toMatchObject({ message: expect.stringContaining("no operation"), exit: 64 });
  });
});
