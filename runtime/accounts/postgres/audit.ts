import { type Database, sql } from "../../postgres/index.ts";
import { type AuditRow, auditEntryOf, mostForgotten } from "../audit-rows.ts";
import type { AuditStore } from "../audit-store.ts";
import { storable } from "./storable.ts";

/** The audit log. */
export function auditQueries(ready: () => Promise<Database>): AuditStore {
  return {
    audit: async (entries) => {
      const column = <Name extends keyof (typeof entries)[number]>(name: Name) => entries.map((entry) => entry[name]);
      const texts = (name: "caller" | "action" | "target" | "outcome" | "requestId" | "intent") => column(name).map(storable);
      await (await ready()).transaction(async (queries) => {
        // Numbers are given before the commit. So that nobody who reads the log from a number on misses an entry that is committed later,
        // one process at a time adds entries.
        await queries.query(sql`SELECT pg_advisory_xact_lock(hashtext('account_audit'))`);
        await queries.run(
          sql`INSERT INTO account_audit (at, caller, action, target, outcome, request_id, intent)
            SELECT at, caller, action, target, outcome, request_id, intent
            FROM unnest(${column("at")}::bigint[], ${texts("caller")}::text[], ${texts("action")}::text[], ${texts("target")}::text[],
              ${texts("outcome")}::text[], ${texts("requestId")}::text[], ${texts("intent")}::text[]) WITH ORDINALITY
              AS entry (at, caller, action, target, outcome, request_id, intent, place)
            ORDER BY place`,
        );
      });
    },
    audited: async (after, since, limit) => {
      const find = sql`SELECT * FROM account_audit WHERE number > ${after} AND at >= ${since} ORDER BY number LIMIT ${limit}`;
      return (await (await ready()).query<AuditRow>(find)).map(auditEntryOf);
    },
    lastAudited: async (limit) => {
      const find = sql`SELECT * FROM account_audit ORDER BY number DESC LIMIT ${limit}`;
      return (await (await ready()).query<AuditRow>(find)).map(auditEntryOf);
    },
    forgetAudit: async (before) => {
      const old = sql`SELECT number FROM account_audit WHERE at < ${before} ORDER BY at LIMIT ${mostForgotten}`;
      return (await (await ready()).run(sql`DELETE FROM account_audit WHERE number IN (${old})`)) === mostForgotten;
    },
  };
}
