import type { StoredWrite, WriteEnd, WriteId, WriteState } from "../write-store.ts";
import type { Change, Connection } from "./connection.ts";

interface WriteRow {
  readonly caller: string;
  readonly key: string;
  readonly request: string;
  readonly state: WriteState;
  readonly owner: string;
  readonly begun_at: number;
  readonly answer: string | null;
}

type Begun = Pick<StoredWrite, "caller" | "key" | "request" | "owner" | "begunAt">;

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
    beginWrite: ({ caller, key, request, owner, begunAt }: Begun, oldest: number) =>
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

function writeOf({ begun_at, ...row }: WriteRow): StoredWrite {
  return { ...row, begunAt: begun_at };
}
