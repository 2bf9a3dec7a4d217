import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compactJson } from "../../generator/print/compact-json.ts";

const generated = join(import.meta.dirname, "../../generated");
const connectors = readdirSync(generated, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const lines = (path: string) => readFileSync(join(generated, path), "utf8").split("\n").length;

describe("compact JSON", () => {
  it("opens as many levels as requested, and keeps the value", () => {
    const value = { a: { b: [1, { c: "x\ny" }], d: undefined }, e: [], f: null };
    expect(compactJson(value, 2)).toBe('{\n "a": {\n  "b": [1,{"c":"x\\ny"}]\n },\n "e": [],\n "f": null\n}\n');
    expect(JSON.parse(compactJson(value, 9))).toEqual(JSON.parse(JSON.stringify(value)));
  });
});

describe.each(connectors)("generated/$name", ({ name }) => {
  // Eight connectors together have fewer lines than three had when these files were written for people to read.
  it("keeps what only programs read to a line per schema, answer and check", () => {
    const document: { components: { schemas: object } } = JSON.parse(readFileSync(join(generated, name, "openapi.json"), "utf8"));
    expect(lines(`${name}/openapi.json`)).toBeLessThan(Object.keys(document.components.schemas).length + 60);
    const answers: object = JSON.parse(readFileSync(join(generated, name, "answers.json"), "utf8"));
    expect(lines(`${name}/answers.json`)).toBe(Object.keys(answers).length + 3);
    for (const file of readdirSync(join(generated, name, "validators")).filter((one) => one.endsWith(".js"))) {
      const text = readFileSync(join(generated, name, "validators", file), "utf8");
      expect(text.split("\n").length, file).toBeLessThan(4 * (text.match(/^function /gm)?.length ?? 0) + 6);
    }
  });
});
