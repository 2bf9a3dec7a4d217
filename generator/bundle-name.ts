import { relative, sep } from "node:path";

/** The file of the bundle that has a module which is started by its address, as a thread or as a process. */
export function nameInBundle(root: string, module: string): string {
  return `${relative(root, module)
    .replace(/\.[jt]s$/, "")
    .replaceAll(sep, "-")}.js`;
}
