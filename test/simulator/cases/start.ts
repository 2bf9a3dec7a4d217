import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { ownerToken } from "../../../runtime/simulated/github/tokens.ts";
import { startSimulator } from "../../../runtime/simulator/start-thread.ts";
import { endsWithTests } from "../../support/ends-with-tests.ts";
import { startPlatform } from "../../support/github/start.ts";
import { graphql } from "../client.ts";
import { ask, hello, platform } from "./setup.ts";

const main = new URL("../../../runtime/simulated/github/main.ts", import.meta.url);

async function answers(graphqlUrl: string): Promise<number> {
  const headers = { authorization: `bearer ${ownerToken}`, "user-agent": "test" };
  return (await fetch(graphqlUrl, { method: "POST", headers, body: '{"query":"{ viewer { login } }"}' })).status;
}

describe("starting", () => {
  it("takes any free port, so that several run side by side", async () => {
    const other = await startPlatform();
    expect(other.url).not.toBe(platform().url);
    expect((await graphql(other, "{ viewer { login } }")).status).toBe(200);
    await other.close();
    await expect(graphql(other, "{ viewer { login } }")).rejects.toThrow();
  });

  it("runs as a worker", async () => {
    const { graphql = "", close } = await startSimulator(main);
    expect(await answers(graphql)).toBe(200);
    await close();
  });

  it("runs as a process", async () => {
    const child = endsWithTests(spawn(process.execPath, [main.pathname], { stdio: ["ignore", "pipe", "inherit"] }));
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    expect(await answers(JSON.parse(line).graphql)).toBe(200);
    child.kill();
  });

  it("records requests, and forgets everything on reset", async () => {
    const { world, requests } = platform();
    const title = hello().issues[0]?.title;
    Object.assign(hello().issues[0] ?? {}, { title: "changed" });
    await ask("{ viewer { id } }");
    expect(requests).toMatchObject([{ method: "POST", path: "/graphql", status: 200, body: { query: "{ viewer { id } }" } }]);
    expect(requests[0]?.headers["user-agent"]).toBe("platform-test");
    platform().reset();
    expect(platform().world).toBe(world);
    expect(requests).toEqual([]);
    expect(hello().issues[0]?.title).toBe(title);
  });

  it("records no more than a thousand requests", async () => {
    await Promise.all(Array.from({ length: 1005 }, () => fetch(platform().url).then((response) => response.text())));
    expect(platform().requests.length).toBe(1000);
  });
});
