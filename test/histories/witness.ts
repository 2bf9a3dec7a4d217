import { github } from "../../generated/github/index.ts";
import type { Database } from "../../runtime/postgres/index.ts";
import { raw, sql } from "../../runtime/sql/index.ts";
import { layoutOf } from "../../runtime/store/postgres/tables/layout.ts";
import type { Line } from "./history.ts";

// What the database itself saw: which process took which lease, and under which lease a record was written. Triggers note it in the
// transaction that did it, so that it is noted where this was committed, and only there.

/** The scope that workers sync. */
export const scope = "repository=octocat/hello-world";

const triggers = (records: string, title: string) => [
  "CREATE SCHEMA history",
  `CREATE TABLE history.noted (id bigint GENERATED ALWAYS AS IDENTITY, xid xid NOT NULL DEFAULT pg_current_xact_id()::xid,
    began timestamptz NOT NULL DEFAULT transaction_timestamp(), backend integer NOT NULL DEFAULT pg_backend_pid(),
    process text NOT NULL DEFAULT current_setting('application_name'), kind text NOT NULL, k text NOT NULL, value text, token bigint)`,
  `CREATE FUNCTION history.lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.scope IN ('', '${scope}') AND NEW.sync_group IN ('', 'issues') AND NEW.fencing_token > 0
        AND NEW.fencing_token IS DISTINCT FROM OLD.fencing_token THEN
      INSERT INTO history.noted (kind, k, token) VALUES ('lease', NEW.scope, NEW.fencing_token);
    END IF;
    RETURN NEW;
  END $$`,
  `CREATE FUNCTION history.written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.${title} IS DISTINCT FROM OLD.${title} THEN
      INSERT INTO history.noted (kind, k, value, token) SELECT 'write', NEW.k, NEW.${title}, max(fencing_token) FROM store_leases
        WHERE inst = NEW.inst AND scope IN ('', '${scope}') AND sync_group IN ('', 'issues');
    END IF;
    RETURN NEW;
  END $$`,
  "CREATE TRIGGER history_lease AFTER INSERT OR UPDATE ON store_leases FOR EACH ROW EXECUTE FUNCTION history.lease()",
  `CREATE TRIGGER history_written AFTER INSERT OR UPDATE ON ${records} FOR EACH ROW EXECUTE FUNCTION history.written()`,
];

/** Begins to note. The tables must be there. */
export async function installWitness(database: Database): Promise<void> {
  const { store } = github.entities["issues"] ?? {};
  const layout = store === undefined ? undefined : layoutOf(github.name, "issues", store);
  const title = layout?.columns.get("title")?.name;
  if (layout === undefined || title === undefined) throw new Error("issues have no title");
  for (const statement of triggers(layout.records, title)) await database.alone(raw(statement));
}

interface Noted {
  readonly backend: number;
  readonly process: string;
  readonly kind: "lease" | "write";
  readonly k: string;
  readonly value: string | null;
  readonly token: number | null;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly committed: number;
}

/**
 * The lines of what was noted since a number, and the leases under which that was written. A write takes effect at its commit at the
 * earliest, and has when its connection begins the next transaction, and now at the latest.
 *
 * @param isWanted whether a key is of this history
 * @param clock the time of a history in nanoseconds, of milliseconds since 1970
 */
export async function readWitness(
  database: Database,
  since: number,
  isWanted: (key: string) => boolean,
  clock: (ms: number) => number,
): Promise<Line[]> {
  const noted = await database.query<Noted>(
    sql`SELECT backend, process, kind, k, value, token::float8 AS token, extract(epoch FROM began)::float8 * 1000 AS began,
        extract(epoch FROM pg_xact_commit_timestamp(xid))::float8 * 1000 AS committed
      FROM history.noted
      WHERE id > ${since} OR (kind = 'lease' AND token IN (SELECT token FROM history.noted WHERE id > ${since} AND kind = 'write'))
      ORDER BY pg_xact_commit_timestamp(xid), id`,
  );
  const now = clock(performance.timeOrigin + performance.now());
  return noted.flatMap(({ backend, process, kind, k, value, token, committed }, id): Line[] => {
    if (token === null || (kind === "write" && !isWanted(k))) return [];
    const line = { process, id };
    const at = clock(committed);
    if (kind === "lease") {
      const operation = { kind, token } as const;
      return [
        { ...line, at, type: "begin", operation },
        { ...line, at, type: "done", operation },
      ];
    }
    const next = noted.find((other) => other.backend === backend && other.began > committed);
    const operation = { kind, key: k, value: value ?? "", token } as const;
    return [
      { ...line, at, type: "begin", operation },
      { ...line, at: Math.min(now, next === undefined ? now : clock(next.began)), type: "done", operation },
    ];
  });
}

/** The number of what was noted last. */
export async function lastNoted(database: Database): Promise<number> {
  const [last] = await database.query<{ id: number }>(sql`SELECT coalesce(max(id), 0)::float8 AS id FROM history.noted`);
  return last?.id ?? 0;
}
