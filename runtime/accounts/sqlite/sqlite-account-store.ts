import { join } from "node:path";
import { WorkerCalls } from "../../base/worker-calls.ts";
import { doAtOnce, eachLater } from "../../sql/index.ts";
import { runIn, Statements } from "../../sqlite/index.ts";
import type { AccountStore } from "../account-store.ts";
import { guarded, openForReading } from "./connection.ts";
import { changes, reads } from "./works.ts";
import type { AccountWriterApi } from "./writer.ts";

/** The file in the data directory that holds everything about callers and instances. */
export function accountsFile(dataDir: string): string {
  return join(dataDir, "accounts.sqlite");
}

/**
 * Keeps everything in one SQLite file, which several processes may use at the same time. Changes are made in a thread of their own. Reads
 * are made in the thread that answers requests: each looks up a few rows by an index and takes microseconds, which is less than asking
 * another thread, and a reader never waits for a writer.
 *
 * @param dataDir the folder of the file; both are made when they are missing
 */
export function openSqliteAccounts(dataDir: string): AccountStore {
  const file = accountsFile(dataDir);
  let opening: Promise<Opened> | undefined;
  const open = () => (opening ??= openBoth(file));
  return {
    open: () => open().then(() => undefined),
    ...eachLater(reads, async (start) => {
      const { run } = await open();
      return guarded(() => doAtOnce(start(), run));
    }),
    ...eachLater(changes, async (_start, name, args) => {
      const { writer } = await open();
      return writer.callByName(name, args);
    }),
    close: async () => {
      const opened = await opening?.catch(() => undefined);
      opened?.db.close();
      // The last connection of all copies the log into the file.
      await opened?.writer.end();
    },
  };
}

type Opened = Awaited<ReturnType<typeof openBoth>>;

/** Opens the file for changes, which makes it where it is missing, and then for reading. */
async function openBoth(file: string) {
  const name = "the thread that writes accounts";
  const writer = new WorkerCalls<AccountWriterApi>(new URL("./writer-thread.ts", import.meta.url), { name, data: { file } });
  try {
    await writer.ready;
    const db = openForReading(file);
    return { writer, db, run: runIn(new Statements(db)) };
  } catch (thrown) {
    await writer.end();
    throw thrown;
  }
}
