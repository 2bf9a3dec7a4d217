import { TenonError } from "../base/errors.ts";
import { sql } from "../sql/index.ts";
import type { Queries } from "./database.ts";

/** The oldest version of PostgreSQL that has everything that the statements of the stores use. */
const oldestVersion = 15;

interface ServerRow {
  readonly version: number;
  readonly encoding: string;
}

/**
 * Refuses a database before anything is made in it.
 *
 * @throws TenonError `store_unusable` for a server that is too old, and for a database that cannot hold all texts
 */
export async function checkRequirements(queries: Pick<Queries, "query">): Promise<void> {
  const [server] = await queries.query<ServerRow>(
    sql`SELECT current_setting('server_version_num')::integer / 10000 AS version, current_setting('server_encoding') AS encoding`,
  );
  if (server === undefined) return;
  const { version, encoding } = server;
  if (version < oldestVersion)
    throw new TenonError(
      "store_unusable",
      `The server runs PostgreSQL ${version}, and Tenon needs version ${oldestVersion} or a newer one.`,
    );
  if (encoding !== "UTF8")
    throw new TenonError(
      "store_unusable",
      `The database has the encoding ${encoding}, and Tenon needs UTF8, because texts may have any character. Make another database with createdb --encoding=UTF8 --template=template0.`,
    );
}
