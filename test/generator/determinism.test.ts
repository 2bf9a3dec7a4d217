import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { Generator } from "../../generator/generate.ts";
import { githubFolder } from "../support/specs.ts";

const folder = githubFolder();
const original = (await new Generator().generate([folder])).files;

/** The same value with the keys of every mapping in another order. */
function shuffled(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((one) => shuffled(one, random));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [random(), key, shuffled(inner, random)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, key, inner]) => [key, inner]));
}

describe("generation", () => {
  it("gives the same bytes for the same spec with its keys in another order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), async (stream) => {
        const random = () => stream.next().value ?? 0;
        const files = folder.files.map(({ path, text }) => ({ path, text: stringify(shuffled(parse(text), random)) }));
        const { files: again, diagnostics } = await new Generator().generate([{ ...folder, files: [...files].reverse() }]);
        expect(diagnostics).toEqual([]);
        expect(Object.fromEntries(again)).toEqual(Object.fromEntries(original));
      }),
      { numRuns: 4 },
    );
  });

  it("remembers nothing that could go stale: a changed spec gives what a fresh generator gives", async () => {
    const generator = new Generator();
    await generator.generate([folder]);
    const changed = folder.files.map((file) =>
      file.path.endsWith("issues.yaml") ? { ...file, text: file.text.replace("title: Issues", "title: All issues") } : file,
    );
    const { files: warm } = await generator.generate([{ ...folder, files: changed }]);
    const { files: fresh } = await new Generator().generate([{ ...folder, files: changed }]);
    expect(Object.fromEntries(warm)).toEqual(Object.fromEntries(fresh));
    expect(warm.get("github/reference/issues.md")).toContain("# All issues");
  });

  it("imports the runtime by the name of a given package, so that a connector can be a repository of its own", async () => {
    const { files } = await new Generator().generate([folder], "tenon");
    expect([...files.keys()]).toEqual([...original.keys()]);
    const code = [...files].filter(([path]) => /\.(ts|js)$/.test(path)).map(([, text]) => text);
    // A spec names its simulator by a path of its own, wherever that is.
    const sources = code.map((text) => text.replace(/simulator: new URL\(.*\)/, ""));
    expect(sources.filter((text) => text.includes("/runtime/"))).toEqual([]);
    expect(files.get("github/validators/issues.js")).toContain('from "tenon/contract"');
    expect(files.get("index.ts")).toContain('from "tenon/contract"');
  });
});
