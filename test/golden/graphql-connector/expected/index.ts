// Generated from spec/ by `make generate`. Do not edit.

import type { Connector } from "../runtime/contract/public.ts";
import { library } from "./library/index.ts";

/** Every connector that this repository has a spec of. */
export const connectors: readonly Connector[] = [library];
