import type { Queries } from "../../../postgres/index.ts";
import { sql } from "../../../sql/index.ts";

/** Whether indexes of trigrams can be made. They are looked for as statements find them: an extension may be in a schema out of sight. */
export async function canHaveTrigrams(queries: Pick<Queries, "query">): Promise<boolean> {
  const [row] = await queries.query<{ can: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM pg_opclass WHERE opcname = 'gin_trgm_ops' AND pg_opclass_is_visible(oid))
      AND EXISTS (SELECT 1 FROM pg_opclass c JOIN pg_am a ON a.oid = c.opcmethod
        WHERE a.amname = 'gin' AND c.opcintype = 'integer'::regtype AND c.opcdefault) AS can`,
  );
  return row?.can === true;
}
