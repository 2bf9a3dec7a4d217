import { cpSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { modelFolder, readMean, StaticModel } from "../../../runtime/semantic/static-model.ts";
import { Tokeniser } from "../../../runtime/semantic/tokeniser.ts";
import { anyCharacter } from "../../support/any-character.ts";
import vectors from "./vectors.json" with { type: "json" };

const model = new StaticModel(modelFolder);
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let [dot, one, other] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += (a[i] ?? 0) * (b[i] ?? 0);
    one += (a[i] ?? 0) ** 2;
    other += (b[i] ?? 0) ** 2;
  }
  return dot / Math.sqrt(one * other);
};

describe("the model of this project", () => {
  it("gives the embeddings of its test vectors", () => {
    expect(vectors.length).toBe(50);
    for (const { text, embedding } of vectors) {
      const made = model.embed(text);
      if (embedding.every((one) => one === 0)) expect([...made], text).toEqual(embedding);
      else expect(cosine(made, embedding), text).toBeGreaterThan(0.9999999);
    }
  });

  it("gives vectors of length 1, or zeros, for any text, and the same for the same text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (text) => {
        const made = model.embed(text);
        const length = Math.hypot(...made);
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
        expect(model.embed(text)).toEqual(made);
      }),
      { numRuns: 300 },
    );
  });

  it("reads a text of a mebibyte", () => {
    expect(Math.hypot(...model.embed("crash on start ".repeat(70_000)))).toBeCloseTo(1, 5);
    expect(Math.hypot(...model.embed("x".repeat(1_048_576)))).toBe(0);
  });

  it("has a mean to subtract", () => {
    expect(readMean(modelFolder).length).toBe(model.dims);
  });
});

describe("a model that is damaged", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-model-"));
  const url = pathToFileURL(`${folder}/`);
  beforeEach(() => cpSync(modelFolder, folder, { recursive: true }));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(["embeddings.i8", "scales.f32", "head.bin"])("is refused when %s is cut", (file) => {
    truncateSync(join(folder, file), 1000);
    expect(() => new StaticModel(url)).toThrow(new RegExp(`cannot be used: ${file} has 1000 bytes instead of \\d+$`));
  });

  it("is refused when a file is missing", () => {
    rmSync(join(folder, "vocab.txt"));
    expect(() => new StaticModel(url)).toThrow("cannot be used: vocab.txt cannot be read (ENOENT)");
  });

  it("is refused when its description has another dimension, or is not JSON", () => {
    writeFileSync(join(folder, "model.json"), JSON.stringify({ name: "x", dims: 128, rows: 34_842, hidden: 1024 }));
    expect(() => new StaticModel(url)).toThrow("embeddings.i8 has 8919552 bytes instead of 4459776");
    writeFileSync(join(folder, "model.json"), JSON.stringify({ name: "x", dims: 100, rows: 34_842, hidden: 1024 }));
    expect(() => new StaticModel(url)).toThrow("divisible by 16");
    writeFileSync(join(folder, "model.json"), "{");
    expect(() => new StaticModel(url)).toThrow("model.json is not JSON");
  });
});

describe("tokens", () => {
  const entries = ["crash", "don't", "import", "er", "##er", "##s", "e", "json", "v", "##2", "2", "parse"];
  const tokeniser = new Tokeniser(entries);
  const tokens = (text: string) => tokeniser.tokens(text, 100).map((row) => entries[row]);

  it.each([
    ["Crash, CRASH!", ["crash", "crash"]],
    ["don't", ["don't"]],
    ["parse'er", ["parse", "er"]],
    ["importers", ["import", "##er", "##s"]],
    ["parseJSON", ["parse", "json"]],
    ["JSONParse2", ["json", "parse", "2"]],
    ["crásh", ["crash"]],
    ["ｃｒａｓｈ", ["crash"]],
    ["don’t", ["don't"]],
    ["xyz", []],
    ["crash".padEnd(41, "s"), []],
    ["crash".padEnd(40, "s"), ["crash", ...new Array(35).fill("##s")]],
    ["日本語", []],
  ])("of %j", (text, wanted) => {
    expect(tokens(text)).toEqual(wanted);
  });

  it("are cut at a bound", () => {
    expect(tokeniser.tokens("crash ".repeat(20), 7)).toHaveLength(7);
    expect(tokeniser.tokens("importers", 2).map((row) => entries[row])).toEqual(["import", "##er"]);
  });

  it("are the same for a text of ASCII whether or not the text also has other characters", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9' .-]{0,30}$/);
    fc.assert(fc.property(word, (text) => void expect(tokens(`${text} 語`)).toEqual(tokens(text))));
  });
});
