import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { Results } from "../../generator/cache/results.ts";
import { Diagnostics, formatDiagnostic } from "../../generator/diagnostic/diagnostic.ts";
import { Generator } from "../../generator/generate.ts";
import { connectorModel, type SpecFolder } from "../../generator/model/connector.ts";
import { allFolders } from "../support/specs.ts";
import rows from "./wrong-specs.json" with { type: "json" };

// The specs of this repository with one mistake each. A row has what an author reads then: place, code, message and hint.

const folders = new Map(allFolders().map((folder) => [folder.path.split("/").at(-1) ?? "", folder]));
const results = new Results();

/** A spec in which one file has another text. */
function changed(folder: SpecFolder, file: string, change: (text: string) => string): SpecFolder {
  const files = folder.files.map(({ path, text }) => ({ path, text: path.endsWith(`/${file}`) ? change(text) : text }));
  return { ...folder, files };
}

describe("a mistake in a spec", () => {
  it.each(rows.map((row) => [`${row.connector}: ${row.what}`, row] as const))(
    "%s",
    (_name, { connector, file, replace, by, expected }) => {
      const folder = folders.get(connector);
      if (folder === undefined) throw new Error(`there is no connector ${connector}`);
      const diagnostics = new Diagnostics();
      const wrong = changed(folder, file, (text) => {
        expect(text).toContain(replace);
        return text.replace(replace, () => by);
      });
      connectorModel(wrong, diagnostics, results);
      // Of many faults that follow from one, the first ones are compared.
      expect(diagnostics.sorted().slice(0, 4).map(formatDiagnostic)).toEqual(expected);
    },
  );

  it("has rows for a connector of each API and for one of both, 60 at least", () => {
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(new Set(rows.map(({ connector }) => connector))).toEqual(new Set(["figma", "github", "linear"]));
  });
});

type Row = readonly [is: string, was: string, where: string, message: string];

describe("a single fault", () => {
  const faults: Readonly<Record<string, readonly Row[]>> = parse(
    readFileSync(new URL("single-faults.yaml", import.meta.url), "utf8"),
  );
  const all = Object.entries(faults).flatMap(([file, rows]) => rows.map((row) => [file, ...row] as const));

  it.each(all)("of %s, %j written as %j, is reported once, at its cause", (path, text, wrong, where, message) => {
    const [connector = "", file = ""] = path.split("/");
    const folder = folders.get(connector);
    if (folder === undefined) throw new Error(`there is no connector ${connector}`);
    const other = changed(folder, file, (whole) => {
      expect(whole).toContain(text);
      return whole.replace(text, () => wrong);
    });
    const diagnostics = new Diagnostics();
    connectorModel(other, diagnostics, results);
    const found = diagnostics.sorted().map((one) => {
      const line = other.files.find(({ path: known }) => known === one.file)?.text.split("\n")[one.line - 1] ?? "";
      const at = line.slice(one.column - 1, one.column + 29).trim();
      return [`${one.code} @${at}${one.file === `spec/${path}` ? "" : ` in ${one.file.slice("spec/".length)}`}`, one.message];
    });
    expect(found).toEqual([[where, message]]);
  });

  it("has 520 rows, all different", () => {
    expect(new Set(all.map((row) => row.slice(0, 3).join("\n"))).size).toBeGreaterThanOrEqual(520);
  });
});

/** Numbers that look random, and are the same for the same seed (mulberry32). */
function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const words = [
  "null",
  "[]",
  "{}",
  "string",
  "[string]",
  "id?",
  "-1",
  "true",
  "each",
  "../x",
  "a: b",
  "*/",
  '"',
  "{",
  "__proto__",
  "list",
];

/** The text with one change: a line that is gone, twice there, moved or indented, or a word that is another. */
function mutated(text: string, random: (below: number) => number): string {
  const lines = text.split("\n");
  const at = random(lines.length);
  const line = lines[at] ?? "";
  switch (random(6)) {
    case 0:
      return lines.toSpliced(at, 1).join("\n");
    case 1:
      return lines.toSpliced(at, 0, line).join("\n");
    case 2:
      return lines.toSpliced(at, 1).toSpliced(random(lines.length), 0, line).join("\n");
    case 3:
      return lines.with(at, random(2) === 0 ? ` ${line}` : line.slice(1)).join("\n");
    case 4: {
      const found = [...line.matchAll(/[\w$]+/g)];
      const word = found[random(Math.max(1, found.length))];
      if (word === undefined) return lines.toSpliced(at, 1).join("\n");
      const other = words[random(words.length)] ?? "";
      return lines.with(at, line.slice(0, word.index) + other + line.slice(word.index + word[0].length)).join("\n");
    }
    default: {
      const place = random(Math.max(1, line.length));
      return lines.with(at, line.slice(0, place) + line.slice(place + 1)).join("\n");
    }
  }
}

const mutations = Number(process.env["TENON_TEST_SEEDS"] ?? 160);

describe("a random change of a spec", () => {
  it.each([...folders])(
    `of %s gives something valid, or is refused at a place that exists (${mutations} in all)`,
    async (_name, folder) => {
      const generator = new Generator(results);
      let refused = 0;
      const each = Math.ceil(mutations / folders.size);
      for (let seed = 1; seed <= each; seed++) {
        const random = randomly(seed);
        const { path } = folder.files[random(folder.files.length)] ?? { path: "" };
        const file = path.split("/").at(-1) ?? "";
        const wrong = changed(folder, file, (text) => mutated(text, random));
        const { files, diagnostics } = await generator.generate([wrong]);
        for (const one of diagnostics) {
          const text = wrong.files.find((other) => other.path === one.file)?.text;
          const line = text?.split("\n")[one.line - 1];
          expect(line, `seed ${seed}: ${formatDiagnostic(one)}`).toBeDefined();
          expect(one.column, `seed ${seed}: ${formatDiagnostic(one)}`).toBeLessThanOrEqual((line ?? "").length + 1);
          expect(one.message, `seed ${seed}`).not.toMatch(/undefined|\[object [A-Z]|Cannot read prop/);
        }
        if (diagnostics.length > 0) refused++;
        else
          for (const [name, text] of files)
            if (name.endsWith(`/${file.replace(".yaml", ".ts")}`))
              expect(() => stripTypeScriptTypes(text), `seed ${seed}`).not.toThrow();
      }
      expect(refused).toBeGreaterThan(each / 4);
    },
    600_000,
  );
});
