import type { EntityStatus } from "../../sync/index.ts";
import { aligned } from "../output/terminal-text.ts";

const headings = ["scope", "entity", "records", "synced", "verified", "state", "next sync"] as const;

/** What is cached, as a table for people. Problems stand below it, each once. */
export function statusTable(all: readonly EntityStatus[]): string {
  if (all.length === 0) return "Nothing has been synced yet.\n";
  const rows = all.map(({ scope, entity, records, synced_at, verified_at, state, next_sync_at }) => [
    scope,
    entity,
    String(records),
    synced_at === null ? "never" : minute(synced_at),
    verified_at === null ? "never" : minute(verified_at),
    state,
    next_sync_at === null ? "" : minute(next_sync_at),
  ]);
  const problems = [...new Set(all.flatMap(({ scope, problem }) => (problem === null ? [] : [`${scope}: ${problem.message}`])))];
  const hidden = all.flatMap((one) => (one.hidden === 0 ? [] : [`${one.scope} ${one.entity}: ${hiddenText(one.hidden)}`]));
  const repeated = all.flatMap((one) =>
    one.repeated === 0 ? [] : [`${one.scope} ${one.entity}: ${repeatedText(one.repeated)}`],
  );
  const misfits = all.flatMap((one) => {
    const text = misfitText(one.misfits);
    return text === undefined ? [] : [`${one.scope} ${one.entity}: ${text}`];
  });
  const notes = [...problems, ...hidden, ...repeated, ...misfits];
  return `${[...aligned([headings, ...rows]), ...(notes.length === 0 ? [] : ["", ...notes])].join("\n")}\n`;
}

function hiddenText(parents: number): string {
  return `The platform forbids to read what belongs to ${parents === 1 ? "one record" : `${parents} records`}. The cache keeps what it has of that already.`;
}

/** What to say of records that came more than once in a sync, with different contents. */
export function repeatedText(records: number): string {
  return `${records === 1 ? "One record" : `${records} records`} came more than once with different contents; the last one is kept. A few are normal where a list changes while it is read. Many mean that different records have the same key.`;
}

/** The most fields that a line names. */
const mostFields = 10;

/** What to say of values that do not fit the spec; undefined where there are none. */
export function misfitText(misfits: EntityStatus["misfits"]): string | undefined {
  const fields = Object.entries(misfits).map(([field, count]) => `${field.replace(" ", " (")}): ${count}`);
  if (fields.length === 0) return undefined;
  const more = fields.length > mostFields ? ", and others" : "";
  return `The platform sent values that do not fit the spec, by field: ${fields.slice(0, mostFields).join(", ")}${more}. They are kept as they are.`;
}

/** A time to the minute: `2026-01-31 09:30Z`. */
function minute(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")}Z`;
}
