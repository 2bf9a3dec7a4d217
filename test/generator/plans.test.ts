import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Results } from "../../generator/cache/results.ts";
import { Diagnostics } from "../../generator/diagnostic/diagnostic.ts";
import { connectorModel, type SpecFolder } from "../../generator/model/connector.ts";
import { allFolders } from "../support/specs.ts";

// What programs read of a spec: specs of this repository, with another text in one of their files or of their descriptions.

type Change = readonly [file: string, is: string, was: string];

/** The model of a changed spec, and what is wrong with it. */
function modelOf(folder: SpecFolder, changes: readonly Change[]) {
  const changed = (file: string, text: string) =>
    changes.reduce((all, [of, is, was]) => {
      if (of !== file) return all;
      expect(all).toContain(is);
      return all.replace(is, () => was);
    }, text);
  const files = folder.files.map(({ path, text }) => ({ path, text: changed(path.split("/").at(-1) ?? "", text) }));
  const read = (reference: string) => {
    const text = folder.read(reference);
    return text === undefined ? undefined : changed(reference, text);
  };
  const diagnostics = new Diagnostics();
  const model = connectorModel({ ...folder, files, read }, diagnostics, new Results());
  return { model, messages: diagnostics.sorted().map(({ message }) => message) };
}

function specOf(connector: string): SpecFolder {
  const folder = allFolders().find(({ path }) => path === `spec/${connector}`);
  if (folder === undefined) throw new Error(`there is no connector ${connector}`);
  return folder;
}

describe("the pages of a list", () => {
  const cursor = 'page: { by: cursor, param: starting_after, next: "data[-1].id", more: has_more }';
  const offset = "page: { by: offset, param: startAt, total: total }";
  const ofStripe = { folder: specOf("stripe"), file: "customers.yaml", was: cursor, entity: "customers" };
  const ofJira = { folder: specOf("jira"), file: "comments.yaml", was: offset, entity: "comments" };

  it.each([
    [
      "by: cursor, param: starting_after, next: header X-Next",
      ofStripe,
      { kind: "cursor", param: "starting_after", next: "X-Next", header: true },
    ],
    [
      'by: cursor, param: starting_after, next: "data[-1].id", more: has_more',
      ofStripe,
      { kind: "cursor", param: "starting_after", next: "data[-1].id", end: { more: "has_more" } },
    ],
    ["by: offset, param: startAt, total: total", ofJira, { kind: "offset", param: "startAt", end: { total: "total" } }],
    ["by: offset, param: startAt, end: short", ofJira, { kind: "offset", param: "startAt", end: "short" }],
    ["by: offset, param: startAt, end: empty", ofJira, { kind: "offset", param: "startAt", end: "empty" }],
    ["by: number, param: startAt, pages: total", ofJira, { kind: "number", param: "startAt", first: 1, end: { pages: "total" } }],
    ["by: number, param: startAt, from: 0, end: short", ofJira, { kind: "number", param: "startAt", first: 0, end: "short" }],
  ] as const)("{ %s }", (page, { folder, file, was, entity }, by) => {
    const { model, messages } = modelOf(folder, [[file, was, `page: { ${page} }`]]);
    expect(messages).toEqual([]);
    const list = model?.entities.find(({ name }) => name === entity)?.actions.find(({ name }) => name === "list");
    expect(list?.operation).toMatchObject({ list: { by } });
    expect(list?.operation.kind === "rest" && list.operation.list?.by).toEqual(by);
  });
});

it("a signature is written with the prefix that the spec says, or with none", () => {
  const auth = 'auth: { env: STRIPE_API_KEY, doc: "A secret';
  const sign = (more: string) => `sign: { header: X-Sign, of: "{body}", with: token${more} }, doc: "A secret`;
  const signed = (more: string) =>
    modelOf(specOf("stripe"), [["connector.yaml", auth, `auth: { env: STRIPE_API_KEY, ${sign(more)}`]]).model?.platform.auth
      .kinds;
  const plain = { header: "X-Sign", of: ["", "body", ""], with: "token", algorithm: "sha256", encoding: "hex" };
  expect(signed("")?.[0]?.sign).toEqual(plain);
  expect(signed(', prefix: "v1="')?.[0]?.sign).toEqual({ ...plain, prefix: "v1=" });
});

describe("a write by GraphQL", () => {
  const linear = specOf("linear");
  const payload = "type IssuePayload {\n  issue: Issue\n  success: Boolean!\n}";
  const withMistakes = (field: string, members: string): Change => [
    "schema.graphql",
    payload,
    `${payload.replace("  success: Boolean!\n", `  ${field}: [Mistake!]!\n`)}\n\ntype Mistake {\n  message: String!\n${members}}`,
  ];
  const create = (changes: readonly Change[]) => {
    const { model, messages } = modelOf(linear, changes);
    const { operation } =
      model?.entities.find(({ name }) => name === "issues")?.actions.find(({ name }) => name === "create") ?? {};
    return { operation, messages };
  };

  it.each([
    ["userErrors", "", "userErrors{message}", { path: ["issueCreate", "userErrors"] }],
    [
      "userErrors",
      "  field: [String!]\n  code: String\n",
      "userErrors{message field code}",
      { path: ["issueCreate", "userErrors"], field: "field", code: "code" },
    ],
    ["errors", "  path: [String!]\n", "errors{message path}", { path: ["issueCreate", "errors"], field: "path" }],
  ])("reads what is wrong from the list %s of its payload, with %j", (field, members, selection, mistakes) => {
    const { operation, messages } = create([withMistakes(field, members)]);
    expect(messages).toEqual([]);
    expect(operation).toMatchObject({ kind: "graphql-write", document: expect.stringContaining(selection) });
    expect(operation?.kind === "graphql-write" && [operation.mistakes, operation.success]).toEqual([mistakes, undefined]);
  });

  it("reads whether it succeeded, where the payload says so", () => {
    const { operation } = create([]);
    expect(operation).toMatchObject({ success: ["issueCreate", "success"], document: expect.stringContaining("success") });
    expect(operation).not.toHaveProperty("mistakes");
  });

  it("gives a whole number to an argument that takes any number", () => {
    expect(create([["schema.graphql", "  estimate: Int\n", "  estimate: Float\n"]]).messages).toEqual([]);
    expect(create([["schema.graphql", "  estimate: Int\n", "  estimate: Boolean\n"]]).messages).toEqual([
      'parameter "estimate" is integer?, but its argument has the type Boolean',
    ]);
  });

  it("has one variable that takes the parameters", () => {
    const mutation = "issueCreate(input: IssueCreateInput!)";
    const { messages } = create([
      ["schema.graphql", mutation, mutation.replace(")", ", more: IssueFilter)")],
      ["issues.yaml", '"issueCreate(input: $input)', '"issueCreate(input: $input, more: $more)'],
    ]);
    expect(messages).toContain('only one variable can take the parameters, but "$more" is the second');
  });
});

it("codes of errors that the platform does not have are one fault of their place, where it has none of them", () => {
  const folder = join(import.meta.dirname, "../golden/failure-places");
  const texts = Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
  const depot: SpecFolder = {
    path: "spec",
    files: ["connector.yaml", "doors.yaml"].map((file) => ({ path: `spec/${file}`, text: texts[file] ?? "" })),
    read: (reference) => texts[reference],
    module: () => undefined,
  };
  const whenAt = texts["connector.yaml"]?.match(/ {2}when: .*\n/)?.[0] ?? "";
  const places = texts["connector.yaml"]?.match(/ {2}places: .*\n/)?.[0] ?? "";
  const codesOf = (place: string) =>
    modelOf(depot, [
      ["connector.yaml", whenAt, "  when: { ok: false }\n"],
      ["connector.yaml", places, `  places: { code: ${place} }\n`],
    ]).messages;
  expect(codesOf("state")).toEqual(["the platform has none of the 3 error codes in `rest`"]);
  expect(codesOf("fault.kind")).toEqual(['the platform has no error code "unknown_dor"']);
});
