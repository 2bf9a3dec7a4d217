import type { Connection } from "../../../sqlite/index.ts";
import { sqliteAggregates, sqliteFunctions } from "../../../statement/index.ts";

// The binding has no authorizer, and the one of Node belongs to another copy of SQLite, which must not have the same file open. But the
// engine shows the program that it has made of a statement: which tables it opens, and which functions it calls.

/** Functions of SQLite that statements use. */
const ownFunctions =
  "abs avg coalesce count cume_dist dense_rank first_value held_value json_array_length json_group_array lag last_value lead max min ntile nullif percent_rank percentile_cont percentile_disc random rank row_number sqrt sum typeof unixepoch watch_rows";
const allowedFunctions = new Set([...ownFunctions.split(" "), ...Object.keys(sqliteFunctions), ...Object.keys(sqliteAggregates)]);

interface Step {
  readonly opcode: string;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string | null;
}

/**
 * Checks that a statement reads these tables only, calls known functions only, and changes nothing: whatever was overlooked before, the
 * engine does not run it.
 *
 * @param tables quoted names
 * @param values as many as the statement has parameters
 * @throws Error, which is a fault of this program and not of the caller
 */
export function checkProgram(db: Connection, text: string, values: readonly unknown[], tables: readonly string[]): void {
  if (!db.prepare(text).readonly) throw new Error("A statement would change something.");
  const roots = db.prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name = ?").pluck();
  const pages = new Set(tables.flatMap((name) => roots.all(name.slice(1, -1).replaceAll('""', '"'))));
  const steps = (sql: string, given: readonly unknown[]) => db.prepare(`EXPLAIN ${sql}`).all(...given) as Step[];
  // The engine shows a virtual table by its place in memory alone.
  const [list] = steps("SELECT 1 FROM json_each('[]')", []).filter(({ opcode }) => opcode === "VOpen");
  for (const { opcode, p2, p3, p4 } of steps(text, values)) {
    const isForeign =
      ((opcode === "OpenRead" || opcode === "ReopenIdx") && (p3 !== 0 || !pages.has(p2))) ||
      (opcode === "VOpen" && p4 !== list?.p4) ||
      (/^(?:Function|PureFunc|Agg)/.test(opcode) && !allowedFunctions.has((p4 ?? "").replace(/\(.*/, "")));
    if (isForeign) throw new Error(`A statement would run ${opcode} ${p4 ?? p2}.`);
  }
}
