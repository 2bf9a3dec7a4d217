import fc from "fast-check";
import { statements } from "./grammar.ts";

// What somebody sends who wants more than the rows that are theirs.

const pieces = [
  "; DROP TABLE events",
  "; SELECT 1",
  "-- ",
  "/*",
  "*/",
  "/*! 1 */",
  "'",
  '"',
  "''",
  "\\'",
  "$$",
  "$x$",
  "E'\\x27'",
  "U&'\\0027'",
  'U&"\\0022"',
  "(",
  ")",
  ",",
  "$1",
  "?",
  ":x",
  "\0",
  "\ud800",
  " OR 1=1",
  " UNION ALL SELECT title FROM things",
  " UNION SELECT sql FROM sqlite_schema",
  " UNION SELECT usename FROM pg_user",
  ' UNION SELECT k FROM "test_events:find"',
  '"test_events:record"',
  "store_instances",
  "pg_catalog.pg_class",
  "information_schema.tables",
  "public.events",
  "two.events",
  "main.sqlite_schema",
  "things",
  "EVENTS",
  "events.*",
  "json_each('[1]')",
  "pragma_table_info('events')",
  "generate_series(1, 1000000000)",
  "pg_sleep(10)",
  "pg_read_file('/etc/passwd')",
  "lo_import('/etc/passwd')",
  "load_extension('x')",
  "readfile('/etc/passwd')",
  "current_setting('data_directory')",
  "set_config('role', 'postgres', false)",
  "query_to_xml('SELECT 1', true, true, '')",
  "dblink('x', 'y')",
  "version()",
  "current_user",
  "repeat('x', 1000000000)",
  "lpad('x', 1000000000)",
  "'events'::regclass",
  "::regclass::text",
  "::bytea",
  "ctid",
  "xmin",
  "rowid",
  "tableoid",
  "oid",
  "inst",
  "e1.inst",
  'e1."at:"',
  ' COLLATE "x"',
  " INTO OUTFILE 'x'",
  " FOR UPDATE",
  " TABLESAMPLE SYSTEM (1)",
  " WITH ORDINALITY",
  "LATERAL (SELECT 1)",
  " OPERATOR(pg_catalog.+) ",
  " ARRAY[1]",
  " ROW(1)",
  " IS DOCUMENT",
  " AT TIME ZONE 'UTC'",
  " WITH RECURSIVE r AS (SELECT 1) ",
  " LIMIT ALL",
  " LIMIT (SELECT 1)",
  " GROUP BY ROLLUP (1)",
  ' AS "x""; DROP TABLE x --"',
  ' AS "t1.inst"',
  "'; DROP TABLE events; --'",
] as const;

const whole = [
  "",
  ";",
  "COPY events TO '/tmp/x'",
  "COPY (SELECT 1) TO PROGRAM 'id'",
  "ATTACH '/etc/passwd' AS x",
  "PRAGMA database_list",
  "VACUUM INTO '/tmp/x'",
  "DO $$ BEGIN PERFORM pg_sleep(10); END $$",
  "EXPLAIN ANALYZE SELECT 1",
  "SET ROLE postgres",
  "RESET ALL",
  "BEGIN",
  "PREPARE x AS SELECT 1",
  "EXECUTE x",
  "LISTEN x",
  "TABLE things",
  "VALUES (1)",
  "SELECT * FROM things",
  'SELECT * FROM "things"',
  "WITH x AS (DELETE FROM events RETURNING *) SELECT * FROM x",
  "INSERT INTO events (id) VALUES ('x')",
  "UPDATE events SET title = 'x'",
  "SELECT title INTO x FROM events",
  "CREATE TABLE x AS SELECT 1",
  `SELECT ${"(".repeat(500)}1${")".repeat(500)}`,
  `SELECT ${"NOT ".repeat(5_000)}true`,
  `SELECT ${"round(".repeat(60)}1${")".repeat(60)}`,
  `SELECT ${"lower(upper(".repeat(30)}title${"))".repeat(30)} FROM events`,
  `SELECT ${"-".repeat(1)} 1${" + 1".repeat(2_000)}`,
  `SELECT '${"x".repeat(1_000_000)}'`,
  `SELECT '${"x".repeat(60_000)}' || '${"y".repeat(5_000)}'`,
  `SELECT 1 WHERE 1 IN (${"1, ".repeat(4_000)}1)`,
  `SELECT ${"a".repeat(60_000)}`,
  `SELECT 1${" UNION ALL SELECT 1".repeat(200)}`,
  `SELECT * FROM ${Array.from({ length: 30 }, (_, index) => `events e${index}`).join(", ")}`,
  `SELECT count(*) FROM ${Array.from({ length: 14 }, (_, index) => `events e${index}`).join(", ")}`,
  `WITH a AS (SELECT 'x' AS x), ${Array.from({ length: 7 }, (_, index) => `${"bcdefghij"[index]} AS (SELECT x || x || x || x || x || x || x || x AS x FROM ${"abcdefghi"[index]})`).join(", ")} SELECT length(x) FROM h`,
] as const;

/** A statement of the grammar in which pieces stand that do not belong there, or of which parts are missing. */
const mutated: fc.Arbitrary<string> = fc
  .tuple(
    statements,
    fc.array(
      fc.tuple(
        fc.constantFrom("put", "put", "replace", "cut", "twice"),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(...pieces),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  )
  .map(([statement, changes]) =>
    changes.reduce((text, [how, where, piece]) => {
      // Between words, where a change is more likely to be read as SQL.
      const words = text.split(/(?<=[\s(),])|(?=[\s(),])/);
      const at = Math.floor(where * words.length);
      const [before, after] = [words.slice(0, at), words.slice(at)];
      if (how === "put") return [...before, piece, ...after].join("");
      if (how === "replace") return [...before, piece, ...after.slice(1)].join("");
      if (how === "cut") return [...before, ...after.slice(3)].join("");
      return [...before, ...after.slice(0, 4), ...after].join("");
    }, statement),
  );

/** Pieces where a value, a name, or an alias stands in a short statement, so that many get through. */
const placed: fc.Arbitrary<string> = fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...pieces)).chain(([one, other]) => {
  const text = `'${one.replaceAll("'", "''")}'`;
  const name = `"${other.replaceAll('"', '""')}"`;
  return fc.constantFrom(
    `SELECT ${one} FROM events`,
    `SELECT id FROM ${one}`,
    `SELECT id FROM events WHERE ${one} = 1`,
    `SELECT id FROM events e1 WHERE title = ${one}`,
    `SELECT ${text} AS ${name} FROM events`,
    `SELECT title AS ${name} FROM events AS ${name} ORDER BY ${name}`,
    `SELECT replace(title, ${text}, ${text}) FROM events WHERE title LIKE ${text} OR ${text} = ANY(labels)`,
    `WITH ${name} (${name}) AS (SELECT title FROM events) SELECT ${name} FROM ${name}`,
    `SELECT string_agg(title, ${text} ORDER BY id) OVER ${name} FROM events WINDOW ${name} AS (ORDER BY id)`,
    `SELECT string_agg(title, ${text}), count(*) AS ${name} FROM events GROUP BY title || ${text}`,
    `SELECT date_trunc(${text}, opened_at), extract(${name} FROM opened_at) FROM events`,
    `SELECT ${text}::${name}, cast(title AS ${name}) FROM events`,
    `SELECT l AS ${name} FROM events, unnest(labels) AS u(l) WHERE l <> ${text}`,
  );
});

export const hostileStatements: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: mutated, weight: 5 },
  { arbitrary: placed, weight: 4 },
  { arbitrary: fc.constantFrom(...whole), weight: 1 },
);
