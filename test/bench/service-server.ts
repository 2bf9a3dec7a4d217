// The whole service as `tenon serve` runs it, in a process of its own, with a cache of issues and a platform without a pace.
//
//   node --expose-gc service-server.ts <folder> <token> <address of the platform>

import { openSync } from "node:fs";
import { join } from "node:path";
import { github } from "../../generated/github/index.ts";
import { standardOutput } from "../../runtime/base/log.ts";
import { startService } from "../../runtime/main/index.ts";
import { readSettings } from "../../runtime/main/settings.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { plansOf } from "../e2e/support/cache.ts";
import { unpaced } from "../support/fake-instance.ts";
import { Records } from "./search-records.ts";

const [folder = "", token = "", platform = ""] = process.argv.slice(2);
const size = 20_000;

const shelf = { connector: "github", instance: "github", entity: "issues", scope: "repository=bench/all" };
const position = { pass: 1, full: true, step: 0 };
const filled = new SqliteStore({ dataDir: folder, plans: plansOf(github) });
const records = new Records(size);
await filled.save(shelf, { records: Array.from({ length: size }, (_, at) => ({ ...records.record(at) })), position });
await filled.finish(shelf, position, { massDelete: false, parents: [] });
await filled.tidied;
await filled.close();

const environment = { TENON_DATA_DIR: folder, TENON_API_KEY: token, PORT: "0", GITHUB_TOKEN: "bench", GITHUB_API_URL: platform };
const { settings } = readSettings({ ...environment, GITHUB_GRAPHQL_URL: `${platform}/graphql` }, [unpaced]);
const service = await startService(settings, [], standardOutput(openSync(join(folder, "log"), "w")), [unpaced]);
await service.ready;
process.send?.(service.url);
// Asked for its memory, it first removes what nothing needs any longer.
process.on("message", () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
process.on("disconnect", () => process.exit(0));
