import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/**
 * Rooms, and the rooms that each may import from besides itself. An edge that is not here is not allowed, types included.
 * Single files of `runtime/` are rooms of their own.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  "runtime/contract": [],
  "runtime/deadline": [],
  "runtime/errors": [],
  "runtime/redact": [],
  "runtime/log": ["runtime/redact"],
  "runtime/platform": ["runtime/contract", "runtime/errors", "runtime/redact", "runtime/log", "runtime/thread"],
  "runtime/compile-cache": [],
  "runtime/thread-entry": ["runtime/compile-cache"],
  "runtime/thread": [],
  "runtime/faults": ["runtime/contract", "runtime/errors"],
  "runtime/search": ["runtime/contract", "runtime/errors", "runtime/faults"],
  "runtime/store": ["runtime/contract", "runtime/errors", "runtime/search", "runtime/thread"],
  "runtime/execute": [
    "runtime/contract",
    "runtime/errors",
    "runtime/faults",
    "runtime/redact",
    "runtime/log",
    "runtime/platform",
    "runtime/search",
    "runtime/store",
  ],
  "runtime/sync": ["runtime/contract", "runtime/errors", "runtime/log", "runtime/execute", "runtime/search", "runtime/store"],
  "runtime/server": ["runtime/deadline", "runtime/errors", "runtime/log", "runtime/execute", "runtime/store", "runtime/sync"],
  "runtime/settings": ["runtime/contract", "runtime/log"],
  "runtime/simulator": ["runtime/thread"],
  "runtime/main": [
    "runtime/contract",
    "runtime/deadline",
    "runtime/errors",
    "runtime/execute",
    "runtime/log",
    "runtime/redact",
    "runtime/server",
    "runtime/settings",
    "runtime/simulator",
    "runtime/store",
    "runtime/sync",
    "generated",
  ],
  "runtime/cli": [
    "runtime/compile-cache",
    "runtime/deadline",
    "runtime/errors",
    "runtime/main",
    "runtime/settings",
    "runtime/sync",
  ],
  generated: ["runtime/contract"],
  "generator/diagnostic": [],
  // Loads nothing else, so that a run that has all results loads nothing else either.
  "generator/cache": [],
  "generator/suggestion": ["runtime/contract"],
  "generator/load": ["generator/diagnostic", "generator/suggestion", "runtime/contract"],
  // The model checks error codes of a spec against the runtime's one table of them.
  "generator/model": [
    "generator/load",
    "generator/cache",
    "generator/diagnostic",
    "generator/suggestion",
    "runtime/contract",
    "runtime/errors",
  ],
  "generator/print": ["generator/model"],
  "generator/emit": ["generator/print", "generator/model", "runtime/contract"],
  "generator/connector": ["generator/load", "generator/model", "generator/cache", "generator/diagnostic"],
  "generator/generate": [
    "generator/connector",
    "generator/emit",
    "generator/load",
    "generator/model",
    "generator/cache",
    "generator/diagnostic",
  ],
  "generator/watch": [],
  "generator/main": [
    "generator/generate",
    "generator/connector",
    "generator/emit",
    "generator/watch",
    "generator/cache",
    "generator/diagnostic",
  ],
  "generator/cli": ["generator/main"],
  "generator/extract-rest": ["generator/load"],
  "spec/<connector>/simulator": ["runtime/simulator"],
};

function roomOf(path: string): string {
  const [top = "", second = "", third = ""] = path.split("/");
  // What a connector's folder in `spec/` holds beside its YAML follows one rule for all connectors.
  if (top === "spec") return `spec/<connector>/${third}`;
  return top === "generated" ? top : `${top}/${second.replace(/\.(ts|js)$/, "")}`;
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
