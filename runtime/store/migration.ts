import { grouped } from "../base/grouped.ts";

/** What was done to the tables of an entity when a process with its plan opened the store. */
export type Migration = "made" | "rebuilt" | "emptied";

/** Records between two messages of how far new tables are. */
export const messageEvery = 10_000;

/** Says how many records of an entity were copied to new tables. */
export function copiedText(copied: number, entity: string): string {
  return `copied ${grouped(copied)} records of ${entity} to new tables`;
}
