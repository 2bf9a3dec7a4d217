import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { useCommandHost } from "../support/command-host.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { withAccounts } from "./support/accounts.ts";
import { type Processes, type Running, withProcesses } from "./support/process.ts";

// `tenon key` and `tenon client`, beside a service that runs.

const secret = "canary-secret-key-of-the-command-tests";

const host = useCommandHost();

/** Runs a command to its end. */
async function ended(env: Readonly<Record<string, string>>, args: readonly string[]) {
  const { out, ...others } = await host.run(args, env);
  return { ...others, out: out.trim() };
}

/** The same in a process of its own. */
async function asProcess({ start }: Processes, env: Readonly<Record<string, string>>, args: readonly string[]) {
  const running = start(env, args);
  return { code: await running.exit, out: running.out().trim(), err: running.err() };
}

async function openOnServer() {
  const place = await startOnServer();
  return { env: { TENON_DATABASE_URL: place.url ?? "" }, close: () => place.close() };
}

/** Status of a call of the service. */
async function called(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/integrations/connectors/github/execute`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: '{"entity":"viewer","action":"get"}',
  });
  return response.status;
}

/** The message of the error that a command wrote for programs. */
function messageOf({ err }: { readonly err: string }): unknown {
  return JSON.parse(err).message;
}

describe("keys and clients", () => {
  it.concurrent("are made, listed, rotated and revoked while the service runs, and survive its end by SIGKILL", () =>
    withProcesses(async (processes) => {
      const { start, folder } = processes;
      const env = { TENON_SECRET_KEY: secret, TENON_DATA_DIR: folder() };
      const service = start(env);
      const made = await asProcess(processes, env, ["key", "create", "ci", "--entity", "viewer", "--expires-in", "2d"]);
      expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^tenon_key_\w{49}$/)]);
      const client = await asProcess(processes, env, ["client", "create", "app"]);
      const pair: unknown = JSON.parse(client.out);
      expect(pair).toEqual({
        client_id: expect.stringMatching(/^client_\w{12}$/),
        client_secret: expect.stringMatching(/^tenon_secret_\w{49}$/),
      });

      const url = await service.url();
      await service.told("ready");
      expect(await called(url, made.out)).toBe(200);
      service.child.kill("SIGKILL");
      await service.exit;
      const again = start(env);
      await again.told("ready");
      expect(await called(await again.url(), made.out)).toBe(200);

      const listed = await asProcess(processes, env, ["key", "list"]);
      const row = JSON.parse(listed.out);
      expect(row).toMatchObject({ name: "ci", state: "active", rights: ["read"], entities: ["viewer"], instances: null });
      const rotated = await asProcess(processes, env, ["key", "rotate", row.id, "--overlap", "0h"]);
      expect(rotated.err).toContain("The former one is refused from now on.");
      expect([row.secret_key, row.former_until]).toEqual(["current", null]);
      expect(await called(await again.url(), made.out)).toBe(401);
      expect(await called(await again.url(), rotated.out)).toBe(200);
      expect((await asProcess(processes, env, ["key", "revoke", row.id])).code).toBe(0);
      expect(await called(await again.url(), rotated.out)).toBe(401);
      expect(JSON.parse((await asProcess(processes, env, ["key", "list"])).out).state).toBe("revoked");
      const twice = await asProcess(processes, env, ["key", "revoke", row.id]);
      expect([twice.code, messageOf(twice)]).toEqual([
        66,
        `There is no key "${row.id}" that could be used: see \`tenon key list\`.`,
      ]);
    }));

  it.concurrent("need no secret key of the operator: the service makes one, keeps it, and the commands beside it use it", () =>
    withProcesses(async (processes) => {
      const { start, folder } = processes;
      const env = { TENON_DATA_DIR: folder() };
      const file = join(env.TENON_DATA_DIR, "secret-key");
      const service = start(env);
      await service.told("ready");
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const kept = readFileSync(file, "utf8");
      expect(kept).toMatch(/^[\w-]{43}\n$/);
      const made = await ended(env, ["key", "create", "ci"]);
      expect(await called(await service.url(), made.out)).toBe(200);
      service.child.kill("SIGTERM");
      await service.exit;
      const again = start(env);
      await again.told("ready");
      expect([await called(await again.url(), made.out), readFileSync(file, "utf8")]).toEqual([200, kept]);
      again.child.kill("SIGTERM");
      await again.exit;
      // It can be moved into the settings.
      rmSync(file);
      const moved = start({ ...env, TENON_SECRET_KEY: kept.trim() });
      await moved.told("ready");
      expect([await called(await moved.url(), made.out), existsSync(file)]).toEqual([200, false]);
      moved.child.kill("SIGTERM");
      await moved.exit;
      expect((await ended(env, ["serve"])).code).toBe(78);
    }));

  it.concurrent("get a secret key from the first command that stores one, where no service has run yet", () =>
    withProcesses(async (processes) => {
      const env = { TENON_DATA_DIR: join(processes.folder(), "new") };
      const made = await Promise.all(["a", "b"].map((name) => asProcess(processes, env, ["key", "create", name])));
      expect(made.map(({ code }) => code)).toEqual([0, 0]);
      const service = processes.start(env);
      await service.told("ready");
      const url = await service.url();
      expect(await Promise.all(made.map(({ out }) => called(url, out)))).toEqual([200, 200]);
      expect(readdirSync(env.TENON_DATA_DIR).filter((name) => name.endsWith(".part"))).toEqual([]);
    }));

  it.concurrent("are revoked and rotated by their name too, where only one has it", () =>
    withProcesses(async (processes) => {
      const env = { TENON_SECRET_KEY: secret, TENON_DATA_DIR: join(processes.folder(), "data") };
      const run = (...args: string[]) => ended(env, ["key", ...args]);
      const ids = async () =>
        (await run("list")).out.split("\n").map((line) => {
          const { id, state } = JSON.parse(line);
          return { id: String(id), state: String(state) };
        });
      const isNew: boolean[] = [];
      for (const name of ["ci", "other"])
        isNew.push((await run("create", name)).err.includes(`The data folder ${env.TENON_DATA_DIR} is new.`));
      expect(isNew).toEqual([true, false]);
      const taken = await run("create", "ci");
      expect([taken.code, taken.out, messageOf(taken)]).toEqual([65, "", expect.stringContaining('has the name "ci" already.')]);
      // Earlier versions made keys of the same name.
      await withAccounts(env.TENON_DATA_DIR, (store) =>
        createCaller(store, deriveKeys([secret]), { kind: "key", name: "ci", grant: fullGrant, expiresAt: null }),
      );
      const [first, other, second] = await ids();
      const ambiguous = await run("revoke", "ci");
      expect([ambiguous.code, JSON.parse(ambiguous.err)]).toMatchObject([
        65,
        { code: "invalid_request", errors: [{ code: "ambiguous", allowed: [first?.id, second?.id] }] },
      ]);
      expect((await run("revoke", first?.id ?? "")).code).toBe(0);
      const { err } = await run("rotate", "ci");
      expect(err).toContain(second?.id);
      expect(err).toMatch(/The former one is valid until 20\d\d-\d\d-\d\dT/);
      expect(await run("revoke", "ci")).toMatchObject({ code: 0, err: expect.stringContaining(second?.id ?? "") });
      const none = await run("revoke", "ci");
      expect([none.code, messageOf(none)]).toEqual([66, 'There is no key "ci" that could be used: see `tenon key list`.']);
      // An id is never taken for a name.
      const named = await run("create", other?.id ?? "");
      expect([named.code, messageOf(named)]).toEqual([
        65,
        expect.stringContaining("could be taken for the id of another caller"),
      ]);
    }));

  /** Where callers are stored. */
  const stores = [
    { store: "files", open: async () => ({ env: {}, close: async () => undefined }) },
    ...(hasServer ? [{ store: "PostgreSQL", open: openOnServer }] : []),
  ];

  it.concurrent.each(stores)("in $store name only connectors that there are, and tell of places without one", ({ open }) =>
    withProcesses(async (processes) => {
      const folder = processes.folder();
      const { env: place, close } = await open();
      const env = { TENON_SECRET_KEY: secret, TENON_DATA_DIR: folder, ...place };
      const token = join(folder, "token");
      writeFileSync(token, ownerToken);
      const add = ["connector", "add", "github", "--id", "acme", "--workspace", "acme-works", "--credential-file", token];
      expect((await ended(env, add)).code).toBe(0);
      const create = ["key", "create", "x"];
      const refused = await ended(env, [...create, "--instance", "acem"]);
      expect([refused.code, refused.out]).toEqual([65, ""]);
      expect(JSON.parse(refused.err).errors).toEqual([
        expect.objectContaining({
          code: "unknown_connector",
          allowed: expect.arrayContaining(["github", "acme"]),
          suggestion: "acme",
        }),
      ]);
      const known = ["--instance", "acme", "--instance", "github", "--workspace", "acme-works", "--workspace", "default"];
      const made = await ended(env, [...create, ...known]);
      expect([made.code, made.err]).toEqual([0, expect.not.stringContaining(" yet.")]);
      const later = await ended(env, ["key", "create", "y", "--workspace", "later", "--organization", "later-org"]);
      expect([later.code, later.err]).toEqual([0, expect.stringContaining('No connector is in the workspace "later" yet.')]);
      expect(later.err).toContain('No connector belongs to the organization "later-org" yet.');
      await close();
    }),
  );

  it.concurrent("are listed with the secret key that they need, and with the end of a former secret", () =>
    withProcesses(async (processes) => {
      const TENON_DATA_DIR = processes.folder();
      const list = async (TENON_SECRET_KEY: string) => {
        const { out } = await ended({ TENON_DATA_DIR, TENON_SECRET_KEY }, ["key", "list"]);
        return JSON.parse(out);
      };
      const next = "canary-secret-key-of-the-command-tests-2";
      const env = { TENON_DATA_DIR, TENON_SECRET_KEY: secret };
      await ended(env, ["key", "create", "ci"]);
      const overlap = 2 * 3_600_000;
      const before = Date.now() + overlap;
      await ended(env, ["key", "rotate", "ci", "--overlap", "2h"]);
      const { id, former_until } = await list(secret);
      expect([before, Date.parse(former_until), Date.now() + overlap].toSorted()[1]).toBe(Date.parse(former_until));
      expect(await list(`${next},${secret}`)).toMatchObject({ state: "active", secret_key: "older" });
      expect(await list(next)).toMatchObject({ state: "refused", secret_key: "missing" });

      const service = processes.start({ TENON_DATA_DIR, TENON_SECRET_KEY: next });
      await service.told("ready");
      expect(service.log().map(({ msg }) => msg)).toContainEqual(
        expect.stringMatching(new RegExp(`^${id} are refused: they were stored with the secret key .{8}, which`)),
      );
      const degraded = async () => {
        const response = await fetch(`${await service.url()}/readyz?verbose`);
        return JSON.parse(await response.text()).degraded;
      };
      expect(await degraded()).toEqual([expect.objectContaining({ what: "secrets_refused", connector: null, count: 2 })]);
    }));

  it.concurrent("say in one line what is wrong, and change nothing", () =>
    withProcesses(async (processes) => {
      const { folder } = processes;
      const TENON_DATA_DIR = folder();
      const good = { TENON_SECRET_KEY: secret, TENON_DATA_DIR };
      const file = join(folder(), "keys");
      writeFileSync(file, "too short\n");
      const create = ["key", "create", "x"];
      const wrong: [Record<string, string>, string[], number, string][] = [
        [{ TENON_DATA_DIR, TENON_DATABASE_URL: "postgres://127.0.0.1:1/x" }, create, 78, "TENON_SECRET_KEY is not set"],
        [{ TENON_DATA_DIR, TENON_SECRET_KEY: "short" }, create, 78, "TENON_SECRET_KEY must be"],
        [{ TENON_DATA_DIR, TENON_SECRET_KEY_FILE: "/nowhere" }, create, 78, "/nowhere cannot be read (ENOENT)"],
        [{ TENON_DATA_DIR, TENON_SECRET_KEY_FILE: file }, create, 78, "must hold one key a line"],
        [{ ...good, TENON_SECRET_KEY_FILE: file }, create, 78, "are both set"],
        [{ ...good, TENON_DATA_DIR: "/proc/tenon" }, create, 78, "cannot be made or written to"],
        [good, [...create, "--right", "wirte"], 65, 'Did you mean "write"?'],
        [good, [...create, "--entity", "isues"], 65, 'Did you mean "issues"?'],
        [good, [...create, "--instance", "githbu"], 65, 'There is no connector "githbu". Did you mean "github"?'],
        [good, [...create, "--expires-in", "soon"], 64, "--expires-in must be"],
        [good, [...create, "--expires-in", "0d"], 64, "--expires-in must be"],
        [good, ["key", "create", ""], 65, "The name must have 1 to 100 visible characters"],
        [good, ["key", "create", "a\u0007b"], 65, "The name must have 1 to 100 visible characters"],
        [good, ["key", "rotate", "key_x", "--overlap", "-1h"], 64, "--overlap must be"],
        [good, ["key"], 64, "create"],
      ];
      for (const [env, args, code, message] of wrong) {
        const result = await ended(env, args);
        expect([result.code, result.out, messageOf(result)]).toEqual([code, "", expect.stringContaining(message)]);
        expect(result.err).not.toContain(secret);
        expect(result.err).not.toContain("    at ");
      }
      expect(await ended(good, ["key", "list"])).toEqual({
        code: 0,
        out: "",
        err: `Used the data folder ${TENON_DATA_DIR}.\n`,
      });
    }));

  it.concurrent("keep the service from starting without the secret key, or when their file is damaged, which stays as it is", () =>
    withProcesses(async (processes) => {
      const TENON_DATA_DIR = processes.folder();
      const good = { TENON_SECRET_KEY: secret, TENON_DATA_DIR };
      await ended(good, ["key", "create", "x"]);
      const without = await ended({ TENON_DATA_DIR }, ["serve"]);
      expect([without.code, JSON.parse(without.err)]).toMatchObject([
        78,
        {
          code: "invalid_configuration",
          message: expect.stringMatching(/^TENON_SECRET_KEY is not set and .*secret-key is not there, but there are callers/),
        },
      ]);
      const file = join(TENON_DATA_DIR, "accounts.sqlite");
      const bytes = readFileSync(file);
      bytes.fill(0x55, 0, 200);
      writeFileSync(file, bytes);
      const damaged = await ended(good, ["serve"]);
      expect([damaged.code, JSON.parse(damaged.err)]).toMatchObject([
        78,
        {
          code: "accounts_unusable",
          message: expect.stringMatching(/^cannot start: The file accounts\.sqlite in the data directory is damaged/),
        },
      ]);
      expect(readFileSync(file)).toEqual(bytes);
    }));
});

describe("connectors", () => {
  it.concurrent("that are added while every platform is simulated are served from the next start on", () =>
    withProcesses(async (processes) => {
      const { folder, platform, start } = processes;
      const env = { TENON_DATA_DIR: folder(), TENON_API_KEY: "a-key-of-the-operator-for-tests" };
      const execute = async (service: Running) => {
        await service.told("ready");
        const response = await fetch(`${await service.url()}/api/v1/integrations/connectors/team-a/execute`, {
          method: "POST",
          headers: { authorization: `Bearer ${env.TENON_API_KEY}`, "content-type": "application/json" },
          body: '{"entity":"viewer","action":"get"}',
        });
        return response.status;
      };
      const service = start(env);
      expect(await execute(service)).toBe(404);
      const token = join(folder(), "token");
      writeFileSync(token, ownerToken);
      const add = ["connector", "add", "github", "--id", "team-a", "--base-url", platform.url, "--credential-file", token];
      expect((await ended({ ...env, TENON_ALLOW_PRIVATE_ADDRESSES: "true" }, add)).code).toBe(0);
      expect(await execute(service)).toBe(404);
      service.child.kill("SIGTERM");
      await service.exit;
      expect(await execute(start({ ...env, TENON_ALLOW_PRIVATE_ADDRESSES: "true" }))).toBe(200);
    }));

  it.concurrent("are added, shown, listed and removed, and their credential is never shown", () =>
    withProcesses(async (processes) => {
      const { folder, platform } = processes;
      const env = { TENON_SECRET_KEY: secret, TENON_DATA_DIR: folder() };
      const token = join(folder(), "token");
      writeFileSync(token, `${ownerToken}\n`);
      const from = ["--credential-file", token];
      const all = [
        await ended(env, ["connector", "add", "github", "--id", "team-a", "--base-url", platform.url, ...from]),
        await ended(env, ["connector", "show", "team-a"]),
        await ended(env, ["connector", "list"]),
        await ended(env, ["connector", "rotate", "team-a", ...from]),
        await ended(env, ["mcp", "setup", "cursor", "--connector", "team-a"]),
        await ended(env, ["connector", "remove", "team-a"]),
      ];
      expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
      const row = { id: "team-a", connector: "github", workspace_name: "default", base_url: platform.url, sync_scopes: [] };
      expect(all[0]?.out).toBe("team-a");
      expect(JSON.parse(all[1]?.out ?? "")).toMatchObject(row);
      expect(JSON.parse(all[2]?.out ?? "")).toMatchObject(row);
      for (const { out, err } of all) expect(out + err).not.toContain(ownerToken);
      const wrong: [string[], number, string][] = [
        [["connector", "add", "gihub", ...from], 65, 'Did you mean "github"?'],
        [["connector", "add", "github", "--credential-file", "/nowhere"], 66, "/nowhere cannot be read (ENOENT)"],
        [["connector", "add", "github"], 65, "The credential must be one value"],
        [["connector", "add", "github", "--sync-minutes", "0", ...from], 64, "--sync-minutes must be"],
        [["connector", "remove", "team-a"], 66, 'No connector "team-a" was added'],
        [["connector", "show", "team-a"], 66, 'No connector "team-a" was added'],
      ];
      for (const [args, code, message] of wrong) {
        const result = await ended(env, args);
        expect([result.code, result.out, messageOf(result)]).toEqual([code, "", expect.stringContaining(message)]);
      }
    }));
});
