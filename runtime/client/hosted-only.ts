import type { localMode as ofNode } from "./local-mode.ts";

// What bundles that are not for Node get in the place of local-mode.ts.

/** A client without local mode. */
export const localMode = (_connector: Parameters<typeof ofNode>[0]): undefined => undefined;
