// The whole service as `tenon serve` runs it, in a process of its own, with a cache that `service-cache.ts` has filled and a platform
// without a pace.
//
//   node --expose-gc service-server.ts <folder> <token> <address of the platform> [<URL of a database in the place of the folder>]
//
// With BENCH_SECRET_KEY it has the callers that are stored in the folder. BENCH_TENON_<name> are further settings.

import { openSync } from "node:fs";
import { join } from "node:path";
import { standardOutput } from "../../runtime/base/log.ts";
import { startService } from "../../runtime/main/index.ts";
import { readSettings } from "../../runtime/main/settings/settings.ts";
import { unpaced } from "../support/fake-instance.ts";

const [folder = "", token = "", platform = "", database] = process.argv.slice(2);

const environment = {
  TENON_DATA_DIR: folder,
  TENON_API_KEY: token,
  PORT: "0",
  GITHUB_TOKEN: process.env["BENCH_GITHUB_TOKEN"] ?? "bench",
  GITHUB_API_URL: platform,
};
const place = {
  ...(database === undefined ? {} : { TENON_DATABASE_URL: database }),
  ...(process.env["BENCH_SECRET_KEY"] === undefined ? {} : { TENON_SECRET_KEY: process.env["BENCH_SECRET_KEY"] }),
};
const more = Object.entries(process.env).flatMap(([name, value]) =>
  name.startsWith("BENCH_TENON_") ? [[name.slice(6), value]] : [],
);
const { settings } = readSettings(
  { ...environment, ...place, ...Object.fromEntries(more), GITHUB_GRAPHQL_URL: `${platform}/graphql` },
  [unpaced],
);
const service = await startService(settings, { sink: standardOutput(openSync(join(folder, "log"), "w")), connectors: [unpaced] });
await service.ready;
process.send?.(service.url);
// Asked for its memory, it first removes what nothing needs any longer.
process.on("message", (wanted) => {
  if (wanted === "cpu") return void process.send?.(process.cpuUsage());
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
process.on("disconnect", () => process.exit(0));
