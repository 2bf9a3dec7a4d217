import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { draftGraphql } from "../../generator/init/graphql-draft.ts";
import { draftOpenApi } from "../../generator/init/open-api-draft.ts";
import { repaired } from "../../generator/init/repair.ts";
import { OpenApi } from "../../generator/model/open-api.ts";
import { buildGraphqlSchema } from "../../generator/model/read-platform.ts";

// Descriptions of invented platforms, each with the whole draft that is made of it: every rule of a draft shows in one of them.
// `UPDATE_GOLDEN=1` writes what is drafted now; the change is then read in the diff.

const folder = join(import.meta.dirname, "drafts");
const update = process.env["UPDATE_GOLDEN"] === "1";

/** A draft as one text: its files, and the messages for its author. */
function draftOf(file: string, only: readonly string[]): string {
  const text = readFileSync(join(folder, file), "utf8");
  const draft = file.endsWith(".graphql")
    ? draftGraphql("draft", buildGraphqlSchema(text), only)
    : draftOpenApi("draft", new OpenApi(parse(text)), only);
  const { files, left, diagnostics } = repaired("draft", draft, () => text);
  const told = [
    ...[...draft.omitted, ...left].map((line) => `left: ${line}`),
    ...draft.open.map((line) => `open: ${line}`),
    ...diagnostics.map(({ file: at, code, message }) => `wrong: ${at} ${code} ${message}`),
  ];
  return [...files]
    .map(([name, yaml]) => `=== ${name}\n${yaml}`)
    .concat(told.map((line) => `${line}\n`))
    .join("");
}

it.each([
  ["talk.yaml", ["rooms=/rooms.list", "posts=GET /rooms.history", "replies=/rooms.replies"]],
  ["shop.yaml", []],
  ["desk.yaml", []],
  ["yard.yaml", ["parts=POST /find", "sheds"]],
  ["mill.yaml", ["grains", "sacks"]],
  ["office.yaml", []],
  ["forge.graphql", []],
  ["forge.graphql", ["viewer", "users", "repositories", "issues", "comments", "labels", "projects", "columns=project.columns"]],
])("drafts %s %j", (file, only) => {
  const expected = join(
    folder,
    `${file.replace(/\..*$/, "")}${only.length > 0 && file.endsWith("graphql") ? "-chosen" : ""}.draft`,
  );
  const found = draftOf(file, only);
  if (update) writeFileSync(expected, found);
  expect(existsSync(expected)).toBe(true);
  expect(found).toBe(readFileSync(expected, "utf8"));
});
