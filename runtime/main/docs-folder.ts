import { existsSync } from "node:fs";

/** Where `make docs` puts the documentation, which a service of the same clone serves at /docs. */
export const docsFolder = new URL("../../dist/docs/", import.meta.url);

export const hasDocs = (): boolean => existsSync(new URL("index.html", docsFolder));
