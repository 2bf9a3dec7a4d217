import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { jira } from "../../../generated/jira/index.ts";
import { endpointsOf } from "../../../runtime/execute/connect.ts";
import { withoutPlaceholders } from "../../../runtime/main/settings/placeholder.ts";
import { readSettings, SettingsError } from "../../../runtime/main/settings/settings.ts";
import { openWarnings } from "../../../runtime/main/settings/settings-check.ts";
import { tokenCredential } from "../../support/credential.ts";
import { tiny } from "../../support/tiny-connector.ts";

const connectors = [github];

const issuer = { TENON_OAUTH_ISSUER: "https://login.example", TENON_PUBLIC_URL: "https://tenon.example" };

function file(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "tenon-settings-")), "tenon.yaml");
  writeFileSync(path, text);
  return path;
}

function problems(environment: Record<string, string>, path?: string): string {
  try {
    readSettings(environment, connectors, path);
  } catch (thrown) {
    if (thrown instanceof SettingsError) return thrown.message;
    throw thrown;
  }
  return "";
}

describe("settings", () => {
  it("have the documented defaults", () => {
    const { settings, warnings } = readSettings({}, connectors);
    expect(settings).toMatchObject({
      port: 8787,
      host: "127.0.0.1",
      apiKey: "",
      dataDir: ".tenon",
      timeoutMs: 30_000,
      platforms: { github: { credential: undefined } },
    });
    expect(warnings).toEqual([]);
  });

  it("come from the environment before the file, and an empty variable counts as not set", () => {
    const path = file("port: 9000\nhost: 0.0.0.0\n");
    expect(readSettings({ PORT: "9001", HOST: "" }, connectors, path).settings).toMatchObject({ port: 9001, host: "0.0.0.0" });
    expect(readSettings({ TENON_CONFIG: path }, connectors).settings.port).toBe(9000);
  });

  it("have names of their own for the port and the address, which win over the usual ones", () => {
    const read = (environment: Record<string, string>) => {
      const { port, host } = readSettings(environment, connectors).settings;
      return [port, host];
    };
    expect(read({ PORT: "9001", HOST: "::1" })).toEqual([9001, "::1"]);
    expect(read({ TENON_PORT: "9002", TENON_HOST: "::" })).toEqual([9002, "::"]);
    expect(read({ TENON_PORT: "9002", PORT: "9001", TENON_HOST: "::", HOST: "::1" })).toEqual([9002, "::"]);
    // Kubernetes sets this variable for a service that is called tenon.
    expect(read({ TENON_PORT: "tcp://10.0.0.1:8787", PORT: "9001" })).toEqual([9001, "127.0.0.1"]);
    expect(problems({ TENON_PORT: "http" })).toContain("TENON_PORT must be a whole number from 0 to 65535");
    expect(readSettings({ TENON_PORT: "1", PORT: "2" }, connectors).warnings).toEqual([]);
  });

  it.each([
    [{ PORT: "http" }, "PORT must be a whole number from 0 to 65535"],
    [{ PORT: "70000" }, "PORT must be"],
    [{ TENON_LOG_LEVEL: "loud" }, "TENON_LOG_LEVEL must be one of trace, debug"],
    [{ TENON_API_KEY: "two words" }, "TENON_API_KEY must be"],
    [{ GITHUB_TOKEN: "a\nb" }, "GITHUB_TOKEN must be one token"],
    [{ GITHUB_TOKEN: `\${GITHUB_TOKEN:-}` }, "GITHUB_TOKEN is a placeholder"],
    [{ TENON_POLICY: `\${env:TENON_POLICY}` }, "TENON_POLICY is a placeholder"],
    [{ TENON_DATABASE_READ_URL: "postgres://replica/tenon" }, "names a replica of TENON_DATABASE_URL, which is not set"],
    [{ ...issuer, TENON_OAUTH_JWKS_URL: "https://10.0.0.1/keys?v=1" }, "TENON_OAUTH_JWKS_URL is in a private network"],
    [{ GITHUB_API_URL: "ftp://x" }, "GITHUB_API_URL must be an http or https address"],
    [{ TENON_CONFIG: "/nowhere.yaml" }, "/nowhere.yaml: cannot be read"],
  ])("refuse %j", (environment, message) => {
    expect(problems(environment)).toContain(message);
  });

  it("take keys of tokens from a private network where that is allowed", () => {
    const own = { ...issuer, TENON_OAUTH_JWKS_URL: "https://10.0.0.1/keys", TENON_ALLOW_PRIVATE_ADDRESSES: "true" };
    expect(problems(own)).toBe("");
  });

  it("drop credentials of which a client has passed on the placeholder, and nothing else", () => {
    const given = { GITHUB_TOKEN: `\${env:GITHUB_TOKEN}`, TENON_API_KEY: `\${input:tenon-api-key}`, HOME: "/home/ada" };
    const { environment, text } = withoutPlaceholders(given, connectors);
    expect(environment).toEqual({ TENON_API_KEY: given.TENON_API_KEY, HOME: given.HOME });
    expect(text).toMatch(/^Not set: GITHUB_TOKEN\. The client has passed on a placeholder/);
    expect(withoutPlaceholders({ GITHUB_TOKEN: "t" }, connectors)).toEqual({ environment: { GITHUB_TOKEN: "t" }, text: "" });
  });

  it("take the variable with the key of an agent for known", () => {
    const { warnings } = readSettings({ TENON_AGENT_KEY: "key", TENON_API_KEYS: "key" }, connectors);
    expect(warnings).toEqual(["unknown setting TENON_API_KEYS; did you mean TENON_API_KEY?"]);
  });

  it("tell every problem of a file at once, and never the value", () => {
    const told = problems({}, file("prot: 1\ntimeoutMs: secret-in-the-wrong-place\n"));
    expect(told).toContain('unknown setting "prot" (did you mean "port"?)');
    expect(told).toContain("timeoutMs must be a whole number");
    expect(told).not.toContain("secret-in");
  });

  it("tell of an unknown setting that is like none, and where all are listed", () => {
    expect(problems({}, file("maxBody: 5\n"))).toMatch(/: unknown setting "maxBody" \(`tenon settings` lists all\)$/);
  });

  it.each([
    ["nope.yaml", "nope.yaml: cannot be read (ENOENT)"],
    [".", ".: cannot be read (EISDIR)"],
  ])("tell why the file %s cannot be read", (path, message) => {
    expect(problems({}, path)).toBe(message);
  });

  it("tell where the file is not YAML", () => {
    expect(problems({}, file("port: 1\nport: 2\n"))).toMatch(
      /: cannot be read as YAML: Map keys must be unique at line 2, column 1$/,
    );
  });

  it("take a platform's token and addresses from the file too, and the environment first", () => {
    const path = file("platforms:\n  github: { token: from-the-file, rest: 'http://ghe.example/api/v3' }\n");
    const inFile = readSettings({}, connectors, path).settings.platforms["github"];
    expect(inFile).toEqual({
      credential: tokenCredential("from-the-file"),
      rest: "http://ghe.example/api/v3",
      graphql: undefined,
    });
    const both = readSettings({ GITHUB_TOKEN: "from-the-environment" }, connectors, path).settings.platforms["github"];
    expect(both).toMatchObject({ credential: tokenCredential("from-the-environment"), rest: "http://ghe.example/api/v3" });
  });

  it.each([
    ["platforms: github", "platforms must be a mapping of connectors (github)"],
    ["platforms: { gitlab: {} }", 'platforms: unknown connector "gitlab" (allowed: github)'],
    ["platforms: { github: secret }", "platforms.github must be a mapping (allowed: auth, token, app_id"],
    ["platforms: { github: { tokn: x } }", 'platforms.github: unknown setting "tokn" (allowed: auth, token, app_id'],
    ["platforms: { github: { ghp_a_secret_that_stands_in_the_place_of_a_name: x } }", 'unknown setting "ghp_a_secret…" (allowed'],
    ["platforms: { github: { auth: pat } }", 'platforms.github.auth: unknown kind "pat" (allowed: token, app, user)'],
    ["platforms: { github: { token: 5 } }", "platforms.github.token must be a string"],
    ["platforms: { github: { rest: 'ftp://x' } }", "platforms.github.rest must be an http or https address"],
    ["platforms: { github: { graphql: 'http://x/graphql' } }", "so GITHUB_API_URL must be set too"],
  ])("refuse a file with %s", (text, message) => {
    expect(problems({}, file(text))).toContain(message);
  });

  it("take a credential with which tokens are got, and what instances have in common of it", () => {
    const client = { GITHUB_CLIENT_ID: "c", GITHUB_CLIENT_SECRET: "s" };
    const values = { client_id: "c", client_secret: "s" };
    expect(readSettings(client, connectors).settings.platforms["github"]).toMatchObject({
      credential: undefined,
      shared: { user: values },
    });
    const user = { ...client, GITHUB_REFRESH_TOKEN: "r" };
    const key = { TENON_SECRET_KEY: "a-secret-key-of-thirty-two-characters" };
    expect(readSettings({ ...user, ...key }, connectors).settings.platforms["github"]?.credential).toEqual({
      kind: "user",
      values: { ...values, refresh_token: "r" },
    });
    expect(problems(user)).toContain("GITHUB_REFRESH_TOKEN needs TENON_SECRET_KEY");
    expect(problems({ GITHUB_REFRESH_TOKEN: "r" })).toContain("GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET must be set too");
    const app = { GITHUB_APP_ID: "1", GITHUB_APP_PRIVATE_KEY: "canary", GITHUB_APP_INSTALLATION_ID: "2" };
    expect(problems(app)).toContain("GITHUB_APP_PRIVATE_KEY must be a private RSA key in PEM");
    expect(problems(app)).not.toContain("canary");
    expect(problems({ ...client, ...key, TENON_PUBLIC_URL: "https://tenon.example/" })).toContain("TENON_PUBLIC_URL must be");
  });

  it("warn of a service that listens on all addresses without TLS in front of it", () => {
    const shown = openWarnings({ host: "0.0.0.0", publicUrl: "http://tenon.example" });
    expect(shown).toEqual([expect.stringMatching(/^TENON_HOST=0\.0\.0\.0 listens on all addresses without TLS/)]);
    expect(openWarnings({ host: "::", publicUrl: "" })).toHaveLength(1);
    expect(openWarnings({ host: "127.0.0.1", publicUrl: "" })).toEqual([]);
    expect(openWarnings({ host: "0.0.0.0", publicUrl: "https://tenon.example" })).toEqual([]);
  });

  it("refuse addresses, origins and networks that nothing can use, by the name of the setting", () => {
    const wrong = {
      TENON_PUBLIC_URL: ["https://[::1", "https://tenon.example:99999"],
      TENON_URL: ["http://tenon.example:99999"],
      TENON_OAUTH_ISSUER: ["https://[::1"],
      TENON_EMBEDDINGS: ["https://embed.example:99999/v1"],
      TENON_CORS_ORIGINS: ["https://app.example:99999"],
      TENON_TRUST_PROXY: ["10.0.0", "10", "10.0.0.0/33", "0.0.0.0/0", "::/129", "a.b", "loopback,10.0.0.256"],
      TENON_HOST: ["256.1.1.1", "127.0.0.1:8787"],
      TENON_METRICS_HOST: ["1.2.3.4.5"],
    };
    for (const [name, values] of Object.entries(wrong))
      for (const value of values)
        expect([value, problems({ ...issuer, [name]: value })]).toEqual([value, expect.stringContaining(`${name} must be`)]);
    const good = "loopback, 10.0.0.0/8, ::1, fd00::/8, 192.0.2.7/32";
    expect(readSettings({ TENON_TRUST_PROXY: good }, connectors).settings.trustProxy).toEqual(good.split(", "));
  });

  it("name origins as browsers send them, and an address to listen on by its usual form", () => {
    const { settings } = readSettings(
      { TENON_CORS_ORIGINS: "https://App.example, https://b.example:443, http://c.example:8080, http://[0:0:0:0:0:0:0:1]:80" },
      connectors,
    );
    expect(settings.corsOrigins).toEqual(["https://app.example", "https://b.example", "http://c.example:8080", "http://[::1]"]);
    const hosts = { "0": "0.0.0.0", "127.1": "127.0.0.1", LOCALHOST: "localhost", "0:0:0:0:0:0:0:0": "::", "::1": "::1" };
    for (const [given, host] of Object.entries(hosts))
      expect(readSettings({ TENON_HOST: given }, connectors).settings.host).toBe(host);
  });

  it("take no address of a service with a password, which messages would show", () => {
    const problem = problems({ TENON_URL: "https://me:canary@tenon.example" });
    expect(problem).toContain("TENON_URL must be an http or https address without user");
    expect(problem).not.toContain("canary");
  });

  it("take scopes to sync as a list in the file, and between commas in the environment", () => {
    const scopes = ["repository=octocat/hello-world", "user=octocat"];
    expect(readSettings({ TENON_SYNC_SCOPES: scopes.join(", ") }, connectors).settings.syncScopes).toEqual(scopes);
    expect(readSettings({}, connectors, file(`syncScopes: [${scopes.join(", ")}]`)).settings.syncScopes).toEqual(scopes);
    expect(problems({ TENON_SYNC_SCOPES: "the repository=a" })).toContain("TENON_SYNC_SCOPES must be scopes such as");
  });

  it.each([
    [{ TENON_SIMULATE: "gitlub" }, 'TENON_SIMULATE: unknown connector "gitlub" (allowed: github, tiny)'],
    [{ TENON_SIMULATE: "tiny" }, 'TENON_SIMULATE: the connector "tiny" has no simulator'],
    [
      { TENON_SIMULATE: "github", GITHUB_TOKEN: "x" },
      'TENON_SIMULATE: the connector "github" has a credential (GITHUB_TOKEN); remove one of the two',
    ],
    [{ TENON_SIMULATE: "Git Hub" }, "TENON_SIMULATE must be names of connectors, between commas"],
  ])("refuse to simulate what cannot or must not be: %j", (environment, message) => {
    expect(() => readSettings(environment, [github, tiny])).toThrow(message);
  });

  it("take a variable of an address only where it cannot change the host", () => {
    expect(readSettings({ JIRA_SITE: "shop" }, [jira]).settings.platforms["jira"]?.variables).toEqual({ site: "shop" });
    expect(() => readSettings({ JIRA_SITE: "evil.example/" }, [jira])).toThrow("JIRA_SITE may have only letters, digits and");
  });

  it("take connectors to simulate, from the file too", () => {
    const environment = { TINY_TOKEN: "x", TENON_SIMULATE: "github" };
    expect(readSettings(environment, [github, tiny]).settings.simulate).toEqual(["github"]);
    expect(readSettings({}, [github, tiny], file("simulate: [github]")).settings.simulate).toEqual(["github"]);
    const wrong = () => readSettings({}, [github, tiny], file("simulate: [tiny]"));
    expect(wrong).toThrow(/\.yaml: simulate: the connector "tiny" has no simulator/);
  });

  it("warn of variables that look like ours and are not", () => {
    expect(readSettings({ TENON_APIKEY: "x" }, connectors).warnings).toEqual([
      "unknown setting TENON_APIKEY; did you mean TENON_API_KEY?",
    ]);
  });
});

describe("addresses of the platform", () => {
  it.each([
    [{}, "https://api.github.com", "https://api.github.com/graphql"],
    [{ rest: "https://ghe.example/api/v3/" }, "https://ghe.example/api/v3", "https://ghe.example/api/graphql"],
    [{ rest: "http://127.0.0.1:1" }, "http://127.0.0.1:1", "http://127.0.0.1:1/graphql"],
    [{ rest: "https://a.example", graphql: "https://b.example/g" }, "https://a.example", "https://b.example/g"],
    [{ graphql: "https://b.example/g" }, "https://api.github.com", "https://b.example/g"],
  ])("%j", (configured, rest, graphql) => {
    expect(endpointsOf(github, configured)).toMatchObject({ rest, graphql });
  });
});
