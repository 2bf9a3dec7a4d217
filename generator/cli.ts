// Starts the generator with Node's compile cache on, which saves a third of its time; everything else is in main.ts.

import { enableCompileCache } from "node:module";

enableCompileCache(".cache/compile");
await import("./main.ts");
