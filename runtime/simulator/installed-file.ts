import { existsSync, readFileSync } from "node:fs";

/**
 * The text of a file in an installed package, for packages that export neither the file nor, to `require`, anything at all.
 *
 * @param path `package/file`
 * @param from address of the module that needs it; the package is looked for in `node_modules` of its folder and of those above
 * @throws Error when no such file is installed
 */
export function installedText(path: string, from: string): string {
  for (let folder = new URL(".", from); ; folder = new URL("..", folder)) {
    const file = new URL(`node_modules/${path}`, folder);
    if (existsSync(file)) return readFileSync(file, "utf8");
    if (new URL("..", folder).href === folder.href) throw new Error(`${path} is not installed`);
  }
}
