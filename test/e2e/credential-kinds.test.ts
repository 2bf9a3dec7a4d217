import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { figma } from "../../generated/figma/index.ts";
import { type AccountStore, deriveKeys } from "../../runtime/accounts/index.ts";
import type { AuthKind, Connector } from "../../runtime/contract/index.ts";
import { addConnector, type NewConnector, rotateCredential } from "../../runtime/main/index.ts";
import { readSettings, SettingsError } from "../../runtime/main/settings/settings.ts";
import { describedPlatform } from "../../runtime/simulator/described/platform.ts";
import { readPlatformFile } from "../../runtime/simulator/described/platform-file.ts";
import type { DescribedViewer, DescribedWorld } from "../../runtime/simulator/described/rest-routes.ts";
import { handlerOf } from "../../runtime/simulator/handle.ts";
import { listen, type SimulatorServer } from "../../runtime/simulator/listen.ts";
import { Simulation } from "../../runtime/simulator/simulation.ts";
import { plainConnector, withAccounts } from "./support/accounts.ts";
import { authorized, startTenon, type Tenon } from "./support/service.ts";

// A platform that takes a key in the query or a user and a password, at an address with a variable, for several instances.

const secretKey = ["canary-secret-key-of-the-kinds-tests"];
const keys = deriveKeys(secretKey);
const dataDir = mkdtempSync(join(tmpdir(), "tenon-kinds-"));
const read = readPlatformFile(new URL("../../spec/figma/simulator/platform.yaml", import.meta.url));
const { token } = read.file;
const schemes = {
  query: { type: "apiKey", in: "query", name: "api_key" },
  password: { type: "http", scheme: "basic" },
  PersonalAccessToken: null,
  OAuth2: null,
};
const overrides = { "#/components/securitySchemes": schemes };
const rest = { ...read.spec.rest, description: read.spec.rest?.description ?? "", overrides };
const platform = describedPlatform({ ...read, spec: { rest } });
const kinds: AuthKind[] = [
  { name: "query", values: { token: "DESK_KEY" }, doc: "", place: { in: "query", name: "api_key", template: ["", "token", ""] } },
  {
    name: "password",
    values: { user: "DESK_USER", password: "DESK_PASSWORD" },
    doc: "",
    place: { in: "basic", template: ["", "user", "/token:", "password", ""] },
  },
];

let simulation: Simulation<DescribedWorld, DescribedViewer>;
let server: SimulatorServer;
let desk: Connector;
let tenon: Tenon;

beforeAll(async () => {
  simulation = new Simulation(platform);
  server = await listen(0, handlerOf(simulation));
  const url = server.url.replace("127.0.0.1", "{host}");
  const { simulator: _none, ...plain } = figma;
  desk = {
    ...plain,
    name: "desk",
    title: "Desk",
    platform: {
      ...figma.platform,
      title: "Desk",
      auth: { kinds, secrets: [] },
      variables: { host: { env: "DESK_HOST", doc: "Your host." } },
      rest: { ...figma.platform.rest, url, env: "DESK_URL" },
    },
  };
  const { settings } = readSettings({ DESK_USER: "ann@desk.example", DESK_PASSWORD: token, DESK_HOST: "127.0.0.1" }, [desk]);
  tenon = await startTenon(
    { url: "", graphqlUrl: "" },
    { platforms: settings.platforms, connectors: [desk], secretKey, dataDir },
  );
});
afterAll(async () => {
  await tenon.service.close();
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const stored = <Result>(work: (store: AccountStore) => Promise<Result>) => withAccounts(dataDir, work);

const add = (id: string, given: Partial<NewConnector>) =>
  stored((store) =>
    addConnector(
      { store, keys, connectors: [desk], allowPrivate: false, platforms: {} },
      {
        ...plainConnector,
        connector: "desk",
        id,
        variables: ["host=127.0.0.1"],
        credential: { text: token },
        ...given,
      },
    ),
  );
/** Not with the helper of the service, which holds answers against the documents of GitHub. */
const ask = async (id: string) => {
  const body = JSON.stringify({ entity: "files", action: "list", params: { folder: "1101", fields: ["key"] } });
  const url = `${tenon.url}/api/v1/integrations/connectors/${id}/execute`;
  const response = await fetch(url, { method: "POST", headers: authorized, body });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
};
const seen = () => {
  const request = simulation.requests.at(-1);
  if (request === undefined) throw new Error("nothing was sent");
  const { headers, path } = request;
  return {
    host: headers["host"]?.split(":")[0],
    authorization: headers["authorization"],
    key: path.includes(`api_key=${token}`),
  };
};
const basic = (user: string) => `Basic ${btoa(`${user}/token:${token}`)}`;

describe("credentials of other kinds", () => {
  it("are used by two instances of one connector, each with its own kind and its own address", async () => {
    await add("by-query", { variables: ["host=localhost"] });
    await add("by-password", { credential: { text: JSON.stringify({ user: "bob", password: token }), kind: "password" } });
    const { data } = (await ask("by-query")).body;
    expect(data).toContainEqual({ key: "Xk2bQ7design01" });
    expect(seen()).toEqual({ host: "localhost", authorization: undefined, key: true });
    expect((await ask("by-password")).body["data"]).toEqual(data);
    expect(seen()).toEqual({ host: "127.0.0.1", authorization: basic("bob"), key: false });
    expect((await ask("desk")).body["data"]).toEqual(data);
    expect(seen()).toEqual({ host: "127.0.0.1", authorization: basic("ann@desk.example"), key: false });
  });

  it("may be replaced by one of another kind", async () => {
    await add("changing", {});
    expect((await ask("changing")).status).toBe(200);
    const pair = JSON.stringify({ user: "eve", password: token });
    await stored((store) =>
      rotateCredential({ store, keys, connectors: [desk], platforms: {} }, "changing", { text: pair, kind: "password" }),
    );
    expect((await ask("changing")).status).toBe(200);
    expect(seen().authorization).toBe(basic("eve"));
    const wrong = JSON.stringify({ user: token, password: "wrong-canary" });
    await stored((store) => rotateCredential({ store, keys, connectors: [desk], platforms: {} }, "changing", { text: wrong }));
    const { text } = await ask("changing");
    expect(text).toContain("platform_unauthorized");
    expect(text + tenon.log.join("")).not.toContain("wrong-canary");
  });

  it.each<[string, Partial<NewConnector>, object]>([
    [
      "an unknown kind",
      { credential: { text: token, kind: "basic" } },
      { pointer: "/credential", message: expect.stringContaining("query (token); password (user, password)") },
    ],
    ["a kind whose values are missing", { credential: { text: token, kind: "password" } }, { pointer: "/credential" }],
    ["an unknown variable", { variables: ["hots=a", "host=b"] }, { pointer: "/variable", allowed: ["host"], suggestion: "host" }],
    ["no value of a variable", { variables: [] }, { pointer: "/variable/host", code: "missing" }],
    ["two values of a variable", { variables: ["host=a", "host=b"] }, { pointer: "/variable/host", code: "repeated" }],
    ["a value that could lead elsewhere", { variables: ["host=a/b"] }, { pointer: "/variable/host", code: "wrong_form" }],
    [
      "a value that leads into a private network",
      { variables: ["host=10.0.0.1"] },
      { pointer: "/variable", code: "bad_address" },
    ],
    ["an address of an API that there is not", { graphql: "https://a.example" }, { pointer: "/graphql-url", code: "unused" }],
  ])("are refused with %s", async (_title, given, fault) => {
    await expect(add("wrong", given)).rejects.toMatchObject({ faults: [expect.objectContaining(fault)] });
    expect((await ask("wrong")).body).toMatchObject({ status: 404, code: "unknown_connector" });
  });

  it("of the settings need every value and every variable", () => {
    const problems = (env: Record<string, string>) => {
      try {
        readSettings(env, [desk]);
      } catch (thrown) {
        return thrown instanceof SettingsError ? thrown.message : String(thrown);
      }
      return "";
    };
    expect(problems({ DESK_USER: "u", DESK_HOST: "a" })).toContain("DESK_PASSWORD must be set too");
    expect(problems({ DESK_KEY: "k" })).toContain('DESK_HOST must be set for the connector "desk"');
    expect(problems({ DESK_KEY: "k", DESK_USER: "u", DESK_PASSWORD: "p", DESK_HOST: "a" })).toContain("several credentials");
  });
});
