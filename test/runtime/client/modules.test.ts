import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const connectors = readdirSync(join(root, "generated"), { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** Every module that is loaded with a module: what it imports, except for types and for what is loaded later. */
function loadedWith(start: string): string[] {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    for (const [, kind, from = ""] of source.matchAll(/^(import|export)\s+(?!type\b)[^;]*?from "([^"]+)"/gm)) {
      if (kind === undefined) continue;
      if (from.startsWith(".")) visit(relative(root, resolve(root, dirname(file), from)));
      else seen.add(from);
    }
  };
  visit(start);
  return [...seen];
}

describe.each(connectors.map(({ name }) => name))("a client of %s", (connector) => {
  it.each(["client", "hosted"])(
    "(%s.ts) loads in hosted mode neither a platform client nor a store, and nothing of Node",
    (file) => {
      const loaded = loadedWith(`generated/${connector}/${file}.ts`);
      expect(loaded).toContain("runtime/client/hosted.ts");
      const own = new RegExp(`^(generated/${connector}/(client|hosted)|runtime/(base|client|contract)/[\\w-]+)\\.ts$`);
      expect(loaded.filter((module) => !own.test(module))).toEqual([]);
      expect(loaded).not.toContain("runtime/client/local.ts");
      expect(loaded.includes("runtime/client/local-mode.ts")).toBe(file === "client");
    },
  );
});
