import Database from "better-sqlite3";

/** All that a store holds, by names instead of row numbers, without times and numbers of sync runs: equal for equal stores. */
export type Dump = Readonly<Record<string, readonly string[]>>;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Reads everything out of a file: records, words, counts, states, markers. */
export function dump(file: string): Dump {
  const db = new Database(file, { readonly: true });
  try {
    const tables: Record<string, string[]> = {};
    const add = (name: string, sql: string) => {
      tables[name] = db
        .prepare<[], unknown[]>(sql)
        .raw()
        .all()
        .map((row) => JSON.stringify(row))
        .sort();
    };
    const names = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    for (const narrow of names.filter((name) => name.endsWith(":find"))) {
      const entity = narrow.slice(0, -":find".length);
      const columns = db.pragma(`table_info(${quoted(narrow)})`) as { name: string }[];
      const own = columns.map(({ name }) => name).filter((name) => !["id", "inst"].includes(name));
      add(
        entity,
        `SELECT i.name, ${own.map((name) => `n.${quoted(name)}`).join(", ")}, w.* FROM (SELECT * FROM ${quoted(narrow)}) n
         LEFT JOIN (SELECT ${wideColumns(db, `${entity}:record`)} FROM ${quoted(`${entity}:record`)}) w ON w.row = n.id
         LEFT JOIN store_instances i ON i.id = n.inst`,
      );
      // Row numbers differ between two runs.
      tables[entity] = (tables[entity] ?? [])
        .map((text) => JSON.stringify((JSON.parse(text) as unknown[]).toSpliced(1 + own.length, 1)))
        .sort();
      const alone = `SELECT count(*) FROM ${quoted(`${entity}:record`)} w WHERE NOT EXISTS (SELECT 1 FROM ${quoted(narrow)} n WHERE n.id = w.id)`;
      add(`${entity}: records without a row`, alone);
      const members = quoted(`${entity}:member`);
      add(
        `${entity}: memberships`,
        `SELECT i.name, s.name, m.k, m.parent, m.relations, n.k FROM ${members} m LEFT JOIN store_scopes s ON s.id = m.scope
         LEFT JOIN store_instances i ON i.id = s.inst LEFT JOIN ${quoted(narrow)} n ON n.id = m.id`,
      );
      add(
        `${entity}: records with a wrong number of memberships`,
        `SELECT n.k FROM ${quoted(narrow)} n WHERE n.members <> (SELECT count(*) FROM ${members} m WHERE m.id = n.id) OR n.members = 0`,
      );
      for (const items of names.filter((name) => name.startsWith(`${entity}.`) && name.endsWith(":items")))
        add(
          `${entity} values of ${items}`,
          `SELECT v.inst, v.v, v.k, n.k FROM ${quoted(items)} v LEFT JOIN ${quoted(narrow)} n ON n.id = v.id AND n.k = v.k`,
        );
      for (const words of names.filter((name) => name.startsWith(`${entity}.`) && name.endsWith(":words"))) {
        const field = words.slice(`${entity}.`.length, -":words".length);
        db.exec(`CREATE VIRTUAL TABLE temp.vocab USING fts5vocab('main', ${quoted(words)}, 'instance')`);
        add(
          `${entity} words of ${field}`,
          `SELECT v.term, n.k, n.inst FROM temp.vocab v LEFT JOIN ${quoted(narrow)} n ON n.id = v.doc`,
        );
        db.exec("DROP TABLE temp.vocab");
        add(`${entity} vocabulary of ${field}`, `SELECT word FROM ${quoted(`${entity}.${field}:vocabulary`)}`);
      }
    }
    add("entities", "SELECT * FROM store_entities");
    add("indexes", "SELECT name FROM sqlite_schema WHERE type = 'index'");
    add(
      "counts",
      "SELECT i.name, c.entity, s.name, c.records FROM store_counts c JOIN store_instances i ON i.id = c.inst LEFT JOIN store_scopes s ON s.id = c.scope",
    );
    add(
      "states",
      `SELECT i.name, s.name, t.entity, t.checkpoint, t.newest, t.completed_at IS NOT NULL, t.full_at IS NOT NULL, t.problem
       FROM store_states t JOIN store_instances i ON i.id = t.inst JOIN store_scopes s ON s.id = t.scope`,
    );
    add(
      "markers",
      "SELECT i.name, s.name, m.entity, m.step, m.parent, m.marker, m.hidden FROM store_markers m JOIN store_scopes s ON s.id = m.scope JOIN store_instances i ON i.id = s.inst",
    );
    return tables;
  } finally {
    db.close();
  }
}

function wideColumns(db: Database.Database, table: string): string {
  const columns = db.pragma(`table_info(${quoted(table)})`) as { name: string }[];
  return columns.map(({ name }) => (name === "id" ? "id AS row" : quoted(name))).join(", ");
}

/** What SQLite and its index of words find wrong with a file. Needs that nobody else has it open. */
export function faultsOf(file: string): string[] {
  const db = new Database(file);
  try {
    const faults = (db.pragma("integrity_check") as { integrity_check: string }[]).map((row) => row.integrity_check);
    const indexes = db
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'")
      .pluck();
    for (const index of indexes.all())
      try {
        db.exec(`INSERT INTO ${quoted(index)} (${quoted(index)}) VALUES ('integrity-check')`);
      } catch (thrown) {
        faults.push(`${index}: ${String(thrown)}`);
      }
    return faults.filter((fault) => fault !== "ok");
  } finally {
    db.close();
  }
}
