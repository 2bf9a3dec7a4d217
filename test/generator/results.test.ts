import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keyOf, Results } from "../../generator/cache/results.ts";
import { readResults, saveResults } from "../../generator/cache/results-file.ts";
import { sourcePlaces, toolVersion } from "../../generator/cache/tool-version.ts";
import { Generator } from "../../generator/generate.ts";
import type { SpecFolder } from "../../generator/model/connector.ts";

const root = join(import.meta.dirname, "../..");
const cases = join(root, "test/golden");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-results-"));
  mkdirSync(join(folder, "spec"), { recursive: true });
  for (const one of ["base", "graphql-connector"])
    cpSync(join(cases, one), join(folder, "spec/library"), { recursive: true, filter: (path) => !path.includes("expected") });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const resultsFile = () => join(folder, ".cache/generator/results");

/** Runs the generator's command without generated files, and gives those that it writes. */
function generated(): Readonly<Record<string, string>> {
  const out = join(folder, "generated");
  rmSync(out, { recursive: true, force: true });
  const { status, stderr } = spawnSync(process.execPath, [join(root, "generator/cli.ts")], { cwd: folder });
  expect(String(stderr)).toBe("");
  expect(status).toBe(0);
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(out, path), readFileSync(path, "utf8")]));
}

/** Saves the results file with another text inside, as if a connector's page had been generated so. */
function forge(change: (version: string) => string): void {
  const [header = "", ...rest] = readFileSync(resultsFile(), "utf8").split("\n");
  const body = rest.join("\n").replaceAll("# Books", "# Forged");
  const sum = createHash("sha256").update(body).digest("base64url");
  writeFileSync(resultsFile(), `${change(header.split(" ")[0] ?? "")} ${sum}\n${body}`);
}

describe("the generator's files", () => {
  it("are the same with no, good, damaged and foreign results of earlier runs", () => {
    const cold = generated();
    expect(cold["library/reference/books.md"]).toContain("# Books");
    expect(generated()).toEqual(cold);

    const good = readFileSync(resultsFile(), "utf8");
    const inside = good.replaceAll("# Books", "# Damage");
    for (const text of [good.slice(0, 5000), "", "[]", good.replace("\n", " "), inside]) {
      writeFileSync(resultsFile(), text);
      expect([...readResults(resultsFile()).newestFirst()]).toEqual([]);
    }
    // The generator starts from what `readResults` returns, so it runs with only one of the damaged files.
    expect(generated()).toEqual(cold);
    forge((version) => `${version}2`);
    expect([...readResults(resultsFile()).newestFirst()]).toEqual([]);
    writeFileSync(resultsFile(), good);
    // The same forgery under the right version is believed: so what was refused above was the version and the damage.
    forge((version) => version);
    expect(generated()["library/reference/books.md"]).toContain("# Forged");
  });

  it("are written where results cannot be saved", () => {
    mkdirSync(join(folder, ".cache"));
    writeFileSync(join(folder, ".cache/generator"), "a file where the folder should be");
    expect(generated()["library/reference/books.md"]).toContain("# Books");
  });
});

describe("results of earlier work", () => {
  it("are not used once any file of the spec, or any file that it refers to, has changed", async () => {
    const texts = new Map(
      readdirSync(join(folder, "spec/library"), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => [name, readFileSync(join(folder, "spec/library", name), "utf8")]),
    );
    // A space behind the last line changes no meaning, so the changed spec is as good as the other.
    const specFolder = (changed?: string, more = " "): SpecFolder => {
      const text = (file: string) => (file === changed ? `${texts.get(file)}${more}` : texts.get(file));
      return {
        path: "spec",
        files: [...texts.keys()]
          .filter((file) => file.endsWith(".yaml"))
          .map((file) => ({ path: `spec/${file}`, text: text(file) ?? "" })),
        read: text,
        module: () => undefined,
      };
    };
    const results = new Results();
    const { files } = await new Generator(results).generate([specFolder()]);
    const saved = () => new Results([...results.newestFirst()].reverse());
    const again = saved();
    expect((await new Generator(again).generate([specFolder()])).files).toEqual(files);
    expect(again.added).toBe(false);
    expect([...texts.keys()]).toEqual(expect.arrayContaining(["books.yaml", "connector.yaml", "rest.json", "schema.graphql"]));
    for (const file of texts.keys()) {
      const others = saved();
      const { diagnostics } = await new Generator(others).generate([specFolder(file)]);
      expect([file, others.added, diagnostics]).toEqual([file, true, []]);
      if (!file.endsWith(".yaml")) continue;
      const wrong = await new Generator(saved()).generate([specFolder(file, "\nmisspelled: 1\n")]);
      expect(wrong.diagnostics.map(({ message }) => message)).toContain('unknown key "misspelled"');
    }
  });

  it("let a changed spec print only what differs: no module for another title, those of its entity for another range", async () => {
    const specFolder = (change: (text: string) => string): SpecFolder => {
      const text = (file: string) => readFileSync(join(folder, "spec/library", file), "utf8");
      const files = readdirSync(join(folder, "spec/library")).filter((file) => file.endsWith(".yaml"));
      return {
        path: "spec",
        files: files.map((file) => ({ path: `spec/${file}`, text: file === "books.yaml" ? change(text(file)) : text(file) })),
        read: text,
        module: () => undefined,
      };
    };
    const results = new Results();
    const printed = async (change: (text: string) => string) => {
      const before = new Set(Array.from(results.newestFirst(), ([key]) => key));
      const { files, diagnostics } = await new Generator(results).generate([specFolder(change)]);
      expect(diagnostics).toEqual([]);
      const texts = [...results.newestFirst()].filter(([key]) => key.startsWith("text ") && !before.has(key));
      return [...files].flatMap(([path, text]) => (texts.some(([, json]) => JSON.parse(json) === text) ? path : [])).sort();
    };
    expect(await printed((text) => text)).toContain("library/books.ts");
    expect(await printed((text) => text.replace("title: Books", "title: Volumes"))).toEqual([]);
    expect(await printed((text) => text.replace("range: [1, 1000]", "range: [1, 999]"))).toEqual([
      "library/books.ts",
      "library/validators/books.js",
    ]);
  });

  it("are read again as they were saved, the most recently used first", () => {
    const results = new Results();
    results.keep(keyOf("kind", "one"), ["one"]);
    results.keep(keyOf("kind", "two"), { two: 2 });
    results.find(keyOf("kind", "one"));
    saveResults(resultsFile(), results, toolVersion());
    const read = readResults(resultsFile());
    expect([...read.newestFirst()]).toEqual([
      [keyOf("kind", "one"), '["one"]'],
      [keyOf("kind", "two"), '{"two":2}'],
    ]);
    expect([read.find(keyOf("kind", "two")), read.find(keyOf("kind", "one"))]).toEqual([{ two: 2 }, ["one"]]);
    expect([...readResults(resultsFile(), "another version").newestFirst()]).toEqual([]);
  });

  it("are not saved when the generator's sources have changed since they were made", () => {
    const results = new Results();
    results.keep(keyOf("kind", "one"), ["one"]);
    saveResults(resultsFile(), results, "the version before the change");
    expect([...readResults(resultsFile(), "the version before the change").newestFirst()]).toEqual([]);
  });

  it("that were used longest ago are dropped when the file would become too large", () => {
    const results = new Results();
    const text = "x".repeat(2 * 1024 * 1024);
    for (const name of ["one", "two", "three", "four"]) results.keep(keyOf("kind", name), text);
    saveResults(resultsFile(), results, toolVersion());
    const kept = [...readResults(resultsFile()).newestFirst()];
    expect(kept.map(([key]) => key)).toEqual(["four", "three", "two"].map((name) => keyOf("kind", name)));
  });

  it("have different keys for inputs that look the same when joined", () => {
    expect(keyOf("kind", "ab", "c")).not.toBe(keyOf("kind", "a", "bc"));
    expect(keyOf("kind", "")).not.toBe(keyOf("kind"));
  });
});

describe("the version that results belong to", () => {
  it("covers every source that the generator imports, directly or not", () => {
    const found = new Set<string>();
    const follow = (file: string): void => {
      if (found.has(file)) return;
      found.add(file);
      for (const match of readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?"(\.[^"$]+)"/g))
        follow(resolve(dirname(file), match[1] ?? ""));
    };
    follow(join(root, "generator/cli.ts"));
    const sources = [...found].map((file) => relative(root, file));
    expect(sources).toContain("generator/emit/reference.ts");
    expect(sources.filter((path) => !sourcePlaces.some((place) => path === place || path.startsWith(`${place}/`)))).toEqual([]);
  });
});
