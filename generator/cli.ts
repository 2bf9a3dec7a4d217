// Starts the generator with Node's compile cache, without which loading its modules takes much longer. All else is in main.ts.
//
//   node generator/cli.ts [--check | --watch] [--spec DIR] [--out DIR]

import { enableCompileCache } from "node:module";
import { parseArgs } from "node:util";

enableCompileCache(".cache/compile");
const { generateAndWatch, generateOnce } = await import("./main.ts");
const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    watch: { type: "boolean", default: false },
    spec: { type: "string", default: "spec" },
    out: { type: "string", default: "generated" },
  },
});
if (values.watch) await generateAndWatch(values);
else process.exitCode = await generateOnce(values);
