import pg from "pg";

// What the values of a row become. The driver would make dates of the machine's time zone out of timestamps, texts out of integers, and
// objects out of JSON, in which numbers are rounded.

/** Object ids of types, from PostgreSQL's `pg_type.dat`. */
const oids = { int8: 20, json: 114, jsonb: 3802, int8s: 1016, date: 1082, timestamp: 1114, timestamptz: 1184 } as const;

const parsers = new Map<number, (text: string) => unknown>([
  [oids.int8, integer],
  [
    oids.int8s,
    (text) =>
      text === "{}"
        ? []
        : text
            .slice(1, -1)
            .split(",")
            .map((one) => (one === "NULL" ? null : integer(one))),
  ],
  ...[oids.json, oids.jsonb, oids.date, oids.timestamp, oids.timestamptz].map((oid): [number, (text: string) => unknown] => [
    oid,
    (text) => text,
  ]),
]);

/** For the driver's option `types`: a `bigint` becomes an exact number; JSON, dates and times stay the server's text. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") => {
    const own = format === "binary" ? undefined : parsers.get(oid);
    return own ?? pg.types.getTypeParser(oid, format as "text");
  },
};

function integer(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} of the database has no exact number.`);
  return value;
}
