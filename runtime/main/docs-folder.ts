import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { connectorsModule } from "./connectors-module.ts";

/** Where `make docs` puts the documentation, which a service of the same clone serves at /docs. */
export const docsFolder = new URL("../../dist/docs/", import.meta.url);

export const hasDocs = (): boolean => existsSync(new URL("index.html", docsFolder));

/** Where `tenon docs` puts the pages of a project's own connectors; undefined where there are none. */
export function ownDocsFolder(): URL | undefined {
  const module = connectorsModule();
  return module === undefined ? undefined : new URL("../dist/docs/", pathToFileURL(module));
}
