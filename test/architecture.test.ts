import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/**
 * Rooms, and the rooms that each may import from besides itself. An edge that is not here is not allowed, types included.
 * Files that stand in `generator/` itself put its rooms together.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  // What every room may need: errors and faults, log and redaction, texts, threads.
  "runtime/base": [],
  "runtime/contract": ["runtime/base"],
  // The way to PostgreSQL: connections, transactions, schema versions. It knows no table of the stores.
  "runtime/postgres": ["runtime/base"],
  "runtime/accounts": ["runtime/base", "runtime/postgres"],
  "runtime/platform": ["runtime/base", "runtime/contract"],
  "runtime/search": ["runtime/base", "runtime/contract"],
  // Embeddings, passages and the arithmetic of search by meaning. It knows no record and no store.
  "runtime/semantic": ["runtime/base"],
  "runtime/store": ["runtime/base", "runtime/contract", "runtime/search", "runtime/semantic", "runtime/postgres"],
  "runtime/execute": [
    "runtime/base",
    "runtime/contract",
    "runtime/platform",
    "runtime/search",
    "runtime/semantic",
    "runtime/store",
  ],
  "runtime/sync": ["runtime/base", "runtime/contract", "runtime/search", "runtime/semantic", "runtime/store", "runtime/execute"],
  "runtime/server": [
    "runtime/base",
    "runtime/contract",
    "runtime/accounts",
    "runtime/manual",
    "runtime/mcp",
    "runtime/execute",
    "runtime/sync",
  ],
  // A translation for the client of another service, at the edge. Only `runtime/main` knows of it.
  "runtime/compat": [
    "runtime/base",
    "runtime/contract",
    "runtime/accounts",
    "runtime/execute",
    "runtime/manual",
    "runtime/server",
  ],
  // The operator's page. Only `runtime/main` knows of it.
  "runtime/admin": ["runtime/base", "runtime/accounts", "runtime/execute", "runtime/server", "runtime/sync"],
  "runtime/simulator": ["runtime/base"],
  "runtime/main": [
    "runtime/base",
    "runtime/manual",
    "runtime/mcp",
    "runtime/client",
    "runtime/accounts",
    "runtime/contract",
    "runtime/platform",
    "runtime/postgres",
    "runtime/semantic",
    "runtime/store",
    "runtime/execute",
    "runtime/sync",
    "runtime/server",
    "runtime/compat",
    "runtime/admin",
    "runtime/simulator",
    "generated",
  ],
  // What callers read before they call, and the tools for models, which need nothing but that and a way to run actions.
  "runtime/manual": ["runtime/contract"],
  "runtime/mcp": ["runtime/base", "runtime/contract", "runtime/manual"],
  // The library in which generated clients are tables. It loads what local mode needs only when that is used.
  "runtime/client": ["runtime/base", "runtime/contract", "runtime/execute"],
  "runtime/cli": [
    "runtime/base",
    "runtime/manual",
    "runtime/mcp",
    "runtime/contract",
    "runtime/accounts",
    "runtime/client",
    "runtime/sync",
    "runtime/main",
    "generator",
  ],
  generated: ["runtime/contract", "runtime/client"],
  // Loads nothing else, so that a run that has all results loads nothing else either.
  "generator/cache": [],
  "generator/diagnostic": [],
  "generator/load": ["runtime/base", "runtime/contract", "generator/diagnostic"],
  "generator/model": ["runtime/base", "runtime/contract", "generator/cache", "generator/diagnostic", "generator/load"],
  "generator/extract": ["runtime/contract", "generator/model"],
  "generator/init": ["generator/cache", "generator/diagnostic", "generator/extract", "generator/model", "generator"],
  "generator/print": ["generator/model"],
  "generator/emit": ["runtime/base", "runtime/contract", "generator/model", "generator/print"],
  "generator/diff": ["generator/model"],
  generator: [
    "generator/cache",
    "generator/diagnostic",
    "generator/diff",
    "generator/load",
    "generator/model",
    "generator/extract",
    "generator/init",
    "generator/emit",
  ],
  // The pages tell of the whole program, so the site is made from the tables of all its rooms.
  "generator/site": [
    "runtime/base",
    "runtime/contract",
    "runtime/mcp",
    "runtime/server",
    "runtime/main",
    "runtime/cli",
    "generator/print",
  ],
  "spec/<connector>/simulator": ["runtime/simulator"],
};

function roomOf(path: string): string {
  const [top = "", second = "", third = ""] = path.split("/");
  // What a connector's folder in `spec/` holds beside its YAML follows one rule for all connectors.
  if (top === "spec") return `spec/<connector>/${third}`;
  return top === "generated" || /\.(ts|js)$/.test(second) ? top : `${top}/${second}`;
}

/** Every source, with its path below the root. */
const files = ["runtime", "generator", "generated", "spec"].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);

/** Every import of the sources: `[file, imported file]`. */
const all = files.flatMap((file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(/(?:from|import)\s*\(?"(\.[^"$]+)"/g)].map((match): [string, string] => [
    file,
    relative(root, resolve(root, dirname(file), match[1] ?? "")),
  ]),
);

describe("the house", () => {
  it("has no edge that its table does not name", () => {
    const wrong = all.filter(
      ([from, to]) => to !== "package.json" && roomOf(from) !== roomOf(to) && !rooms[roomOf(from)]?.includes(roomOf(to)),
    );
    expect(wrong.map(([from, to]) => `${from} -> ${to}`)).toEqual([]);
  });

  it("has no room and no permission that nothing uses", () => {
    const used = new Set(all.map(([from, to]) => `${roomOf(from)} -> ${roomOf(to)}`));
    const permitted = Object.entries(rooms).flatMap(([from, tos]) => tos.map((to) => `${from} -> ${to}`));
    expect(permitted.filter((edge) => !used.has(edge))).toEqual([]);
  });

  it("has no circle of files", () => {
    const next = new Map<string, string[]>();
    // The record types of a simulated platform refer to each other as its records do: an issue has a repository, which has issues.
    const world = /^spec\/[^/]+\/simulator\/world\//;
    for (const [from, to] of all) if (!(world.test(from) && world.test(to))) next.set(from, [...(next.get(from) ?? []), to]);
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
        return;
      }
      if (done.has(file)) return;
      for (const to of next.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    };
    for (const file of next.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });

  it("ends no thread by force where a native module may be at work: that would take the process with it", () => {
    const sources = files.filter((file) => file.startsWith("runtime/store/"));
    expect(sources).toContain("runtime/store/sqlite/thread.ts");
    expect(sources.filter((file) => /\.terminate\(/.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });

  it("lets the runtime know no connector by name, and neither the machine that simulates platforms", () => {
    const names = readdirSync(join(root, "spec"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    const sources = files.filter((file) => file.startsWith("runtime/"));
    expect(sources).toContain("runtime/simulator/answer.ts");
    const telling = sources.filter((file) => {
      const code = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      return names.some((name) => new RegExp(`\\b${name}\\b`, "i").test(code));
    });
    expect(telling).toEqual([]);
  });
});
