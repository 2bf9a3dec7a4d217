import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { withSpecs } from "../../runtime/site/spec-excerpt.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "runtime/site/text/recipes.md"), "utf8");
const places = [...page.matchAll(/^<!-- spec: (\S+) (\S+) -->$/gm)].map(([line, file = "", path = ""]) => ({ line, file, path }));

const valueAt = (text: string, path: string) =>
  path.split(".").reduce<unknown>((here, key) => (here as Record<string, unknown>)[key], parse(text));

describe("the recipes", () => {
  it("have a part of a spec each", () => {
    expect(places.length).toBeGreaterThan(20);
    expect(withSpecs(page)).not.toContain("<!-- spec");
  });

  it.each(places)("show $file $path as it is in the spec", ({ line, file, path }) => {
    const yaml = /^```yaml\n(.*)\n```$/s.exec(withSpecs(line))?.[1] ?? "";
    expect(valueAt(yaml, path)).toEqual(valueAt(readFileSync(join(root, "spec", file), "utf8"), path));
    expect(yaml).toContain(`# spec/${file}`);
  });

  it("refuse a place that a spec does not have", () => {
    expect(() => withSpecs("<!-- spec: slack/messages.yaml actions.lost -->")).toThrow('the spec has no "actions.lost"');
  });
});
