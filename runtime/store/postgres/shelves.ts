import { TenonError } from "../../base/errors.ts";
import { checkVersion, type Queries, sql } from "../../postgres/index.ts";
import { type EntityId, entityName } from "../catalogue.ts";
import type { Layout } from "./layout.ts";
import { recordSchema } from "./schema.ts";
import type { Target } from "./target.ts";

/**
 * Locks an entity of an instance for a transaction that writes to it.
 *
 * @throws TenonError `store_unusable` when another process has made tables for another plan, or all tables newer ones
 */
export async function openShelf(
  queries: Queries,
  entity: EntityId,
  layout: Layout,
  inst: number,
): Promise<Pick<Target, "turn" | "made">> {
  const [known] = await queries.query<{ version: string; made: string }>(
    // The row is written only when tables are made.
    sql`SELECT version, xmin::text AS made FROM store_entities WHERE name = ${entityName(entity)} FOR SHARE`,
  );
  if (known?.version !== layout.version) throw anotherSpec(entity.entity);
  // A newer process may have given the tables a meaning that this one does not know.
  await checkVersion(queries, recordSchema);
  const [shelf] = await queries.query<{ turn: number }>(
    sql`INSERT INTO store_shelves AS s (inst, entity, turn) VALUES (${inst}, ${entity.entity}, 1)
      ON CONFLICT (inst, entity) DO UPDATE SET turn = s.turn + 1 RETURNING turn`,
  );
  return { turn: shelf?.turn ?? 0, made: known.made };
}

/**
 * The error for an entity that another process with another spec has taken over. The tables are those of the process that started later;
 * this process must neither write to them nor read from them.
 */
export function anotherSpec(entity: string): TenonError {
  return new TenonError(
    "store_unusable",
    `The database has tables of ${entity} that were made for another version of the spec; restart this process.`,
  );
}
