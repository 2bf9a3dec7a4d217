import { type Database, migrate } from "../../postgres/index.ts";
import type { AccountStore } from "../account-store.ts";
import { auditQueries } from "./audit.ts";
import { callerQueries } from "./callers.ts";
import { instanceQueries } from "./instances.ts";
import { accountSchema } from "./schema.ts";
import { tokenQueries } from "./tokens.ts";
import { writeQueries } from "./writes.ts";

/**
 * Keeps everything in a PostgreSQL database, which any number of processes on any number of machines may use. A caller that one process
 * revokes is refused by the others at most 2 seconds later.
 *
 * @param database is not closed together with the store, because records may be in it too
 */
export function openPostgresAccounts(database: Database): AccountStore {
  let opening: Promise<Database> | undefined;
  const ready = () =>
    (opening ??= migrate(database, accountSchema).then(
      () => database,
      (thrown: unknown) => {
        // The next call tries again: the server may be there by then.
        opening = undefined;
        throw thrown;
      },
    ));
  return {
    open: async () => void (await ready()),
    ...callerQueries(ready),
    ...instanceQueries(ready),
    ...tokenQueries(ready),
    ...writeQueries(ready),
    ...auditQueries(ready),
    close: async () => undefined,
  };
}
