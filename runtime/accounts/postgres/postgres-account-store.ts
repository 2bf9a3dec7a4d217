import { type Database, migrate, postgresDialect, type Queries } from "../../postgres/index.ts";
import { doLater, eachLater, type RunLater, type Sql } from "../../sql/index.ts";
import type { AccountStore } from "../account-store.ts";
import { callerChanges } from "../works/callers.ts";
import { accountChanges, accountReads } from "../works/index.ts";
import { writeChanges } from "../works/writes.ts";
import { OwnerCache } from "./owner-cache.ts";
import { accountSchema } from "./schema.ts";
import { storable } from "./storable.ts";

const reads = accountReads(postgresDialect);
const changes = accountChanges(postgresDialect);
/** Changes that have the same outcome when they are made twice. */
const repeatable = new Set(Object.keys(writeChanges(postgresDialect)));
/** Changes after which a secret may belong to another caller, or to none. */
const ofCallers = new Set(Object.keys(callerChanges(postgresDialect)));

/**
 * Keeps everything in a PostgreSQL database, which any number of processes on any number of machines may use. A caller that one process
 * revokes is refused by the others at most 2 seconds later; the process itself forgets it at once.
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
  const owners = new OwnerCache();
  const read = eachLater(reads, async (start) => doLater(start(), engineOf(await ready())));
  const change = eachLater(changes, async (start, name) => {
    const options = repeatable.has(name) ? ({ repeatable: true } as const) : {};
    try {
      return await (await ready()).transaction((queries) => doLater(start(), engineOf(queries)), options);
    } finally {
      if (ofCallers.has(name) && name !== "noteUse") owners.clear();
    }
  });
  return {
    open: async () => void (await ready()),
    ...read,
    ...change,
    secretByHash: (hashes) => owners.find(`hash ${hashes.join()}`, () => read.secretByHash(hashes)),
    secretById: (id) => owners.find(`id ${id}`, () => read.secretById(id)),
    close: async () => undefined,
  };
}

/** Runs statements with texts as PostgreSQL can hold them. */
function engineOf(queries: Pick<Queries, "query" | "run">): RunLater {
  return {
    query: (statement) => queries.query(storableValues(statement)),
    run: (statement) => queries.run(storableValues(statement)),
  };
}

function storableValues(statement: Sql): Sql {
  const text = <Value>(value: Value) => (typeof value === "string" ? storable(value) : value);
  return {
    ...statement,
    values: statement.values.map((value) => (Array.isArray(value) ? value.map(text) : text(value))),
  };
}
