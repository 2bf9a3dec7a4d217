import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { readConnectors } from "../../runtime/site/sources.ts";
import { siteFolder } from "../support/site-folder.ts";

export const connectors = readConnectors();

const folder = await siteFolder();
/** The files of the site by path, without their compressed forms. It is built once for all test files of a run. */
export const site: ReadonlyMap<string, string | Buffer> = new Map(
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => [
      relative(folder, file).replaceAll("\\", "/"),
      file.endsWith(".woff2") ? readFileSync(file) : readFileSync(file, "utf8"),
    ]),
);
