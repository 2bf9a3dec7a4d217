import Database from "better-sqlite3";

/**
 * What the index for search by meaning holds, without the numbers that the order of the changes decides: equal for equal indexes.
 *
 * @param entity the name of the entity in the file: connector, underscore, entity
 */
export function semanticContent(file: string, entity: string) {
  const db = new Database(file, { readonly: true });
  try {
    const passages = db
      .prepare(
        `SELECT t.k, p.start, p.stop, p.hash, hex(p.vector) AS vector, hex(c.code) AS code, c.record = t.record AS moved, n.id = t.record AS linked
         FROM semantic_passages p JOIN semantic_texts t ON t.id = p.text JOIN semantic_codes c ON c.model = p.model AND c.field = p.field AND c.passage = p.id
         JOIN "${entity}:find" n ON n.k = t.k ORDER BY t.k, p.start`,
      )
      .all();
    const counts = db
      .prepare(
        `SELECT (SELECT count(*) FROM semantic_passages) AS passages, (SELECT count(*) FROM semantic_codes) AS codes, (SELECT count(*) FROM semantic_queue) AS waiting,
           (SELECT count(*) FROM semantic_texts) AS texts, (SELECT coalesce(sum(passages), 0) FROM semantic_indexes) AS counted`,
      )
      .get();
    return { passages, counts };
  } finally {
    db.close();
  }
}

/** How many rows of search by meaning a file has. */
export function semanticRows(file: string) {
  const db = new Database(file, { readonly: true });
  const count = (table: string) => Number(db.prepare(`SELECT count(*) FROM semantic_${table}`).pluck().get());
  try {
    return { passages: count("passages"), queue: count("queue"), indexes: count("indexes"), models: count("models") };
  } finally {
    db.close();
  }
}
