import { readFileSync } from "node:fs";
import {
  BreakingChangeType,
  findBreakingChanges,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  print,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { type Drift, driftOf } from "../../generator/drift/drift.ts";
import { usedByModel } from "../../generator/extract/used.ts";
import type { SpecFolder } from "../../generator/model/connector.ts";
import { buildGraphqlSchema } from "../../generator/model/read-platform.ts";
import { publishedFolder, publishedVersions } from "../support/published.ts";
import { seeded } from "../support/seeded.ts";
import { allFolders, allModels } from "../support/specs.ts";

const folderOf = (name: string): SpecFolder => {
  const found = allFolders().find(({ path }) => path === `spec/${name}`);
  if (found === undefined) throw new Error(`there is no connector ${name}`);
  return found;
};
const modelOf = (name: string) => {
  const found = allModels().find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no connector ${name}`);
  return found;
};
const linear = folderOf("linear").read("schema.graphql") ?? "";
const figma = folderOf("figma").read("description.json") ?? "";

/** A text with one part replaced, which it must have. */
function changed(text: string, from: string | RegExp, to: string): string {
  const result = text.replace(from, to);
  if (result === text) throw new Error(`the description has no ${from}`);
  return result;
}

const kinds = ({ changes }: Drift, kind: string) => changes.filter((one) => one.kind === kind);

describe("drift of a GraphQL schema", () => {
  it("is nothing against the same schema", () => {
    const drift = driftOf(folderOf("linear"), linear);
    expect(drift).toMatchObject({ connector: "linear", changes: [], diagnostics: [] });
    // An extract has only what the connector uses, so that all else would look new.
    expect(drift.notes).toEqual([expect.stringContaining("--from")]);
    expect(driftOf(folderOf("linear"), linear, `\uFEFF${linear}`)).toEqual(drift);
  });

  it("finds each kind of change, with the line of the spec and the actions", () => {
    let sdl = changed(linear, /\n {2}branchName: String!/, "");
    sdl = changed(sdl, /(type Issue [^}]*\n {2}title: String)!/, "$1");
    sdl = changed(sdl, /(type Comment [^}]*\n {2}body: String!)/, '$1 @deprecated(reason: "Use `text`.")');
    const { changes } = driftOf(folderOf("linear"), sdl);
    expect(changes.map(({ kind, path, message }) => `${kind} | ${path} | ${message}`)).toEqual([
      'breaking | linear Issue.branchName | Issue has no field "branchName" on the platform',
      'breaking | linear Issue.title | field "title" may be null on the platform',
      "deprecated | linear Comment.body | Comment.body is deprecated: Use `text`.",
    ]);
    for (const { at = "" } of changes) expect(at).toMatch(/^spec\/linear\/(issues|comments)\.yaml:\d+:\d+$/);
    const [file = "", line = ""] = changes[0]?.at?.split(":") ?? [];
    const text = folderOf("linear").files.find(({ path }) => path === file)?.text ?? "";
    expect(text.split("\n")[Number(line) - 1]).toContain("branchName");
    expect(changes[0]?.actions).toEqual(expect.arrayContaining(["issues.context_store_search", "issues.get", "issues.list"]));
    expect(changes[2]?.actions?.every((one) => one.startsWith("comments."))).toBe(true);
  });

  it("finds what breaks only the documents that are sent today", () => {
    const sdl = changed(linear, /(\n {2}issue\(id: )String!/, "$1ID!");
    const { changes } = driftOf(folderOf("linear"), sdl);
    expect(changes).toContainEqual({
      kind: "breaking",
      path: "linear issues.get",
      message: 'Variable "$id" of type "String!" used in position expecting type "ID!".',
      at: expect.stringMatching(/issues\.yaml/),
      actions: expect.arrayContaining(["issues.get"]),
    });
  });

  it("does not take a deprecated query for one that the connector sends", () => {
    const sdl = changed(
      linear,
      /\ntype Query \{/,
      '\ntype Query {\n  aboutIssue(id: String!): Issue! @deprecated(reason: "Gone.")',
    );
    expect(driftOf(folderOf("linear"), sdl).changes).toEqual([]);
  });

  it("lists what is new since a whole schema, for the types that are read", () => {
    const from = linear.replace(/^#.*\n/, "");
    let sdl = changed(from, /(type Issue [^}]*\n {2}title: String!)/, "$1\n  mood: String");
    sdl = changed(sdl, /\n {2}issue\(/, "\n  moods: [String!]!\n  issue(");
    sdl = changed(sdl, /(\n {2}issue\([^)]*)\)/, "$1, mood: String)");
    const drift = driftOf(folderOf("linear"), sdl, from);
    expect(drift.notes).toEqual([]);
    expect(drift.changes.map(({ kind, path, message }) => `${kind} | ${path} | ${message}`)).toEqual([
      "compatible | linear Issue.mood | new field of the platform",
      "compatible | linear Query.issue(mood:) | new argument of the platform",
    ]);
    expect(drift.changes[1]?.actions).toContain("issues.get");
  });

  it("compares the documents that read the rest of an inner list too", () => {
    const { documents } = usedByModel(modelOf("github"));
    const texts = documents.filter(({ action }) => action === "pr_comments.list").map(({ text }) => text);
    expect(texts).toEqual([expect.stringContaining("pullRequest("), expect.stringContaining("node(id:$parent)")]);
  });

  it("does not compare with what cannot be read, and says why", () => {
    const unread = "the description to compare with: the GraphQL schema of the platform cannot be read: ";
    expect(() => driftOf(folderOf("linear"), "type {")).toThrow(`${unread}Syntax Error`);
    const empty = changed(linear, /(type ProjectStatus) \{[^}]*\}/, "$1");
    expect(() => driftOf(folderOf("linear"), empty)).toThrow(`${unread}Type ProjectStatus must define one or more fields`);
    expect(() => driftOf(folderOf("linear"), figma)).toThrow("of a REST API, and the connector uses none");
  });
});

describe("drift of a REST description", () => {
  const against = (change: (root: Record<string, never>) => void) => {
    const root = JSON.parse(figma);
    change(root);
    return driftOf(folderOf("figma"), JSON.stringify(root)).changes.map(
      ({ kind, path, message, actions }) => `${kind} | ${path} | ${message} | ${actions?.join(", ")}`,
    );
  };
  const comments = "/v1/files/{file_key}/comments";

  it("is nothing against the same description", () => {
    expect(against(() => undefined)).toEqual([]);
  });

  it.each([
    ["behind a byte order mark", () => `\uFEFF${figma}`],
    ["in YAML behind a byte order mark", () => `\uFEFF${stringify(JSON.parse(figma))}`],
    ["whose version is a number of YAML", () => stringify({ ...JSON.parse(figma), openapi: 3.1 })],
    ["whose version is the number 3, as YAML reads 3.0", () => stringify({ ...JSON.parse(figma), openapi: 3 })],
    [
      "with a merge key of YAML",
      () => {
        const { paths, ...rest } = JSON.parse(figma);
        return `${stringify(rest)}x-paths: &paths ${JSON.stringify(paths)}\npaths:\n  <<: *paths\n`;
      },
    ],
  ])("is nothing against the same description %s", (_what, text) => {
    expect(driftOf(folderOf("figma"), text())).toMatchObject({ connector: "figma", changes: [], diagnostics: [] });
  });

  it("finds calls, parameters and members that are gone, required or new", () => {
    const found = against((root) => {
      const { paths, components } = JSON.parse(JSON.stringify(root));
      delete paths["/v1/files/{file_key}/versions"].get;
      paths[comments].get.parameters.push({ name: "team", in: "query", required: true, schema: { type: "string" } });
      paths[comments].post.parameters.push({ name: "silent", in: "query", schema: { type: "boolean" } });
      paths["/v1/components/{key}"].get.deprecated = true;
      components.schemas.Comment.properties.mood = { type: "string" };
      delete components.schemas.Comment.properties.order_id;
      Object.assign(root, { paths, components });
    });
    expect(found).toEqual([
      expect.stringMatching(
        /^breaking \| figma Comment\.number \| .* has no "order_id".* \| comments\.context_store_search, comments\.create, .*comments\.list$/,
      ),
      expect.stringMatching(
        /^breaking \| figma comments\.list \| the call requires the query parameter "team".* \| comments\.list$/,
      ),
      expect.stringMatching(/^breaking \| figma versions\.list \| .* has no "GET .*versions" \| versions\.list$/),
      "deprecated | figma components.get | GET /v1/components/{key} is deprecated on the platform | components.get",
      expect.stringMatching(/^compatible \| figma GET .*comments \| new member "mood" \| comments\.list$/),
      'compatible | figma POST /v1/files/{file_key}/comments | new query parameter "silent" | comments.create',
      'compatible | figma POST /v1/files/{file_key}/comments | new member "mood" | comments.create',
    ]);
  });

  it("breaks nothing where the description says what an override says", () => {
    const found = against((root) => {
      const { paths } = JSON.parse(JSON.stringify(root));
      paths["/v2/webhooks/{webhook_id}"].put.requestBody.content["application/json"].schema.required = [];
      delete paths["/v1/files/{file_key}/versions"].get;
      Object.assign(root, { paths });
    });
    expect(found).toEqual([
      expect.stringMatching(/^breaking \| figma versions\.list \|/),
      expect.stringMatching(
        /^compatible \| figma \| the platform's description already says this, so the override has no effect \|/,
      ),
    ]);
  });

  it("reports a fault that no change caused, and leaves out one that a change may have caused", () => {
    const folder = folderOf("figma");
    // An override of a key that is not one of OpenAPI, and that the other description does not have.
    const files = folder.files.map(({ path, text }) => ({
      path,
      text: text.replace("{ requestBody:", "{ odd: 1, requestBody:"),
    }));
    const read = (file: string) => folder.read(file)?.replaceAll('"put": {', '"put": { "odd": 2,');
    const spec = { ...folder, files, read };
    const [odd, ...others] = driftOf(spec, figma).changes;
    expect([odd?.kind, odd?.message, others]).toEqual(["breaking", expect.stringContaining('"odd" is not a key of'), []]);
    const { changes } = driftOf(spec, changed(figma, "/v1/files/{file_key}/versions", "/gone"));
    expect(changes.map(({ path }) => path)).toEqual(["figma versions.list"]);
  });

  it("goes on where an override names a call that is gone", () => {
    const found = against((root) => {
      const { paths, components } = JSON.parse(JSON.stringify(root));
      delete paths["/v2/webhooks/{webhook_id}"].put;
      delete paths["/v1/files/{file_key}/versions"].get;
      Object.assign(root, { paths, components });
    });
    expect(found.join("\n")).toContain("figma webhooks.update |");
    expect(found.join("\n")).toContain("figma versions.list |");
  });
});

/**
 * What graphql-js says of a schema: the actions whose documents are not valid for it, and the breaking changes of fields that documents
 * read. What only the kind of an input or a type that no document names has, does not concern a connector.
 */
function truth(name: string, before: GraphQLSchema, after: GraphQLSchema) {
  const used = new Map<string, Set<string>>();
  const invalid = new Map<string, string>();
  for (const { action, text } of usedByModel(modelOf(name)).documents) {
    const document = parse(text);
    for (const { message } of validate(after, document)) invalid.set(action, message);
    const info = new TypeInfo(before);
    visit(
      document,
      visitWithTypeInfo(info, {
        Field: (node) => {
          const path = `${info.getParentType()?.name}.${node.name.value}`;
          used.set(path, (used.get(path) ?? new Set()).add(action));
        },
      }),
    );
  }
  // A list that is null is an empty one to callers, whether it is one of GraphQL or a connection.
  const isList = (path: string) => {
    const [name = "", field = ""] = path.split(".");
    const type = before.getType(name);
    const found = isObjectType(type) ? type.getFields()[field]?.type : undefined;
    return found !== undefined && name !== before.getQueryType()?.name && /^\[|Connection!?$/.test(String(found));
  };
  const breaking = findBreakingChanges(before, after);
  const values = breaking
    .filter(({ type }) => type === BreakingChangeType.VALUE_REMOVED_FROM_ENUM)
    .map(({ description }) => description.split(" ", 1)[0]?.toLowerCase() ?? "");
  const fields = breaking
    .filter(({ type }) => type === BreakingChangeType.FIELD_REMOVED || type === BreakingChangeType.FIELD_CHANGED_KIND)
    .map(({ description }) => /^(\w+\.\w+) /.exec(description)?.[1] ?? "")
    .filter((path) => used.has(path) && !isList(path));
  return { invalid, fields, values, used };
}

/** Holds what the comparison finds to what graphql-js finds. @returns the number of breaking changes */
function holds(name: string, sdl: string, before: GraphQLSchema, what: string): number {
  const breaking = kinds(driftOf(folderOf(name), sdl), "breaking");
  const { invalid, fields, values, used } = truth(name, before, buildGraphqlSchema(sdl));
  const actions = new Set(breaking.flatMap((one) => one.actions ?? []));
  expect([what, [...invalid.keys()].filter((action) => !actions.has(action))]).toEqual([what, []]);
  const silent = fields.filter((path) => ![...(used.get(path) ?? [])].some((action) => actions.has(action)));
  expect([what, silent]).toEqual([what, []]);
  // No false alarm: something that a document reads is invalid, has another kind, or no longer has a value.
  const isNever = (message: string) => / is never (.*) on the platform/.exec(message)?.[1]?.toLowerCase().split(", ");
  const alarms = breaking.filter(({ message }) => !(isNever(message) ?? [""]).every((value) => values.includes(value)));
  if (invalid.size === 0 && fields.length === 0) expect([what, alarms]).toEqual([what, []]);
  return breaking.length;
}

/** Schemas with one change each: a field, an argument or a type's non-null mark less. */
function* mutants(sdl: string, count: number, seed: number): Generator<readonly [what: string, sdl: string]> {
  const document = parse(sdl, { noLocation: true });
  const random = seeded(seed);
  const places: { type: string; field: string; args: readonly string[] }[] = [];
  for (const one of document.definitions)
    if (one.kind === Kind.OBJECT_TYPE_DEFINITION)
      for (const { name, arguments: args = [] } of one.fields ?? [])
        places.push({ type: one.name.value, field: name.value, args: args.map((arg) => arg.name.value) });
  for (let number = 0; number < count; number++) {
    const place = places[Math.floor(random() * places.length)];
    if (place === undefined) return;
    const kind = Math.floor(random() * 3);
    const arg = place.args[Math.floor(random() * place.args.length)];
    const what = `${place.type}.${place.field}: ${kind === 0 || (kind === 1 && arg === undefined) ? "removed" : kind === 1 ? `without ${arg}` : "nullable"}`;
    const mutant = visit(document, {
      ObjectTypeDefinition: (type) => (type.name.value === place.type ? undefined : false),
      FieldDefinition: (field) => {
        if (field.name.value !== place.field) return false;
        if (kind === 0 || (kind === 1 && arg === undefined)) return null;
        if (kind === 1) return { ...field, arguments: (field.arguments ?? []).filter(({ name }) => name.value !== arg) };
        return field.type.kind === Kind.NON_NULL_TYPE ? { ...field, type: field.type.type } : field;
      },
    });
    yield [what, print(mutant)];
  }
}

describe("ground truth of graphql-js", () => {
  const count = Number(process.env["TENON_TEST_SEEDS"] ?? 0) || 6;

  it(`finds the same on ${count} schemas of Linear with one change each`, () => {
    const before = buildGraphqlSchema(linear);
    let found = 0;
    for (const [what, sdl] of mutants(linear, count, 7)) found += holds("linear", sdl, before, what);
    expect(found).toBeGreaterThan(count / 3);
  });

  it.skipIf(publishedFolder === undefined).each(["github", "linear"])(
    "finds the same on published schemas of %s",
    async (name) => {
      const files = await publishedVersions(name);
      expect(files.length).toBeGreaterThanOrEqual(10);
      const own = folderOf(name).read(name === "github" ? "@octokit/graphql-schema/schema.graphql" : "schema.graphql") ?? "";
      const before = buildGraphqlSchema(own);
      for (const file of files) console.log(`${file}: ${holds(name, readFileSync(file, "utf8"), before, file)} breaking`);
    },
    1_800_000,
  );
});
