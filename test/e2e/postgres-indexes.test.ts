import { describe, expect, it } from "vitest";
import { plansOf } from "../../runtime/main/context-store.ts";
import { connectors } from "../../runtime/main/index.ts";
import type { Queries } from "../../runtime/postgres/index.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { raw, sql } from "../../runtime/sql/index.ts";
import { newLeaseOwner } from "../../runtime/store/lease.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { layoutOf } from "../../runtime/store/postgres/tables/layout.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { withProcesses } from "./support/process.ts";

// What `test/runtime/store/postgres/indexes.test.ts` tests of the store, with `tenon work` as a process.

const plans = plansOf(connectors);
const collection = { connector: "github", instance: "github", entity: "users", scope: "user=octocat" };

describe.skipIf(!hasServer)("a worker that is asked to end while it makes the indexes of a first load", () => {
  it("ends at once with status 0, and the next one makes them", () =>
    withProcesses(async ({ platform, start, folder }) => {
      const place = await startOnServer();
      const database = place.open();
      // A first load that was cut off.
      const store = new PostgresStore({ database, plans, bulk: 1 });
      const owner = newLeaseOwner();
      await store.lease(collection, owner, 60);
      const records = [{ id: "first", login: "first" }];
      await store.save(collection, { records, checkpoint: { run: 1, full: true, step: 0 } });
      await store.lease(collection, owner, 0);
      await store.close();
      const { github } = plans;
      if (github?.["users"] === undefined) throw new Error("there is no plan for users");
      const layout = layoutOf("github", "users", github["users"]);
      const always = layout.indexes.filter(({ demand }) => demand === undefined);
      const state = async () => {
        const names = layout.indexes.map(({ name }) => name.slice(1, -1));
        const rows = await database.query<{ loading: boolean; complete: boolean; indexes: number }>(
          sql`SELECT loading, EXISTS (SELECT 1 FROM store_states WHERE entity = 'users' AND completed_at IS NOT NULL) AS complete,
              (SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indisvalid AND c.relname = ANY (${names}::text[])) AS indexes
            FROM store_entities WHERE name = 'github_users'`,
        );
        return rows[0];
      };
      const waits = sql`SELECT 1 FROM pg_locks WHERE relation = ${layout.records}::regclass AND NOT granted`;
      const patiently = { timeout: 100_000 };
      const isWaiting = () => expect.poll(async () => (await database.query(waits)).length > 0, patiently);
      const env = {
        ...{ GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url, GITHUB_GRAPHQL_URL: platform.graphqlUrl },
        ...{ TENON_DATABASE_URL: place.url ?? "", TENON_SECRET_KEY: "canary-secret-key-of-the-index-tests" },
        TENON_SYNC_SCOPES: collection.scope,
      };
      const interrupted = async (queries: Queries) => {
        // Whoever makes an index waits for the end of a change that has begun.
        await queries.run(raw(`LOCK TABLE ${layout.records} IN ROW EXCLUSIVE MODE`));
        const worker = start({ ...env, TENON_DATA_DIR: folder() }, ["work"]);
        await worker.told("/readyz");
        await isWaiting().toBe(true);
        worker.child.kill("SIGTERM");
        expect(await worker.exit).toBe(0);
        expect(worker.log().at(-1)).toMatchObject({ msg: "stopped", clean: true });
        await isWaiting().toBe(false);
      };
      await database.transaction(interrupted, { deadline: Number.POSITIVE_INFINITY });
      expect(await state()).toMatchObject({ loading: true, complete: true });
      const next = start({ ...env, TENON_DATA_DIR: folder() }, ["work"]);
      await expect.poll(async () => (await state())?.loading, patiently).toBe(false);
      expect(await state()).toEqual({ loading: false, complete: true, indexes: always.length });
      await next.told("/readyz");
      next.child.kill("SIGTERM");
      expect(await next.exit).toBe(0);
      await database.close();
      await place.close();
    }));
});
