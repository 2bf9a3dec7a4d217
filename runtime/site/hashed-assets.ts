import { createHash } from "node:crypto";

/** Files by path, under names that change with their content, so that browsers may keep them for good. */
export interface HashedAssets {
  readonly files: ReadonlyMap<string, string | Buffer>;
  /** Path of a file. @throws Error for a name that there is not */
  readonly pathOf: (name: string) => string;
}

/**
 * Puts a hash of its content into the name of every file, also where one names another: `"./search.js"` in a script, `url(sans.woff2)`
 * in a style.
 *
 * @param sources content by name
 * @throws Error for files that name each other in a circle
 */
export function hashAssets(sources: ReadonlyMap<string, string | Buffer>): HashedAssets {
  const files = new Map<string, string | Buffer>();
  const paths = new Map<string, string>();
  const place = (name: string, from: readonly string[]): string => {
    const known = paths.get(name);
    if (known !== undefined) return known;
    if (from.includes(name)) throw new Error(`assets name each other in a circle: ${[...from, name].join(", ")}`);
    const source = sources.get(name);
    if (source === undefined) throw new Error(`there is no asset "${name}"`);
    const content = /\.(js|css)$/.test(name) ? named(String(source), [...from, name]) : source;
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
    const path = `assets/${name.replace(/(?=\.\w+$)/, `.${hash}`)}`;
    paths.set(name, path);
    files.set(path, content);
    return path;
  };
  const named = (text: string, from: readonly string[]) =>
    text
      .replace(/^\/\/# sourceMappingURL=.*$/gm, "")
      .replace(/(?<=["(](?:\.\/)?)[\w-]+(?:\.[\w-]+)+(?=[")])/g, (name) =>
        sources.has(name) ? place(name, from).replace("assets/", "") : name,
      );
  for (const name of sources.keys()) place(name, []);
  return { files, pathOf: (name) => place(name, []) };
}
