import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import packageFile from "../package.json" with { type: "json" };
import { rooms, storeLayers } from "../runtime/site/rooms.ts";

const root = join(import.meta.dirname, "..");

function roomOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
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

/** The circles that edges form, each written as a path. */
function circlesOf(edges: readonly (readonly [string, string])[]): string[] {
  const next = Map.groupBy(edges, ([from]) => from);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) circles.push([...path.slice(path.indexOf(node)), node].join(" -> "));
    else if (!done.has(node)) {
      for (const [, to] of next.get(node) ?? []) visit(to, [...path, node]);
      done.add(node);
    }
  };
  for (const node of next.keys()) visit(node, []);
  return circles;
}

describe("the house", () => {
  it("has no edge that its table does not name", () => {
    const wrong = all.filter(
      ([from, to]) => to !== "package.json" && roomOf(from) !== roomOf(to) && !rooms[roomOf(from)]?.imports.includes(roomOf(to)),
    );
    expect(wrong.map(([from, to]) => `${from} -> ${to}`)).toEqual([]);
  });

  it("has no code in specs, which are what authors write", () => {
    expect(files).toContain("runtime/simulated/github/main.ts");
    expect(files.filter((file) => file.startsWith("spec/"))).toEqual([]);
  });

  it("has no room and no permission that nothing uses", () => {
    const used = new Set(all.map(([from, to]) => `${roomOf(from)} -> ${roomOf(to)}`));
    const permitted = Object.entries(rooms).flatMap(([from, { imports }]) => imports.map((to) => `${from} -> ${to}`));
    expect(permitted.filter((edge) => !used.has(edge))).toEqual([]);
    const inhabited = new Set(files.map(roomOf));
    expect(Object.keys(rooms).filter((room) => !inhabited.has(room))).toEqual([]);
  });

  it("lets the generator know nothing of the runtime but its base and its contract", () => {
    const wrong = all.filter(
      ([from, to]) => from.startsWith("generator/") && to.startsWith("runtime/") && !/^runtime\/(base|contract)\//.test(to),
    );
    expect(wrong.map(([from, to]) => `${from} -> ${to}`)).toEqual([]);
  });

  it("gives generated code the public contract, and nothing that no generated code uses", () => {
    const door = "runtime/contract/public.ts";
    const read = (file: string) => readFileSync(join(root, file), "utf8");
    const generated = files.filter((file) => file.startsWith("generated/"));
    const others = all.filter(([from, to]) => from.startsWith("generated/") && to.startsWith("runtime/contract/") && to !== door);
    expect(others).toEqual([]);
    const names = [...read(door).matchAll(/^export [^{;]*\{([^}]*)\}/gm)].flatMap(
      ([, list = ""]) => list.match(/\b(?!type\b)\w+/g) ?? [],
    );
    const used = generated.flatMap((file) => read(file).match(/\w+/g) ?? []);
    expect(names).toContain("Connector");
    expect(names.filter((name) => !used.includes(name))).toEqual([]);
  });

  it("has no room that passes on what belongs to another, but for the doors of the package", () => {
    const doors = Object.values(packageFile.exports).map((door) => (typeof door === "string" ? door : door.default));
    const wrong = files.filter(
      (file) =>
        /^(runtime|generator)\//.test(file) &&
        !doors.includes(`./dist/${file.replace(/\.ts$/, ".js")}`) &&
        [...readFileSync(join(root, file), "utf8").matchAll(/^export [^;]*? from "(\.\.\/[^"]+)"/gm)].some(
          (match) => roomOf(file) !== roomOf(relative(root, resolve(root, dirname(file), match[1] ?? ""))),
        ),
    );
    expect(wrong).toEqual([]);
  });

  it("lets a file of a store import only from its layer and those below it", () => {
    const layerOf = (file: string) => {
      const [store = "", folder = "", name] = file.replace("runtime/store/", "").split("/");
      // What the stores share is below all of them; what stands in a store's folder puts its layers together.
      if (!stores.includes(store)) return { store: "", layer: -1 };
      return { store, layer: name === undefined ? storeLayers.length : storeLayers.indexOf(folder) };
    };
    const stores = ["sqlite", "postgres"];
    const inStores = files.filter((file) => file.startsWith("runtime/store/"));
    for (const store of stores) expect(inStores).toContain(`runtime/store/${store}/${store}-store.ts`);
    const unknown = inStores.filter((file) => layerOf(file).store !== "" && layerOf(file).layer === -1);
    expect(unknown).toEqual([]);
    const wrong = all.filter(([from, to]) => {
      if (!(inStores.includes(from) && inStores.includes(to))) return false;
      const [a, b] = [layerOf(from), layerOf(to)];
      return b.layer > a.layer || (b.store !== "" && b.store !== a.store);
    });
    expect(wrong.map(([from, to]) => `${from} -> ${to}`)).toEqual([]);
  });

  it("has no circle of files", () => {
    // The record types of a simulated platform refer to each other as its records do: an issue has a repository, which has issues.
    const world = /^runtime\/simulated\/[^/]+\/world\//;
    expect(circlesOf(all.filter(([from, to]) => !(world.test(from) && world.test(to))))).toEqual([]);
  });

  it("has no circle of rooms", () => {
    const edges = all.map(([from, to]): [string, string] => [roomOf(from), roomOf(to)]).filter(([from, to]) => from !== to);
    expect(circlesOf(edges)).toEqual([]);
  });

  it("ends no thread by force where a native module may be at work: that would take the process with it", () => {
    const sources = files.filter((file) => file.startsWith("runtime/store/"));
    expect(sources).toContain("runtime/store/sqlite/threads/thread.ts");
    expect(sources.filter((file) => /\.terminate\(/.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });

  it("lets the runtime know no connector by name, and neither the machine that simulates platforms", () => {
    const names = readdirSync(join(root, "spec"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    const sources = files.filter((file) => file.startsWith("runtime/") && !file.startsWith("runtime/simulated/"));
    expect(sources).toContain("runtime/simulator/answer.ts");
    const telling = sources.filter((file) => {
      const code = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
      return names.some((name) => new RegExp(`\\b${name}\\b`, "i").test(code));
    });
    expect(telling).toEqual([]);
  });
});
