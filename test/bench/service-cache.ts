// Fills the cache of the service bench with issues, in a process of its own, because what that needs is no memory of the service.
//
//   node service-cache.ts <folder>

import { github } from "../../generated/github/index.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { plansOf } from "../e2e/support/cache.ts";
import { Records } from "./search-records.ts";

const [folder = ""] = process.argv.slice(2);
const size = 20_000;

const collection = { connector: "github", instance: "github", entity: "issues", scope: "repository=bench/all" };
const checkpoint = { run: 1, full: true, step: 0 };
const filled = new SqliteStore({ dataDir: folder, plans: plansOf(github) });
const records = new Records(size);
await filled.save(collection, { records: Array.from({ length: size }, (_, at) => ({ ...records.record(at) })), checkpoint });
await filled.finish(collection, checkpoint, { massDelete: false, parents: [] });
await filled.tidied;
await filled.close();
process.send?.("filled");
process.disconnect?.();
