import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { SpecFolder } from "./model/connector.ts";

/**
 * Reads the specs of all connectors, or of one.
 *
 * @param root the folder with a folder for each connector
 * @param out the folder for generated code, which stands one folder below it for each connector
 */
export function specFolders(root: string, out: string, only?: string): SpecFolder[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && (only === undefined || entry.name === only))
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const folder = join(root, name);
      // Editors and file systems keep files of their own under hidden names: `.#notes.yaml` is a lock of Emacs, which nothing can read.
      const yaml = readdirSync(folder).filter((file) => /^[^.].*\.ya?ml$/.test(file));
      return {
        path: folder,
        files: yaml.map((file) => ({ path: join(folder, file), text: readFileSync(join(folder, file), "utf8") })),
        read: readsOnce((reference) => readReference(folder, reference)),
        module: (file) => moduleAddress(join(folder, file), out),
      };
    });
}

/** Public schemas have megabytes, and are used several times in a run. */
function readsOnce(read: (reference: string) => string | undefined): (reference: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (reference) => {
    if (!known.has(reference)) known.set(reference, read(reference));
    return known.get(reference);
  };
}

/** Text of a file beside the spec, or of `package/file` in a package that is installed here or in a folder above. */
function readReference(folder: string, reference: string): string | undefined {
  const places = [join(folder, reference)];
  for (let here = resolve(folder); ; here = dirname(here)) {
    places.push(join(here, "node_modules", reference));
    if (here === dirname(here)) break;
  }
  const found = places.find((place) => existsSync(place));
  return found === undefined ? undefined : readFileSync(found, "utf8");
}

function moduleAddress(path: string, out: string): string | undefined {
  return existsSync(path) ? relative(join(out, "connector"), path).replaceAll("\\", "/") : undefined;
}
