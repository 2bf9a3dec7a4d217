import type { Connection } from "../../../sqlite/index.ts";
import { columnName, columnNamed, type Layout, quoted } from "./layout.ts";

/**
 * The tables of search by meaning, which all entities share. Every text of a semantic field is a row of `semantic_texts`; its version grows
 * when it changes. For each model, a text whose newest version is not embedded yet is in `semantic_queue`. Its passages are in
 * `semantic_passages`, and their codes, which a search reads all at once, in `semantic_codes`; `semantic_removed` tells the readers which
 * ones to forget. Triggers keep these tables in the same transaction as the records.
 */
export const semanticFormat = `
  CREATE TABLE semantic_models (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dims INTEGER NOT NULL, owner TEXT, until INTEGER NOT NULL, per_second REAL, problem TEXT);
  CREATE TABLE semantic_fields (id INTEGER PRIMARY KEY, inst INTEGER NOT NULL, entity TEXT NOT NULL, field TEXT NOT NULL, epoch INTEGER NOT NULL, UNIQUE (inst, entity, field));
  CREATE TABLE semantic_texts (id INTEGER PRIMARY KEY AUTOINCREMENT, field INTEGER NOT NULL, k TEXT NOT NULL, record INTEGER NOT NULL, version INTEGER NOT NULL, UNIQUE (field, k));
  CREATE TABLE semantic_queue (model INTEGER NOT NULL, field INTEGER NOT NULL, text INTEGER NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (model, field, text)) WITHOUT ROWID;
  CREATE TABLE semantic_indexes (model INTEGER NOT NULL, field INTEGER NOT NULL, passages INTEGER NOT NULL, ready INTEGER NOT NULL, PRIMARY KEY (model, field)) WITHOUT ROWID;
  CREATE TABLE semantic_passages (id INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL, field INTEGER NOT NULL, text INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, hash TEXT NOT NULL, vector BLOB NOT NULL);
  CREATE INDEX semantic_passages_text ON semantic_passages (text, model);
  CREATE TABLE semantic_codes (model INTEGER NOT NULL, field INTEGER NOT NULL, passage INTEGER NOT NULL, record INTEGER NOT NULL, code BLOB NOT NULL, PRIMARY KEY (model, field, passage)) WITHOUT ROWID;
  CREATE TABLE semantic_removed (id INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL, field INTEGER NOT NULL, passage INTEGER NOT NULL);

  CREATE TRIGGER semantic_text_new AFTER INSERT ON semantic_texts BEGIN
    INSERT INTO semantic_queue (model, field, text, version) SELECT id, NEW.field, NEW.id, NEW.version FROM semantic_models;
  END;
  CREATE TRIGGER semantic_text_changed AFTER UPDATE OF version ON semantic_texts BEGIN
    INSERT INTO semantic_queue (model, field, text, version) SELECT id, NEW.field, NEW.id, NEW.version FROM semantic_models WHERE TRUE
      ON CONFLICT (model, field, text) DO UPDATE SET version = excluded.version;
  END;
  CREATE TRIGGER semantic_text_moved AFTER UPDATE OF record ON semantic_texts WHEN OLD.record <> NEW.record BEGIN
    UPDATE semantic_fields SET epoch = epoch + 1 WHERE id = NEW.field;
    UPDATE semantic_codes SET record = NEW.record WHERE field = NEW.field AND model IN (SELECT id FROM semantic_models)
      AND passage IN (SELECT id FROM semantic_passages WHERE text = NEW.id);
  END;
  CREATE TRIGGER semantic_text_gone AFTER DELETE ON semantic_texts BEGIN
    DELETE FROM semantic_queue WHERE model IN (SELECT id FROM semantic_models) AND field = OLD.field AND text = OLD.id;
    DELETE FROM semantic_passages WHERE text = OLD.id;
  END;
  CREATE TRIGGER semantic_passage_new AFTER INSERT ON semantic_passages BEGIN
    INSERT INTO semantic_indexes (model, field, passages, ready) VALUES (NEW.model, NEW.field, 1, 0)
      ON CONFLICT (model, field) DO UPDATE SET passages = passages + 1;
  END;
  CREATE TRIGGER semantic_passage_gone AFTER DELETE ON semantic_passages BEGIN
    UPDATE semantic_indexes SET passages = passages - 1 WHERE model = OLD.model AND field = OLD.field;
    DELETE FROM semantic_codes WHERE model = OLD.model AND field = OLD.field AND passage = OLD.id;
    INSERT INTO semantic_removed (model, field, passage) VALUES (OLD.model, OLD.field, OLD.id);
  END;
  CREATE TRIGGER semantic_removed_long AFTER INSERT ON semantic_removed BEGIN
    DELETE FROM semantic_removed WHERE id <= NEW.id - 100000;
  END;
`;

/**
 * Makes the triggers that note each new, changed and removed text of an entity's semantic fields. It must be called when the entity's
 * tables have been made and are still empty.
 *
 * @param name the entity's name in the file
 * @param keep whether the records stay, so that their passages can stay too
 */
export function prepareSemantic(db: Connection, name: string, layout: Layout, keep: boolean): void {
  const old = db
    .prepare<{ name: string }, string>(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, length(@name) + 1) = @name || '.'",
    )
    .pluck()
    .all({ name });
  for (const trigger of old) db.exec(`DROP TRIGGER ${quoted(trigger)}`);
  const fields = Object.keys(layout.plan.semantic?.fields ?? {});
  const gone = db
    .prepare<[string], { id: number; field: string }>("SELECT id, field FROM semantic_fields WHERE entity = ?")
    .all(name)
    .filter(({ field }) => !keep || !fields.includes(field));
  for (const { id } of gone) {
    db.prepare<[number]>("DELETE FROM semantic_texts WHERE field = ?").run(id);
    db.prepare<[number]>("UPDATE semantic_indexes SET ready = 0 WHERE field = ?").run(id);
  }
  for (const field of fields) for (const trigger of triggersOf(name, field, layout)) db.exec(trigger);
}

/** The column with a field's text, and its table. */
export function textColumn(field: string, layout: Layout): { readonly table: string; readonly column: string } {
  const { kind } = columnNamed(layout, field);
  const column = kind === "key" ? "k" : quoted(columnName(field));
  return { table: kind === "wide" ? layout.wide : layout.narrow, column };
}

function triggersOf(name: string, field: string, layout: Layout): string[] {
  const { table, column } = textColumn(field, layout);
  const trigger = (when: string) => quoted(`${name}.${field}~${when}`);
  const entity = literal(name);
  const ofField = `entity = ${entity} AND field = ${literal(field)}`;
  const row = `FROM ${layout.narrow} n WHERE n.id = NEW.id`;
  return [
    `CREATE TRIGGER ${trigger("new")} AFTER INSERT ON ${table} BEGIN
       INSERT INTO semantic_fields (inst, entity, field, epoch) SELECT n.inst, ${entity}, ${literal(field)}, 0 ${row} ON CONFLICT DO NOTHING;
       INSERT INTO semantic_texts (field, k, record, version)
         SELECT f.id, n.k, n.id, 1 FROM ${layout.narrow} n JOIN semantic_fields f ON f.inst = n.inst AND f.${ofField.replace(" AND ", " AND f.")} WHERE n.id = NEW.id
         ON CONFLICT (field, k) DO UPDATE SET record = excluded.record, version = version + 1;
     END`,
    `CREATE TRIGGER ${trigger("changed")} AFTER UPDATE OF ${column} ON ${table} WHEN OLD.${column} IS NOT NEW.${column} BEGIN
       UPDATE semantic_texts SET version = version + 1
         WHERE field = (SELECT id FROM semantic_fields WHERE inst = (SELECT n.inst ${row}) AND ${ofField}) AND k = (SELECT n.k ${row});
     END`,
    `CREATE TRIGGER ${trigger("gone")} AFTER DELETE ON ${layout.narrow} BEGIN
       DELETE FROM semantic_texts WHERE field = (SELECT id FROM semantic_fields WHERE inst = OLD.inst AND ${ofField}) AND k = OLD.k;
     END`,
  ];
}

/** A text in SQL, for triggers, which take no parameters. Names come from specs, never from callers. */
function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
