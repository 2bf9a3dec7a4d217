import type pg from "pg";
import type { Database, Queries } from "../../runtime/postgres/index.ts";
import type { Sql } from "../../runtime/sql/index.ts";
import { statementOf } from "../../runtime/sql/index.ts";

/** A database that remembers the statements of the last transaction. */
export interface RecordingDatabase extends Database {
  readonly statements: readonly Sql[];
}

/** @param seen is called with every statement */
export function recording(database: Database, seen: (statement: Sql) => void = () => undefined): RecordingDatabase {
  let statements: Sql[] = [];
  const remembering = (queries: Queries): Queries => ({
    query: (statement) => {
      seen(statement);
      statements.push(statement);
      return queries.query(statement);
    },
    each: (statement, make) => {
      seen(statement);
      statements.push(statement);
      return queries.each(statement, make);
    },
    run: (statement) => {
      seen(statement);
      return queries.run(statement);
    },
  });
  return {
    get statements() {
      return statements;
    },
    connections: database.connections,
    query: (statement, options) => {
      seen(statement);
      return database.query(statement, options);
    },
    run: (statement, options) => {
      seen(statement);
      return database.run(statement, options);
    },
    alone: (statement, options) => database.alone(statement, options),
    transaction: (work, options) => {
      statements = [];
      return database.transaction((queries) => work(remembering(queries)), options);
    },
    close: () => database.close(),
  };
}

const longestLine = 180;

/** What `EXPLAIN (ANALYZE, BUFFERS)` says of the statements of a search, without those that read what is noted of the entity. */
export async function plansOf(client: pg.Client, statements: readonly Sql[]): Promise<string> {
  const parts: string[] = [];
  for (const statement of statements) {
    const { text, values } = statementOf(statement);
    if (/FROM store_entities/.test(text)) continue;
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN (ANALYZE, BUFFERS) ${text}`, values);
    parts.push(...rows.map((row) => `  ${row["QUERY PLAN"].slice(0, longestLine)}`));
  }
  return parts.join("\n");
}
