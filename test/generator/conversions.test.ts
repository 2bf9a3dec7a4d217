import { expect, it } from "vitest";
import { Results } from "../../generator/cache/results.ts";
import { Diagnostics } from "../../generator/diagnostic/diagnostic.ts";
import { connectorModel } from "../../generator/model/connector.ts";
import { allFolders } from "../support/specs.ts";

// What a spec may declare a scalar of a GraphQL schema as, by the conversion. All other pairs are refused.

/** A field of Linear's issues of each scalar; `DateTime` and `TimelessDate` are the platform's own. */
const scalars = { id: "ID", title: "String", number: "Float", size: "Int", open: "Boolean", createdAt: "DateTime" };
const types = ["id", "string", "integer", "number", "boolean", "timestamp", "date"];
const conversions = ["none", "integer", "string", "seconds", "milliseconds", "text", "html", "markdown", "id", "expanded"];

const head = `entity: made
title: Made
record: Made
on: Issue
doc: What is made of issues.
actions: { get: { doc: Reads one., params: { id: { example: ENG-1 } }, graphql: "issue(id: $id) { ...record }" } }`;

it("a scalar of a GraphQL schema is declared as what it is, or as what a conversion makes of it", () => {
  const linear = allFolders().find(({ path }) => path === "spec/linear");
  if (linear === undefined) throw new Error("there is no connector linear");
  const all = Object.keys(scalars).flatMap((from) =>
    conversions.flatMap((as) => types.map((type) => ({ from, as, type, name: `${from}X${as}X${type}` }))),
  );
  const entries = all.map(({ from, as, type, name }) => {
    const mark = from === "size" ? "?" : "";
    return `  ${name}: { type: ${type}${mark}, from: ${from},${as === "none" ? "" : ` as: ${as},`} doc: Made of another. }`;
  });
  const made = { path: "spec/linear/made.yaml", text: `${head}\nfields:\n  id:\n${entries.join("\n")}\n` };
  const schema = linear.read("schema.graphql")?.replace("  branchName: String!", "$&\n  size: Int\n  open: Boolean!");
  const read = (reference: string) => (reference === "schema.graphql" ? schema : linear.read(reference));
  const diagnostics = new Diagnostics();
  connectorModel({ ...linear, files: [...linear.files, made], read }, diagnostics, new Results(), "goes on", "places");
  const refused = new Set(diagnostics.sorted().flatMap(({ message }) => /^field "(\w+)"/.exec(message)?.[1] ?? []));
  const taken = conversions.map((as) => {
    const accepted = all.filter((one) => one.as === as && !refused.has(one.name));
    return [as, accepted.map(({ from, type }) => `${scalars[from as keyof typeof scalars]} as ${type}`).join(", ")];
  });
  expect(Object.fromEntries(taken)).toEqual({
    none: "ID as id, String as string, Float as number, Int as integer, Boolean as boolean, DateTime as timestamp",
    integer: "Float as integer, Int as integer, DateTime as integer",
    string: ["ID", "String", "Float", "Int", "Boolean", "DateTime"].map((one) => `${one} as id, ${one} as string`).join(", "),
    seconds: "String as timestamp, Float as timestamp, Int as timestamp, DateTime as timestamp",
    milliseconds: "String as timestamp, Float as timestamp, Int as timestamp, DateTime as timestamp",
    text: "String as string, DateTime as string",
    html: "String as string, DateTime as string",
    markdown: "String as string, DateTime as string",
    id: "",
    expanded: "",
  });
});
