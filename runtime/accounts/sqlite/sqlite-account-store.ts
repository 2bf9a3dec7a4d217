import { join } from "node:path";
import type { AccountStore } from "../account-store.ts";
import { auditReads } from "./audit-tables.ts";
import { callerReads } from "./caller-tables.ts";
import { guarded, openForReading } from "./connection.ts";
import { instanceReads } from "./instance-tables.ts";
import type { WriterMethod } from "./messages.ts";
import { tokenReads } from "./token-tables.ts";
import { writeReads } from "./write-tables.ts";
import type { WriterApi } from "./writer.ts";
import { WriterCalls } from "./writer-calls.ts";

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
  const read = async <Result>(work: (reads: Opened["reads"]) => Result): Promise<Result> => {
    const { reads } = await open();
    return guarded(() => work(reads));
  };
  const write =
    <Name extends WriterMethod>(name: Name) =>
    async (...args: Parameters<WriterApi[Name]>) => {
      const { writer } = await open();
      return writer.call(name, ...args);
    };
  return {
    open: () => open().then(() => undefined),
    callers: (kind) => read((reads) => reads.callers(kind)),
    caller: (id) => read((reads) => reads.caller(id)),
    secretByHash: (hashes) => read((reads) => reads.secretByHash(hashes)),
    secretById: (id) => read((reads) => reads.secretById(id)),
    keyIds: (now) => read((reads) => reads.keyIds(now)),
    instance: (id) => read((reads) => reads.instance(id)),
    instances: () => read((reads) => reads.instances()),
    tokens: (id) => read((reads) => reads.tokens(id)),
    tokenHolders: () => read((reads) => reads.tokenHolders()),
    write: (id) => read((reads) => reads.write(id)),
    audited: (after, since, limit) => read((reads) => reads.audited(after, since, limit)),
    lastAudited: (limit) => read((reads) => reads.lastAudited(limit)),
    addCaller: write("addCaller"),
    replaceSecret: write("replaceSecret"),
    rehash: write("rehash"),
    revoke: write("revoke"),
    noteUse: write("noteUse"),
    addInstance: write("addInstance"),
    changeInstance: write("changeInstance"),
    removeInstance: write("removeInstance"),
    leaseTokens: write("leaseTokens"),
    saveTokens: write("saveTokens"),
    beginWrite: write("beginWrite"),
    endWrite: write("endWrite"),
    audit: write("audit"),
    forgetAudit: write("forgetAudit"),
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
  const writer = new WriterCalls(file);
  try {
    await writer.ready;
    const db = openForReading(file);
    return {
      writer,
      db,
      reads: guarded(() => ({
        ...callerReads(db),
        ...instanceReads(db),
        ...tokenReads(db),
        ...writeReads(db),
        ...auditReads(db),
      })),
    };
  } catch (thrown) {
    await writer.end();
    throw thrown;
  }
}
