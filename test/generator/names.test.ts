import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatDiagnostic } from "../../generator/diagnostic/diagnostic.ts";
import { Generator } from "../../generator/generate.ts";
import type { SpecFolder } from "../../generator/model/connector.ts";
import { entityConstant, typeNameProblem } from "../../generator/model/names.ts";

const root = join(import.meta.dirname, "../..");

/** Every generated module of an entity, those of the golden cases included. */
const modules = [
  "generated/github",
  "test/golden/graphql-connector/expected/library",
  "test/golden/rest-connector/expected/paper",
]
  .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(root, folder, file)))
  .filter((path) => path.endsWith(".ts") && !/(client|facts|hosted|index|shared)\.ts$/.test(path))
  .map((path) => readFileSync(path, "utf8"));

/** Names that a module imports from the runtime, from its validators or from the facts, or that every module exports. */
function ownNames(text: string): string[] {
  const imports = [...text.matchAll(/import (?:type )?\{([^}]*)\} from "[^"]*(?:runtime\/|validators\/|facts)[^"]*"/g)];
  const imported = imports.flatMap((match) => (match[1] ?? "").split(",").map((name) => name.replace("type ", "").trim()));
  const exported = [...text.matchAll(/export const (\w+)/g)].map((match) => match[1] ?? "");
  return [...imported, ...exported].filter((name) => name !== "");
}

describe("names of generated modules", () => {
  const names = [...new Set(modules.flatMap(ownNames))];

  it("that are types cannot be names of enums and types of a spec", () => {
    const types = names.filter((name) => /^[A-Z]/.test(name));
    expect(types).toEqual(expect.arrayContaining(["Entity", "FieldPath", "RecordPlan", "Answer"]));
    expect(types.filter((name) => typeNameProblem(name) === undefined)).toEqual([]);
  });

  it("that are constants are never the constant of an entity", () => {
    const constants = names.filter((name) => /^[a-z]/.test(name));
    expect(constants).toEqual(
      expect.arrayContaining(["entity", "list", "apiSearch", "actionTraits", "listParams", "issuePlan", "issuesStore"]),
    );
    expect(constants.filter((name) => entityConstant(name) === name)).toEqual([]);
  });
});

describe("names of connectors", () => {
  const base = join(root, "test/golden/base");
  const folder = (path: string, connector: string): SpecFolder => ({
    path,
    files: ["books.yaml", "connector.yaml"].map((file) => ({
      path: `${path}/${file}`,
      text: readFileSync(join(base, file), "utf8").replace("connector: library", `connector: ${connector}`),
    })),
    read: (reference) => readFileSync(join(base, reference), "utf8"),
    module: () => undefined,
  });

  it.each([
    ["library", 'connector "library" is already described in spec/a/connector.yaml'],
    ["my-library", undefined],
  ])("of two folders, library and %s", async (name, message) => {
    const folders = [folder("spec/a", "library"), folder("spec/b", name)];
    const generator = new Generator();
    // The second run takes what it can from the first one, and has to say the same.
    for (const run of [1, 2]) {
      const { diagnostics } = await generator.generate(folders);
      const expected = message === undefined ? [] : [`spec/b/connector.yaml:1:1 SPEC010 ${message}`];
      expect([run, ...diagnostics.map(formatDiagnostic)]).toEqual([run, ...expected]);
    }
  });

  it("must differ in generated code", async () => {
    const { diagnostics } = await new Generator().generate([folder("spec/a", "a-1"), folder("spec/b", "a1")]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'connectors "a1" and "a-1" would both be called "a1" in generated code',
    ]);
  });
});
