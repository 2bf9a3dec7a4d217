import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { greeting } from "../../runtime/cli/greeting.ts";
import { runSync } from "../../runtime/main/index.ts";
import { readSettings } from "../../runtime/main/settings/settings.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { tokenCredential } from "../support/credential.ts";
import { tiny, tinySimulated } from "../support/tiny-connector.ts";
import { authorized, bad, good, type Options, type Tenon, usePlatform } from "./support/service.ts";

// A service with two connectors: GitHub, which has a simulator, and a tiny one, which has none. Both use one simulated platform.

const running = usePlatform();
const none = { credential: undefined, rest: undefined, graphql: undefined };
const address = (id: string, route = "execute") => `/api/v1/integrations/connectors/${id}/${route}`;

function start(real: readonly ("github" | "tiny")[], options: Options = {}): Promise<Tenon> {
  const { url, graphqlUrl } = running.platform;
  const there = { credential: tokenCredential(ownerToken), rest: url, graphql: graphqlUrl };
  const platforms = { github: real.includes("github") ? there : none, tiny: real.includes("tiny") ? there : none };
  return running.start({ ...options, connectors: [github, tiny], platforms });
}

const viewer = JSON.stringify({ entity: "viewer", action: "get", params: { fields: ["login"] } });
const cached = JSON.stringify({ entity: "users", action: "context_store_search", params: { query: {} } });
const ask = (tenon: Tenon, id: string, body = viewer) => tenon.send("POST", address(id), body);

afterEach(() => running.platform.reset());

describe("a connector without a credential beside one that has one", () => {
  it("is off where it has no simulator: every call says so, and the other connector works", async () => {
    const tenon = await start(["github"]);
    const message = expect.stringMatching(/"tiny" is off.* set TINY_TOKEN\b/);
    for (const reply of [
      await ask(tenon, "tiny"),
      await ask(tenon, "tiny", cached),
      await tenon.send("GET", address("tiny", "sync"), undefined),
    ])
      expect(bad(reply, 503, "connector_not_configured")).toMatchObject({ message, retryable: false });
    expect(good(await ask(tenon, "github"))["data"]).toEqual({ login: "octocat" });
    bad(await ask(tenon, "other"), 404, "unknown_connector");
    bad(await tenon.send("POST", address("tiny"), viewer, { ...authorized, authorization: "Bearer no" }), 401, "unauthorized");
  });

  it("is named as off at the start: by the service, by /readyz, in the log and in the greeting", async () => {
    const tenon = await start(["github"]);
    expect(tenon.service.instances.map(({ id, mode }) => [id, mode])).toEqual([
      ["github", "real"],
      ["tiny", "off"],
    ]);
    expect((await tenon.send("GET", "/readyz", undefined)).body).toEqual({
      status: "ready",
      connectors: ["github"],
      simulated: [],
      off: ["tiny"],
    });
    const log = tenon.log.map((line) => JSON.parse(line));
    expect(log.find(({ msg }) => msg === "listening")).toMatchObject({
      connectors: ["github", "tiny"],
      simulated: [],
      off: ["tiny"],
    });
    expect(log.find(({ level }) => level === 40)?.msg).toMatch(/"tiny" is off.*TINY_TOKEN/);
    const told = greeting(tenon.service, { apiKey: "key", dataDir: "data" });
    expect(told).toContain("connectors: github).");
    expect(told).toMatch(/"tiny" is off.*TINY_TOKEN/);
    expect(told).not.toContain("SIMULATED");
    expect(told).toContain(address("github"));
    expect(greeting(tenon.service, { apiKey: "key", dataDir: "data" }, ({ name }) => name === "tiny")).toContain(
      address("github"),
    );
  });

  it("is not synced by the command either, and no file is made for it", async () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), "tenon-off-")), "data");
    const connectors = [github, tiny];
    const { settings } = readSettings({ GITHUB_TOKEN: ownerToken, TENON_DATA_DIR: dataDir }, connectors);
    const request = { connectorId: "tiny", scopes: [], entities: [], full: false, massDelete: false };
    const { signal } = new AbortController();
    const syncing = runSync(
      settings,
      { ...request, signal, onProgress: () => undefined },
      { write: () => undefined },
      connectors,
    );
    await expect(syncing).rejects.toMatchObject({
      code: "connector_not_configured",
      message: expect.stringContaining("TINY_TOKEN"),
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  it("is off although it has a simulator, because invented data is not mixed with real data", async () => {
    const tenon = await start(["tiny"]);
    const { message } = bad(await ask(tenon, "github"), 503, "connector_not_configured");
    expect(message).toMatch(/set GITHUB_TOKEN, or .*, or TENON_SIMULATE=github/);
    expect(good(await ask(tenon, "tiny"))["data"]).toEqual({ login: "octocat" });
    // The command to try is one that works.
    expect(greeting(tenon.service, { apiKey: "key", dataDir: "data" })).toContain(address("tiny"));
  });

  it("is simulated when the settings name it", async () => {
    const tenon = await start(["tiny"], { simulate: ["github"] });
    expect(tenon.service.instances.map(({ mode }) => mode)).toEqual(["simulated", "real"]);
    const calls = running.platform.requests.length;
    expect(good(await ask(tenon, "github"))["data"]).toEqual({ login: "octocat" });
    // The simulator that the connector names has answered, and not the platform that the other connector talks to.
    expect(running.platform.requests.length).toBe(calls);
    expect(tenon.service.trial).toBe(false);
    const own = ({ name }: { readonly name: string }) => name === "tiny";
    expect(greeting(tenon.service, { apiKey: "key", dataDir: "data" })).toMatch(/SIMULATED: GitHub/);
    expect(greeting(tenon.service, { apiKey: "key", dataDir: "data" })).toContain(address("github"));
    // Whoever has a connector of their own wants to try that one.
    expect(greeting(tenon.service, { apiKey: "key", dataDir: "data" }, own)).toContain(address("tiny"));
  });
});

describe("two connectors", () => {
  it("without any credential are simulated as far as they can be", async () => {
    const tenon = await start([]);
    expect(tenon.service.instances.map(({ mode }) => mode)).toEqual(["simulated", "off"]);
    expect(tenon.service.trial).toBe(true);
    expect(good(await ask(tenon, "github"))["data"]).toEqual({ login: "octocat" });
    bad(await ask(tenon, "tiny"), 503, "connector_not_configured");
  });

  it("that both have a simulator are simulated each by its own, with a cache of its own", async () => {
    const tenon = await running.start({ connectors: [github, tinySimulated], platforms: { github: none, tiny: none } });
    expect(tenon.service.instances.map(({ mode }) => mode)).toEqual(["simulated", "simulated"]);
    for (const id of ["github", "tiny"]) {
      expect(good(await ask(tenon, id))["data"]).toEqual({ login: "octocat" });
      expect(good(await ask(tenon, id, cached))["data"]).toEqual([]);
    }
  });

  it("with credentials both answer, each with the scopes that are its own", async () => {
    const tenon = await start(["github", "tiny"], { syncScopes: ["tiny:user=octocat", "organization=tenon-labs"] });
    const scopes = async (id: string) => {
      const reply = await tenon.send("GET", address(id, "sync"), undefined);
      return good(reply)["meta"]?.["schedule"]?.["scopes"];
    };
    expect(await scopes("tiny")).toEqual(["user=octocat"]);
    expect(await scopes("github")).toEqual(["organization=tenon-labs"]);
    bad(await ask(tenon, "tiny", JSON.stringify({ entity: "issues", action: "list", params: {} })), 422, "invalid_request");
    expect(good(await ask(tenon, "tiny"))["data"]).toEqual({ login: "octocat" });
  });

  it("do not start where a scope may be meant for either", async () => {
    const both = start(["github", "tiny"], { syncScopes: ["user=octocat"] });
    await expect(both).rejects.toThrow("Allowed: github:user=octocat, tiny:user=octocat");
  });
});
