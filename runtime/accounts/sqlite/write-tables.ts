import { type WriteRow, writeOf } from "../write-rows.ts";
import type { BegunWrite, WriteEnd, WriteId } from "../write-store.ts";
import type { Change, Connection } from "./connection.ts";

/** What is read about writes with an `Idempotency-Key`. */
export function writeReads(db: Connection) {
  const one = oneWrite(db);
  return {
    write: ({ caller, key }: WriteId) => {
      const row = one.get(caller, key);
      return row === undefined ? undefined : writeOf(row);
    },
  };
}

/** What is changed about writes with an `Idempotency-Key`. */
export function writeWrites(change: Change) {
  return {
    beginWrite: ({ caller, key, request, owner, begunAt }: BegunWrite, oldest: number) =>
      change((db) => {
        db.prepare("DELETE FROM writes WHERE begun_at < ?").run(oldest);
        const known = oneWrite(db).get(caller, key);
        if (known !== undefined) return writeOf(known);
        db.prepare("INSERT INTO writes (caller, key, request, state, owner, begun_at) VALUES (?, ?, ?, 'begun', ?, ?)").run(
          caller,
          key,
          request,
          owner,
          begunAt,
        );
        return undefined;
      }),
    endWrite: ({ caller, key }: WriteId, owner: string, end: WriteEnd) =>
      change((db) => {
        if (end.state === "nothing") {
          db.prepare("DELETE FROM writes WHERE caller = ? AND key = ? AND owner = ? AND state = 'begun'").run(caller, key, owner);
          return;
        }
        const answer = end.state === "done" ? end.answer : null;
        db.prepare("UPDATE writes SET state = ?, answer = ? WHERE caller = ? AND key = ? AND owner = ? AND state = 'begun'").run(
          end.state,
          answer,
          caller,
          key,
          owner,
        );
      }),
  };
}

function oneWrite(db: Connection) {
  return db.prepare<[string, string], WriteRow>("SELECT * FROM writes WHERE caller = ? AND key = ?");
}
