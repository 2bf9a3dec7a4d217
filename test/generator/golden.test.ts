import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatDiagnostic } from "../../generator/diagnostic/diagnostic.ts";
import { Generator } from "../../generator/generate.ts";
import type { SpecFolder } from "../../generator/model/connector.ts";
import { compactJson } from "../../generator/print/compact-json.ts";

// A folder per case. Its YAML files lie over those of `base`; it expects either `expected/` or `diagnostics.txt`.
// `UPDATE_GOLDEN=1 make test` writes what is generated now; the change is then read in the diff.

const root = join(import.meta.dirname, "../golden");
const update = process.env["UPDATE_GOLDEN"] === "1";
const cases = readdirSync(root).filter((name) => name !== "base");

function caseFolder(name: string): SpecFolder {
  const files = new Map<string, string>();
  for (const folder of ["base", name])
    for (const file of readdirSync(join(root, folder)).filter((one) => one.endsWith(".yaml")))
      files.set(file, readFileSync(join(root, folder, file), "utf8"));
  const removed = join(root, name, "without.txt");
  if (existsSync(removed)) for (const file of readFileSync(removed, "utf8").trim().split("\n")) files.delete(file);
  return {
    path: "spec",
    files: [...files].map(([file, text]) => ({ path: `spec/${file}`, text })),
    read: (reference) => {
      const file = [join(root, name, reference), join(root, "base", reference)].find((path) => existsSync(path));
      return file === undefined ? undefined : readFileSync(file, "utf8");
    },
    module: (file) => (existsSync(join(root, name, file)) ? `../../spec/${file}` : undefined),
  };
}

function filesBelow(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]),
  );
}

/** An OpenAPI document without what comes from the table of error codes, so that a new code changes no case. */
function withoutErrors(text: string): string {
  const kept = (key: string, value: unknown) =>
    /^[45]\d\d$/.test(key) || (key === "tenon.problem" && typeof value === "object") ? undefined : value;
  return compactJson(JSON.parse(text, kept), 3);
}

function writeAll(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

describe("golden cases", () => {
  it.each(cases)("%s", async (name) => {
    const { files: all, diagnostics } = await new Generator().generate([caseFolder(name)]);
    const files = new Map([...all].map(([path, text]) => [path, path.endsWith("openapi.json") ? withoutErrors(text) : text]));
    const found = diagnostics.map((one) => `${formatDiagnostic(one)}\n`).join("");
    const expected = join(root, name, "expected");
    const listed = join(root, name, "diagnostics.txt");
    if (update && found === "") writeAll(expected, files);
    if (update && found !== "") writeFileSync(listed, found);
    expect(found).toBe(existsSync(listed) ? readFileSync(listed, "utf8") : "");
    expect(Object.fromEntries(files)).toEqual(Object.fromEntries(filesBelow(expected)));
    expect(existsSync(listed) || existsSync(expected), "a case expects files or diagnostics").toBe(true);
  });

  it("every diagnostic code has a case", async () => {
    const { diagnosticCodes } = await import("../../generator/diagnostic/diagnostic.ts");
    const lists = cases.map((name) => join(root, name, "diagnostics.txt")).filter((path) => existsSync(path));
    const seen = new Set(lists.flatMap((path) => readFileSync(path, "utf8").match(/SPEC\d{3}/g) ?? []));
    expect(Object.keys(diagnosticCodes).filter((code) => !seen.has(code))).toEqual([]);
  });
});
