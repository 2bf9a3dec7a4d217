import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { type Database, openDatabase } from "../../runtime/postgres/index.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { raw, sql } from "../../runtime/sql/index.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { Records } from "../bench/search-records.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { bash, type Running, withProcesses } from "./support/process.ts";
import { executePath, pause } from "./support/service.ts";

// The steps of the page "Upgrade", with two services that are searched all the time. TENON_TEST_UPGRADE_RECORDS=120000 makes it large.

const size = Number(process.env["TENON_TEST_UPGRADE_RECORDS"] ?? 3_000);
const page = readFileSync(new URL("../../runtime/site/text/upgrade.md", import.meta.url), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm"))].map(([, text = ""]) => text);
const commands = blocks("sh")
  .flatMap((block) => block.split("\n"))
  .filter((line) => line.includes("tenon.js"));
const generated = fileURLToPath(new URL("../../generated/index.ts", import.meta.url));
const apiKey = "key-of-the-operator-of-this-test";

/** The entities of the old version: of issues, it cannot search who wrote them. */
const { issues } = github.entities;
const { authorLogin: _, ...fewer } = issues?.store.fields ?? {};

describe.skipIf(!hasServer)("the steps of the page Upgrade", () => {
  const mark = randomBytes(4).toString("hex");
  const named = (text: string) =>
    text.replaceAll(/\btenon_(owner|service)\b/g, `tenon_$1_${mark}`).replaceAll(/\bDATABASE tenon\b/g, `DATABASE tenon_${mark}`);
  let place: Awaited<ReturnType<typeof startOnServer>>;
  let admin: Database;
  beforeAll(async () => {
    place = await startOnServer();
    admin = place.open();
  });
  afterAll(async () => {
    await admin.alone(raw(`DROP DATABASE IF EXISTS tenon_${mark} WITH (FORCE)`));
    for (const role of ["owner", "service"]) await admin.run(raw(`DROP ROLE IF EXISTS tenon_${role}_${mark}`));
    await admin.close();
    await place.close();
  });

  function urlOf(role: "owner" | "service"): string {
    const url = new URL(place.url ?? "");
    url.pathname = `/tenon_${mark}`;
    url.username = `tenon_${role}_${mark}`;
    url.password = role === "owner" ? "password-of-the-owner" : "password-of-the-services";
    return url.href;
  }

  async function makeDatabase(): Promise<void> {
    const [asAdmin = "", asOwner = ""] = blocks("sql");
    for (const statement of statements(asAdmin)) await admin.alone(raw(named(statement)));
    const owner = openDatabase(urlOf("owner"), { connections: 1 });
    for (const statement of statements(asOwner)) await owner.run(raw(named(statement)));
    await owner.close();
  }

  /** As the old version's syncs have stored them. */
  async function fill(): Promise<void> {
    const database = openDatabase(urlOf("owner"), { connections: 2 });
    const store = new PostgresStore({
      database,
      plans: { github: { issues: { ...issues?.store, key: issues?.store.key ?? [], fields: fewer } } },
    });
    const records = new Records(size);
    const collection = { connector: "github", instance: "github", entity: "issues", scope: "user=octocat" };
    const checkpoint = { run: 1, full: true, step: 0 };
    for (let from = 0; from < size; from += 1_000) {
      const page = Array.from({ length: Math.min(1_000, size - from) }, (_, at) => ({ ...records.record(from + at) }));
      await store.save(collection, { records: page, checkpoint });
    }
    await store.finish(collection, checkpoint, { massDelete: false, parents: [] });
    await store.close();
    await database.close();
  }

  it("refuse no search of two services, forward and back, and need an owner only for the command", () =>
    withProcesses(async ({ platform, start, folder }) => {
      await makeDatabase();
      const old = join(folder(), "old.js");
      writeFileSync(
        old,
        `import { connectors as all } from ${JSON.stringify(generated)};
         export const connectors = all.map((one) => {
           if (one.name !== "github") return one;
           const { issues } = one.entities;
           const { authorLogin: _, ...fields } = issues.store.fields;
           return { ...one, entities: { ...one.entities, issues: { ...issues, store: { ...issues.store, fields } } } };
         });`,
      );
      const common = {
        ...{ TENON_API_KEY: apiKey, TENON_SECRET_KEY: "canary-secret-key-of-the-upgrade-test-00" },
        ...{ GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url, GITHUB_GRAPHQL_URL: platform.graphqlUrl },
      };
      const oldVersion = { ...common, TENON_CONNECTORS: old };
      const serve = (env: Readonly<Record<string, string>>) =>
        start({ ...env, TENON_DATABASE_URL: urlOf("service") }, ["serve", "--no-sync"]);
      const command = async (line: string | undefined, env: Readonly<Record<string, string>>) => {
        const done = await bash(line ?? "exit 99", { ...env, OWNER_URL: urlOf("owner") });
        expect([done.code, done.err]).toEqual([0, expect.anything()]);
        return done.out
          .split("\n")
          .filter((text) => text !== "")
          .map((text): { entity: string; done: string } => JSON.parse(text))
          .filter(({ entity }) => entity === "github_issues")
          .map(({ done: what }) => what);
      };

      // Before anything is there, a service without the right to make tables waits for the command.
      const first = serve(oldVersion);
      await expect.poll(() => first.out(), { timeout: 100_000 }).toContain("tenon store migrate");
      expect(await command(commands[0], oldVersion)).toEqual(["made"]);
      await fill();
      const load = new Load();
      await load.add(first);
      await load.add(serve(oldVersion));
      load.begin();
      await load.served(20);

      // Forward: the tables are migrated beside the running services, then these are replaced.
      expect(await command(commands[0], common)).toEqual(["rebuilt"]);
      await load.served(20);
      for (const _one of [1, 2]) {
        const next = serve(common);
        await load.add(next);
        await load.removeOldest();
      }
      await load.served(20);
      expect(await command(commands[1], common)).toEqual(["unchanged", "dropped"]);

      // An old service that starts now refuses to go back.
      const refused = serve(oldVersion);
      expect(await refused.exit).toBe(78);
      expect(refused.err()).toContain("tenon store migrate --replace-newer");

      // Back.
      expect(await command(commands[2], oldVersion)).toEqual(["rebuilt"]);
      for (const _one of [1, 2]) {
        await load.add(serve(oldVersion));
        await load.removeOldest();
      }
      await load.served(20);
      const { failed, count } = await load.end();
      console.info(`upgrade: ${failed.length} of ${count} searches failed at ${size} records`);
      expect(failed).toEqual([]);
      expect(count).toBeGreaterThan(100);
      const counted = await admin.query<{ count: number }>(
        sql`SELECT count(*) FROM pg_database WHERE datname = ${`tenon_${mark}`}`,
      );
      expect(counted).toEqual([{ count: 1 }]);
    }));
});

function statements(text: string): string[] {
  return text
    .split(";\n")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** Searches the services that are ready, one after the other, as a load balancer does that asks `/readyz`. */
class Load {
  readonly #services: { readonly running: Running; readonly url: string }[] = [];
  readonly failed: string[] = [];
  /** Searches that are not answered, by the address of their service. */
  readonly #underWay = new Map<string, number>();
  #count = 0;
  #ends = false;
  #running: Promise<unknown> = Promise.resolve();

  /** Waits until a service is ready, and searches it too. */
  async add(running: Running): Promise<void> {
    await running.told("Tenon is ready");
    const url = await running.url();
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 100_000 }).toBe(200);
    this.#services.push({ running, url });
  }

  /** Searches it no longer, and ends it when the searches under way have reached it, as a load balancer lets them. */
  async removeOldest(): Promise<void> {
    const [oldest] = this.#services.splice(0, 1);
    await expect.poll(() => this.#underWay.get(oldest?.url ?? "") ?? 0, { timeout: 100_000 }).toBe(0);
    oldest?.running.child.kill("SIGTERM");
    expect(await oldest?.running.exit).toBe(0);
  }

  begin(): void {
    this.#running = Promise.all([0, 1].map((lane) => this.#search(lane)));
  }

  /** Waits for so many more searches. */
  async served(more: number): Promise<void> {
    const until = this.#count + more;
    await expect.poll(() => this.#count, { timeout: 100_000 }).toBeGreaterThan(until);
  }

  async end(): Promise<{ readonly failed: readonly string[]; readonly count: number }> {
    this.#ends = true;
    await this.#running;
    for (const { running } of this.#services) running.child.kill("SIGTERM");
    return { failed: this.failed, count: this.#count };
  }

  async #search(lane: number): Promise<void> {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    for (let at = lane; !this.#ends; at++) {
      const { url } = this.#services[at % this.#services.length] ?? { url: "" };
      const number = 1 + (at % 5);
      const body = JSON.stringify({
        entity: "issues",
        action: "context_store_search",
        params: { query: { filter: { eq: { number } } }, limit: 5 },
      });
      const count = (change: number) => this.#underWay.set(url, (this.#underWay.get(url) ?? 0) + change);
      count(1);
      const reply = await fetch(url + executePath, { method: "POST", headers, body }).catch(
        (thrown: unknown) => `${String(thrown)}: ${String((thrown as Error).cause)}`,
      );
      const text = typeof reply === "string" ? reply : `${reply.status} ${await reply.text()}`;
      count(-1);
      if (!text.startsWith("200 ") || !text.includes(`"number":${number},`)) this.failed.push(text.slice(0, 300));
      this.#count++;
      // Two hundred a second see every moment of an upgrade; more would only slow it down.
      await pause(10);
    }
  }
}
