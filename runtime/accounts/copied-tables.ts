import { hash } from "node:crypto";

// What a copy of the accounts from one store to another consists of. The tables have the same columns in every store.

/** A table, with its columns. The first ones, as many as `keys` says, are the key, by which the rows are ordered. */
export interface CopiedTable {
  readonly name: string;
  readonly keys: number;
  readonly columns: readonly string[];
}

/** In an order in which no row refers to one of a later table. */
export const copiedTables: readonly CopiedTable[] = [
  {
    name: "callers",
    keys: 1,
    columns: ["id", "kind", "name", "grant", "created_at", "expires_at", "revoked_at", "last_used_at"],
  },
  { name: "secrets", keys: 1, columns: ["id", "caller", "hash", "key_id", "created_at", "expires_at"] },
  {
    name: "instances",
    keys: 1,
    columns: [
      ...["id", "connector", "workspace", "organization", "rest", "graphql", "variables", "credential"],
      ...["scopes", "minutes", "created_at", "removed_at", "version"],
    ],
  },
  { name: "tokens", keys: 1, columns: ["instance", "tokens", "owner", "until"] },
  { name: "writes", keys: 2, columns: ["caller", "key", "request", "state", "owner", "begun_at", "answer"] },
  { name: "told", keys: 2, columns: ["instance", "scope", "at"] },
  { name: "deliveries", keys: 2, columns: ["instance", "id", "at"] },
  {
    name: "hints",
    keys: 5,
    columns: ["instance", "scope", "entity", "kind", "key", "params", "version", "at", "due_at", "tries"],
  },
  {
    name: "proposals",
    keys: 1,
    columns: [
      ...["id", "caller", "request", "head", "hash", "state", "created_at", "expires_at"],
      ...["decided_by", "decided_at", "owner", "outcome"],
    ],
  },
  { name: "proposal_contents", keys: 1, columns: ["id", "content"] },
  {
    name: "subscriptions",
    keys: 1,
    columns: [
      ...["id", "caller", "instance", "content", "secrets", "state", "reason", "log", "position", "replay_from", "replay_to"],
      ...[
        "created_at",
        "expires_at",
        "failures",
        "failing_since",
        "due_at",
        "last_at",
        "last_outcome",
        "version",
        "token",
        "until",
      ],
    ],
  },
  {
    name: "audit",
    keys: 1,
    columns: ["number", "at", "caller", "action", "target", "outcome", "request_id", "intent", "times", "fields"],
  },
];

export type CopiedValue = string | number | null;
/** The values of a row in the order of the columns. */
export type CopiedRow = readonly CopiedValue[];

/** Access to the tables of one store. */
export interface TableAccess {
  /** Rows after a key, at most so many, in the order of the key; from the beginning without a key. */
  read(table: CopiedTable, after: CopiedRow | undefined, limit: number): Promise<CopiedRow[]>;
  /** Stores rows, in the place of those with the same keys. All of them are stored, or none. */
  write(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  close(): Promise<void>;
}

export interface TableSum {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 over all rows in their order. */
  readonly checksum: string;
}

export interface CopyResult {
  readonly from: TableSum;
  readonly to: TableSum;
  /** Rows that had to be written, because they were not there yet, or other ones. */
  readonly written: number;
}

const rowsAtOnce = 500;

/**
 * Copies all tables from one store to another. What is there already is compared and not written again, so a copy that was cut off goes
 * on where it was. In the end both are read again, and counted and summed.
 *
 * @param onProgress called after some rows of a table
 */
export async function copyTables(
  from: TableAccess,
  to: TableAccess,
  onProgress: (table: string, rows: number) => void,
): Promise<CopyResult[]> {
  const results: CopyResult[] = [];
  for (const table of copiedTables) {
    let done = 0;
    let written = 0;
    for (let after: CopiedRow | undefined; ; ) {
      const [rows, others] = await Promise.all([from.read(table, after, rowsAtOnce), to.read(table, after, rowsAtOnce)]);
      if (rows.length === 0) break;
      const there = new Set(others.map((row) => JSON.stringify(row)));
      const missing = rows.filter((row) => !there.has(JSON.stringify(row)));
      if (missing.length > 0) await to.write(table, missing);
      done += rows.length;
      written += missing.length;
      onProgress(table.name, done);
      after = keyOf(table, rows);
    }
    results.push({ from: await sumOf(from, table), to: await sumOf(to, table), written });
  }
  return results;
}

/** The key of the last row. */
function keyOf({ keys }: CopiedTable, rows: readonly CopiedRow[]): CopiedRow | undefined {
  return rows.at(-1)?.slice(0, keys);
}

async function sumOf(access: TableAccess, table: CopiedTable): Promise<TableSum> {
  let checksum = "";
  let rows = 0;
  for (let after: CopiedRow | undefined; ; ) {
    const page = await access.read(table, after, rowsAtOnce);
    if (page.length === 0) return { table: table.name, rows, checksum };
    rows += page.length;
    for (const row of page) checksum = hash("sha256", checksum + JSON.stringify(row), "hex");
    after = keyOf(table, page);
  }
}
