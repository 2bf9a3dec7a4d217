import { randomBytes } from "node:crypto";
import { type ChangeKind, changeKinds } from "../../contract/index.ts";
import { changesOf, type Dialect, rowOf, rowsOf, sql, type Work } from "../../sql/index.ts";
import type { Change, ChangeNotes, ChangePage, ChangeRetention, ChangesQuery } from "../change-log.ts";
import type { StoreInstance } from "../store.ts";
import type { CollectionIds } from "./ledger.ts";

// The change log. Many changes make one row, a block, so that an initial load costs little. The counter of an instance stays locked from
// the moment when a block gets its sequence numbers until the commit: so the order of the numbers is the order of the commits, and a reader
// who has seen a number has seen all before it.

/** The most changes in a block. */
const blockSize = 200;
/** The most blocks that one call reads, and the most sequence numbers that it looks at. */
const blocksAtOnce = 100;
const window = 100_000;
/** The most sequence numbers that one transaction removes from the log. */
const trimAtOnce = 20_000;

interface Head {
  readonly log: string;
  readonly first: number;
  readonly next: number;
}

/** Where nothing was changed so far. */
const noLog: Head = { log: "", first: 0, next: 0 };

interface BlockRow extends Head {
  /** Null where the log has no block there. */
  readonly seq: number | null;
  readonly count: number;
  readonly entity: string;
  readonly scope: string;
  readonly kind: ChangeKind;
  readonly at: number;
  /** JSON of the keys. */
  readonly keys: string;
  /** JSON of the different lists of changed fields, and for each key the index of its own; null where the kind has none. */
  readonly fields: string | null;
}

/** The units of work of the change log, for an engine. Texts are given as they are stored. */
export function changeLogOf({ now, oneOf }: Dialect) {
  /** Takes sequence numbers. @returns the first of them */
  function* takeNumbers(inst: number, count: number): Work<number> {
    const head = yield* rowOf<{ next: number }>(
      sql`INSERT INTO store_change_heads AS h (inst, log, first, next) VALUES (${inst}, ${randomBytes(6).toString("hex")}, 0, ${count})
        ON CONFLICT (inst) DO UPDATE SET next = h.next + excluded.next RETURNING next`,
    );
    return (head?.next ?? count) - count;
  }

  return {
    /**
     * Writes what the caller's transaction has changed in a collection. The caller changes records before it, because other transactions
     * that change records of the instance wait from then on.
     */
    *logChanges({ inst, scope, entity }: CollectionIds, notes: ChangeNotes): Work<void> {
      // A record is created before it is updated, and updated before it is deleted.
      for (const kind of changeKinds) {
        const changes = notes.of(kind);
        for (let from = 0; from < changes.length; from += blockSize) {
          const block = changes.slice(from, from + blockSize);
          const seq = yield* takeNumbers(inst, block.length);
          yield* changesOf(
            sql`INSERT INTO store_change_blocks (inst, seq, count, entity, scope, kind, at, keys, fields)
              SELECT ${inst}, ${seq}, ${block.length}, ${entity}, s.name, ${kind}, ${now()}, ${JSON.stringify(block.map(({ key }) => key))},
                CAST(${kind === "updated" ? packedFields(block) : null} AS text)
              FROM store_scopes s WHERE s.inst = ${inst} AND s.id = ${scope}`,
          );
        }
      }
    },

    /** Removes the oldest changes, as far as they need not be kept. */
    *trimChanges(inst: number, { time, entries }: ChangeRetention): Work<void> {
      const of = sql`inst = ${inst}`;
      const head = yield* rowOf<Head>(sql`SELECT log, first, next FROM store_change_heads WHERE ${of}`);
      if (head === undefined) return;
      const kept = yield* rowOf<{ seq: number }>(
        sql`SELECT seq FROM store_change_blocks WHERE ${of} AND seq + count > ${head.next - entries} AND at >= ${now()} - ${time} ORDER BY seq LIMIT 1`,
      );
      const first = Math.min(kept?.seq ?? head.next, head.first + trimAtOnce);
      if (first <= head.first) return;
      yield* changesOf(sql`DELETE FROM store_change_blocks WHERE ${of} AND seq + count <= ${first}`);
      yield* changesOf(sql`UPDATE store_change_heads SET first = ${first} WHERE ${of} AND first < ${first}`);
    },

    /** Makes all readers start anew: the records were changed by something that the log does not have. */
    *breakLog(inst: number): Work<void> {
      const next = (yield* takeNumbers(inst, 1)) + 1;
      yield* changesOf(sql`UPDATE store_change_heads SET first = ${next} WHERE inst = ${inst}`);
      yield* changesOf(sql`DELETE FROM store_change_blocks WHERE inst = ${inst}`);
    },

    /** Removes the log of an instance. */
    *removeLog(inst: number): Work<void> {
      yield* changesOf(sql`DELETE FROM store_change_blocks WHERE inst = ${inst}`);
      yield* changesOf(sql`DELETE FROM store_change_heads WHERE inst = ${inst}`);
    },

    /** Reads a part of the log. One statement reads the counter and the blocks, so that both are of one moment. */
    *readChanges({ connector, instance }: StoreInstance, { from, limit, entities }: ChangesQuery): Work<ChangePage> {
      const counter = sql`store_instances i JOIN store_change_heads h ON h.inst = i.id`;
      const own = sql`i.connector = ${connector} AND i.name = ${instance}`;
      if (entities?.length === 0) {
        // Every process looks several times a second whether there is something to deliver.
        const head = yield* rowOf<Head>(sql`SELECT h.log, h.first, h.next FROM ${counter} WHERE ${own}`);
        const { log, first, next } = head ?? noLog;
        return { log, first, next, changes: [], position: Math.min(next, from + window) };
      }
      const rows = yield* rowsOf<BlockRow>(
        sql`SELECT h.log, h.first, h.next, b.seq, b.count, b.entity, b.scope, b.kind, b.at, b.keys, b.fields
          FROM ${counter}
          LEFT JOIN store_change_blocks b ON b.inst = h.inst AND b.seq > ${from - blockSize} AND b.seq < ${from + window}
            AND b.seq + b.count > ${from} AND ${entities === null ? sql`TRUE` : oneOf("b.entity", entities)}
          WHERE ${own} ORDER BY b.seq LIMIT ${blocksAtOnce}`,
      );
      const { log, first, next } = rows[0] ?? noLog;
      const changes = rows.flatMap(changesIn).filter(({ sequence }) => sequence >= from);
      const last = changes[limit - 1] ?? (rows.length < blocksAtOnce ? undefined : changes.at(-1));
      const end = Math.max(from + window, (changes.at(-1)?.sequence ?? 0) + 1);
      const position = last === undefined ? Math.min(next, end) : last.sequence + 1;
      return { log, first, next, changes: changes.slice(0, limit), position };
    },
  };
}

function packedFields(block: readonly { readonly fields: readonly string[] }[]): string {
  const lists = new Map<string, number>();
  const indexes = block.map(({ fields }) => {
    const list = JSON.stringify(fields);
    const index = lists.get(list) ?? lists.size;
    lists.set(list, index);
    return index;
  });
  return `[[${[...lists.keys()].join()}],${JSON.stringify(indexes)}]`;
}

function changesIn({ seq, entity, scope, kind, at, keys, fields }: BlockRow): Change[] {
  if (seq === null) return [];
  const [lists, indexes] = fields === null ? [[], []] : (JSON.parse(fields) as [string[][], number[]]);
  return (JSON.parse(keys) as string[]).map((key, index) => {
    const own = lists[indexes[index] ?? 0] ?? [];
    return { sequence: seq + index, entity, key, scope, kind, fields: own, at };
  });
}
