import { describe, expect, it } from "vitest";
import { Results } from "../../../generator/cache/results.ts";
import { Diagnostics, formatDiagnostic } from "../../../generator/diagnostic/diagnostic.ts";
import { loadConnector } from "../../../generator/load/load.ts";
import { connectorModel } from "../../../generator/model/connector.ts";
import { allFolders } from "../../support/specs.ts";

const connector = `connector: library
title: Library
doc: A library.
example: { entity: books, action: list, params: {} }
platform:
  auth: { env: LIBRARY_TOKEN, doc: A reader's card. }
  rest: { url: https://library.example, env: LIBRARY_URL, description: rest.json }
scopes: {}
`;
const entity = (name: string) => `entity: ${name}
title: Things
doc: Things.
actions: { list: { doc: Lists them., params: {}, rest: GET /things } }
`;

/** The entities that are read from files, and what is wrong with these. */
function loaded(files: Readonly<Record<string, string>>): {
  readonly names: readonly string[];
  readonly faults: readonly string[];
} {
  const diagnostics = new Diagnostics();
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const found = loadConnector("spec/library", all, diagnostics);
  return { names: (found?.entities ?? []).map(({ spec }) => spec.entity), faults: diagnostics.sorted().map(formatDiagnostic) };
}

describe("the files of a connector", () => {
  it("give its entities in the order of their names, whatever the files are called", () => {
    const files = { "spec/library/a.yaml": entity("shelves"), "spec/library/b.yaml": entity("books") };
    expect(loaded({ ...files, "spec/library/connector.yaml": connector })).toEqual({ names: ["books", "shelves"], faults: [] });
  });

  it("may describe the connector once", () => {
    const again = { "spec/library/connector.yaml": connector, "spec/library/more.yaml": connector };
    expect(loaded({ ...again, "spec/library/books.yaml": entity("books") }).faults).toEqual([
      "spec/library/more.yaml:1:1 SPEC004 the connector is already described in spec/library/connector.yaml",
    ]);
  });

  it("may begin with a byte order mark, as may those that they refer to", () => {
    const linear = allFolders().find(({ path }) => path === "spec/linear");
    if (linear === undefined) throw new Error("there is no connector linear");
    const marked = (text: string) => `\uFEFF${text}`;
    const files = linear.files.map(({ path, text }) => ({ path, text: marked(text) }));
    const read = (reference: string) => {
      const text = linear.read(reference);
      return text === undefined ? undefined : marked(text);
    };
    const diagnostics = new Diagnostics();
    expect(connectorModel({ ...linear, files, read }, diagnostics, new Results())?.name).toBe("linear");
    expect(diagnostics.sorted()).toEqual([]);
  });

  it.each([
    ["spec/library/my books.yaml", "spec/library/my?books.yaml"],
    ["spec/li\u001b[2Jbrary/books.yaml", "spec/li??2Jbrary/books.yaml"],
  ])("cannot be called %j, and no fault repeats what a terminal could take for a command", (path, shown) => {
    expect(loaded({ "spec/library/connector.yaml": connector, [path]: entity("books") })).toEqual({
      names: [],
      faults: [
        `${shown}:1:1 SPEC017 the name of this file or of its folder has a character that is not allowed (allowed: letters, digits, dots, dashes and underscores)`,
      ],
    });
  });
});
