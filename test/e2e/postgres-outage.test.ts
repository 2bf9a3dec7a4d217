import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { startProxy } from "../support/postgres/proxy.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { withProcesses } from "./support/process.ts";
import { executePath } from "./support/service.ts";

// A service that is started while its database is away.

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const secret = "canary-secret-key-of-the-outage-tests-00";

describe.skipIf(!hasServer)("a service whose database is away when it starts", () => {
  it("waits, is alive and not ready meanwhile, and serves when the database is back", () =>
    withProcesses(async ({ start }) => {
      const place = await startOnServer();
      const real = new URL(place.url ?? "");
      const [port, databasePort] = [await freePort(), await freePort()];
      const away = new URL(real);
      away.port = String(databasePort);
      const env = { PORT: String(port), TENON_DATABASE_URL: away.href, TENON_SECRET_KEY: secret };
      const service = start(env);
      const url = `http://127.0.0.1:${port}`;
      const get = (path: string) => fetch(url + path).catch(() => undefined);
      await expect.poll(async () => (await get("/readyz"))?.status, { timeout: 60_000 }).toBe(503);
      expect((await get("/healthz"))?.status).toBe(200);
      const refused = await get("/api/v1/integrations/connectors");
      expect([refused?.status, refused?.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(await refused?.json()).toMatchObject({ code: "database_unavailable" });
      const proxy = await startProxy(Number(real.port), () => undefined, databasePort);
      await expect.poll(async () => (await get("/readyz"))?.status, { timeout: 60_000 }).toBe(200);
      expect(service.log().filter(({ msg }) => String(msg).includes("the service waits for it"))).toHaveLength(1);
      service.child.kill("SIGTERM");
      expect(await service.exit).toBe(0);
      await proxy.close();
      await place.close();
    }));

  it("ends at a signal while it waits", () =>
    withProcesses(async ({ start }) => {
      const url = `postgres://tenon:none@127.0.0.1:${await freePort()}/none`;
      const service = start({ PORT: "0", TENON_DATABASE_URL: url, TENON_SECRET_KEY: secret });
      const waits = () => service.log().some(({ msg }) => String(msg).includes("the service waits for it"));
      await expect.poll(waits, { timeout: 60_000 }).toBe(true);
      service.child.kill("SIGTERM");
      expect(await service.exit).toBe(0);
    }));
});

describe.skipIf(!hasServer)("a service whose database goes away", () => {
  it("sends no write whose audit entry it cannot store, and stores the entries of the refusals later", () =>
    withProcesses(async ({ platform, start }) => {
      const place = await startOnServer();
      const real = new URL(place.url ?? "");
      const port = await freePort();
      const first = await startProxy(Number(real.port), () => undefined, port);
      const through = new URL(real);
      through.port = String(port);
      const key = "key-of-the-operator-of-this-test";
      const accounts = { TENON_DATABASE_URL: through.href, TENON_SECRET_KEY: secret };
      const env = { ...accounts, TENON_API_KEY: key, GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url };
      const service = start(env);
      await service.told("Tenon is ready");
      const url = await service.url();
      const write = async (title: string) => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "x-request-id": title };
        const params = { owner: "octocat", repo: "hello-world", title };
        const body = JSON.stringify({ entity: "issues", action: "create", params });
        const reply = await fetch(url + executePath, { method: "POST", headers, body });
        const { code } = (await reply.json()) as { code?: string };
        return [reply.status, code];
      };
      expect(await write("before")).toEqual([200, undefined]);
      await first.close();
      const arrived = platform.arrived;
      expect(await write("during")).toEqual([503, "database_unavailable"]);
      expect(platform.arrived).toBe(arrived);
      const second = await startProxy(Number(real.port), () => undefined, port);
      await expect.poll(async () => (await write("after"))[0], { timeout: 60_000 }).toBe(200);
      service.child.kill("SIGTERM");
      expect(await service.exit).toBe(0);
      const audit = start(accounts, ["audit"]);
      expect(await audit.exit).toBe(0);
      const outcomes = (id: string) =>
        audit
          .log()
          .filter((line) => String(line["request_id"]) === id)
          .map(({ outcome }) => outcome);
      expect(outcomes("before")).toEqual(["begun", "done"]);
      expect(outcomes("during")).toEqual(["database_unavailable"]);
      expect(outcomes("after").slice(-2)).toEqual(["begun", "done"]);
      await second.close();
      await place.close();
    }));
});
