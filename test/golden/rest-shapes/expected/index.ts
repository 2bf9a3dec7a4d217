// Generated from spec/ by `make generate`. Do not edit.

import { type Connector, lazyConnector } from "../runtime/contract/public.ts";
import * as depot from "./depot/facts.ts";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const load = (module: URL) => require(fileURLToPath(module));

/** Every connector that this repository has a spec of. */
export const connectors: readonly Connector[] = [lazyConnector(depot, () => load(new URL("./depot/index.ts", import.meta.url)).depot)];
