import { doAtOnce, eachAtOnce } from "../../sql/index.ts";
import { runIn, Statements } from "../../sqlite/index.ts";
import { guarded, openForWriting } from "./connection.ts";
import { changes } from "./works.ts";

/**
 * Opens the file for changes. It runs in a thread of its own, because a commit waits for the disk and for other processes that write.
 *
 * @throws TenonError `accounts_unusable`
 */
export function openWriter(file: string) {
  const db = openForWriting(file);
  const run = runIn(new Statements(db));
  return {
    /** Each makes its change in one transaction, which takes the right to write at its beginning. */
    methods: eachAtOnce(changes, (start) => guarded(() => db.transaction(() => doAtOnce(start(), run)).immediate())),
    close: () => void db.close(),
  };
}

/** The methods that can be called from another thread. */
export type AccountWriterApi = ReturnType<typeof openWriter>["methods"];
