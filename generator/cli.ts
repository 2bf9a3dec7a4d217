// Starts the generator with Node's compile cache, without which loading its modules takes much longer. All else is in main.ts.

import { enableCompileCache } from "node:module";

enableCompileCache(".cache/compile");
await import("./main.ts");
