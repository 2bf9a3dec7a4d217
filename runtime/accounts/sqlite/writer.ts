import { auditWrites } from "./audit-tables.ts";
import { callerWrites } from "./caller-tables.ts";
import { type Change, guarded, openForWriting } from "./connection.ts";
import { instanceWrites } from "./instance-tables.ts";
import { tokenWrites } from "./token-tables.ts";
import { writeWrites } from "./write-tables.ts";

/**
 * Opens the file for changes. It runs in a thread of its own, because a commit waits for the disk and for other processes that write.
 *
 * @throws TenonError `accounts_unusable`
 */
export function openWriter(file: string) {
  const db = openForWriting(file);
  /** Makes all changes in one transaction, which takes the right to write at its beginning. */
  const change: Change = (work) => guarded(() => db.transaction(() => work(db)).immediate());
  return {
    methods: {
      ...callerWrites(change),
      ...instanceWrites(change),
      ...tokenWrites(change),
      ...writeWrites(change),
      ...auditWrites(change),
    },
    close: () => void db.close(),
  };
}

/** The methods that can be called from another thread. */
export type WriterApi = ReturnType<typeof openWriter>["methods"];
