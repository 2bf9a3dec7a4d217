import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { useCommandHost } from "../support/command-host.ts";
import type { Platform } from "../support/github/start.ts";
import { bash, type Running, withProcesses } from "./support/process.ts";
import { apiKey, pause } from "./support/service.ts";

// How the service starts: for a first trial, with a token, and with settings that are wrong.

const host = useCommandHost();
const onPlatform = (platform: Platform) => ({ GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url });

/** The command that the greeting gives to try. */
async function shownCommand(running: Running): Promise<string> {
  await running.told("curl ");
  // What is written in one piece may be read in several; the end of the command is its body and the quote behind it.
  const end = "}}'";
  const told = await running.told(end);
  const key = told.indexOf("export TENON_API_KEY=");
  // Later output does not belong to it.
  return told.slice(key < 0 ? told.indexOf("curl ") : key, told.indexOf(end) + end.length).trim();
}

describe("a start without a token", () => {
  it.concurrent("uses invented data, and prints a command that works when it is pasted", () =>
    withProcesses(async ({ start }) => {
      const running = start({});
      const command = await shownCommand(running);
      expect(running.err()).toMatch(/^SIMULATED/);
      expect(running.err()).toContain("GITHUB_TOKEN");
      const { code, out, err } = await bash(command);
      expect([code, err]).toEqual([0, ""]);
      const { data, meta } = JSON.parse(out);
      expect(Object.keys(data).sort()).toEqual(["author", "number", "state", "title"]);
      expect(meta).toEqual({ has_next_page: false, end_cursor: null, simulated: true });
      // The key is shown to the person, and is not in the log.
      const [key = ""] = /tenon_[\w-]{43}/.exec(command) ?? [];
      expect(key).not.toBe("");
      expect(running.out()).not.toContain(key);
      running.child.kill("SIGTERM");
      expect(await running.exit).toBe(0);
    }));

  it.concurrent("fills the cache with examples before it greets, and logs none of their syncs around the key", () =>
    withProcesses(async ({ start }) => {
      const running = start({}, ["serve", "--examples"]);
      await running.told("Filling the cache");
      const begun = performance.now();
      await running.told("Tenon is ready");
      const waited = performance.now() - begun;
      expect(running.err().split("\n")[0]).toBe("Filling the cache with examples…");
      const [key = ""] = /tenon_[\w-]{43}/.exec(running.err()) ?? [];
      const address = `${await running.url()}/api/v1/integrations/connectors/github/execute`;
      const search = async () => {
        const found = await fetch(address, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: '{"entity":"tags","action":"context_store_search","params":{"query":{},"limit":1}}',
        });
        return JSON.parse(await found.text());
      };
      // The greeting waits for 20 s at the longest, which a busy machine may take. What the process prints may come late there, too.
      let found = await search();
      for (const end = begun + 100_000; waited > 15_000 && found.data.length === 0 && performance.now() < end; ) {
        await pause(500);
        found = await search();
      }
      expect(found).toMatchObject({ data: [{}] });
      expect(running.log().map(({ msg }) => msg)).not.toContain("synced");
      expect(running.log().map(({ msg }) => msg)).toContain("listening");
    }));

  it.concurrent("takes the key that it is given, and does not show it", () =>
    withProcesses(async ({ start }) => {
      const running = start({ TENON_API_KEY: apiKey });
      const command = await shownCommand(running);
      expect(running.err() + running.out()).not.toContain(apiKey);
      const { code, out } = await bash(command, { TENON_API_KEY: apiKey });
      expect([code, JSON.parse(out).data.number]).toEqual([0, 1]);
    }));

  it.concurrent("is ready when it says so", () =>
    withProcesses(async ({ start }) => {
      const running = start({ TENON_API_KEY: apiKey });
      const url = await running.url();
      const early = (await fetch(`${url}/readyz`)).status;
      expect([200, 503]).toContain(early);
      await running.told("Tenon is ready");
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    }));
});

describe("a start with a token", () => {
  it.concurrent("makes a key, shows it once and keeps its hash only", () =>
    withProcesses(async ({ platform, start, folder }) => {
      const home = folder();
      const first = start(onPlatform(platform), ["serve"], home);
      const command = await shownCommand(first);
      expect(first.err()).not.toMatch(/SIMULATED/);
      expect(JSON.parse((await bash(command)).out).data.number).toBe(1);
      const [key = ""] = /tenon_[\w-]{43}/.exec(command) ?? [];
      const file = join(home, ".tenon", "api-key.json");
      expect(readFileSync(file, "utf8")).not.toContain(key);
      expect(statSync(file).mode & 0o077).toBe(0);
      first.child.kill("SIGTERM");
      await first.exit;

      const second = start(onPlatform(platform), ["serve"], home);
      const again = await shownCommand(second);
      expect(second.err()).not.toMatch(/tenon_[\w-]{43}/);
      // The key of the first start still works.
      expect(JSON.parse((await bash(again, { TENON_API_KEY: key })).out).data.number).toBe(1);
      expect(first.out() + first.err() + second.out() + second.err()).not.toContain(ownerToken);
    }));

  it.concurrent("loads the entities of a connector when they are first used, and none of those that are off", () =>
    withProcesses(async ({ platform, start }) => {
      const hooks = `import { registerHooks } from "node:module";
        registerHooks({ load: (url, context, next) => { process._rawDebug(url); return next(url, context); } });`;
      const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(hooks)}`;
      const running = start({ ...onPlatform(platform), TENON_API_KEY: apiKey, NODE_OPTIONS });
      const command = await shownCommand(running);
      const loaded = () => [...running.err().matchAll(/^file:.*\/generated[-/](\w+)[-/]index\.[jt]s/gm)].map(([, name]) => name);
      expect(loaded()).toEqual([]);
      expect((await bash(command, { TENON_API_KEY: apiKey })).code).toBe(0);
      expect(loaded()).toEqual(["github"]);
    }));

  it.concurrent("fails when the file of its key is spoilt", () =>
    withProcesses(async ({ platform, start, folder }) => {
      const home = folder();
      writeFileSync(join(home, "api-key.json"), '{"sha256":"zz"}');
      const running = start({ ...onPlatform(platform), TENON_DATA_DIR: home, TENON_TIMEOUT: "5" });
      expect(await running.exit).toBe(69);
      expect(running.err()).toContain("api-key.json");
      // What was wrong before that is told too.
      expect(running.out()).toContain("unknown setting TENON_TIMEOUT");
    }));
});

describe("a start with a file that cannot be used", () => {
  it.concurrent.each(["context-store.sqlite", "accounts.sqlite"])(
    "fails with one line for %s, and leaves the file as it is",
    (name) =>
      withProcesses(async ({ platform, start, folder }) => {
        const dataDir = folder();
        const file = join(dataDir, name);
        const content = "Dear diary, ".repeat(1_000);
        writeFileSync(file, content);
        const secret = { TENON_SECRET_KEY: "secret-key-of-the-tests-of-the-start" };
        const running = start({ ...onPlatform(platform), ...secret, TENON_DATA_DIR: dataDir });
        expect(await running.exit).toBe(78);
        expect(running.err()).toMatch(/^[^\n]*\n$/);
        const { detail } = JSON.parse(running.err()) as { detail: string };
        expect(detail).toMatch(/^cannot start: The file .* is (not an SQLite file|damaged)/);
        expect(readFileSync(file, "utf8")).toBe(content);
      }),
  );
});

describe("settings", () => {
  const allWrong: Record<string, string> = {
    PORT: "abc",
    HOST: "a b",
    TENON_LOG_LEVEL: "loud",
    TENON_TIMEOUT_MS: "5",
    TENON_SHUTDOWN_MS: "soon",
    TENON_MAX_REQUESTS: "0",
    TENON_API_KEY: "se cret",
    GITHUB_TOKEN: "ghp_se cret",
    GITHUB_API_URL: "ftp://example.com",
    GITHUB_GRAPHQL_URL: "example.com/graphql",
  };
  const wrong: [env: Record<string, string>, says: RegExp[]][] = [
    [
      allWrong,
      [
        ...Object.keys(allWrong).map((name) => new RegExp(`^${name} must be .+`, "m")),
        /LOG_LEVEL .*\binfo\b/,
        /TIMEOUT_MS .*\b100\b/,
      ],
    ],
    [{ PORT: "70000" }, [/^PORT .*\b65535\b/m]],
    [{ TENON_CONFIG: "no-such-file.yaml" }, [/no-such-file\.yaml/]],
    [
      { TENON_DATA_DIR: "/proc/no/such" },
      [/TENON_DATA_DIR: the folder \/proc\/no\/such cannot be made or written to \(ENOENT\)/],
    ],
    [{ GITHUB_TOKEN: "ghp_of_the_test", TENON_API_KEY: "of-15-character" }, [/TENON_API_KEY must have at least 16 characters/]],
    [
      { GITHUB_TOKEN: "ghp_of_the_test", TENON_COMPAT_CLIENT_ID: "c", TENON_COMPAT_CLIENT_SECRET: "of-15-character" },
      [/TENON_COMPAT_CLIENT_SECRET must have at least 16 characters/],
    ],
    // With this key, real platforms can be added while the service runs.
    [{ TENON_SECRET_KEY: "x".repeat(32), TENON_API_KEY: "of-15-character" }, [/TENON_API_KEY must have at least 16 characters/]],
    [{ SIMULATOR_WEBHOOKS: "lat:5" }, [/^SIMULATOR_WEBHOOKS has "lat:5": it takes late:<milliseconds/m]],
    [{ TENON_DATA_DIR: "/dev/null/x" }, [/TENON_DATA_DIR: .* \(EEXIST\)/]],
    [
      { TENON_SYNC_SCOPES: "repositry=octocat/hello-world" },
      [
        /TENON_SYNC_SCOPES: "repositry=octocat\/hello-world": There is no kind of scope "repositry"\. Did you mean "repository"\?/,
      ],
    ],
  ];
  it.concurrent.each(wrong)("%j are named, with exit status 78", (env, says) =>
    withProcesses(async ({ folder }) => {
      const ended = await host.run(["serve"], env, folder());
      expect([ended.code, ended.out]).toEqual([78, ""]);
      const { code, message } = JSON.parse(ended.err);
      expect(code).toBe("invalid_configuration");
      for (const one of says) expect(message).toMatch(one);
      // A value may be a secret in the wrong place.
      expect(ended.err).not.toContain("cret");
      expect(ended.err).not.toMatch(/\n\s+at /);
    }),
  );

  it.concurrent("may have a short key as long as every platform is simulated", () =>
    withProcesses(async ({ start }) => {
      const running = start({ TENON_API_KEY: "k" });
      await running.told("ready");
      expect(running.log().map(({ msg }) => msg)).toContain(
        "TENON_API_KEY must have at least 16 characters: 32 random ones are safe",
      );
    }));

  it.concurrent.each([
    ["prot: 5\n", ["prot", "port"]],
    ["logLevel: high\n", ["logLevel", "info"]],
    ["- port\n", ["mapping"]],
    ["port: [\n", ["YAML"]],
  ])("in the file %j are named too", (text, names) =>
    withProcesses(async ({ folder }) => {
      const file = join(folder(), "tenon.yaml");
      writeFileSync(file, text);
      const { code, err } = await host.run(["serve", "--config", file], {}, folder());
      expect(code).toBe(78);
      for (const name of names) expect(JSON.parse(err).message).toContain(name);
    }),
  );

  it.concurrent("come from a file, and the environment takes precedence", () =>
    withProcesses(async ({ platform, start, folder }) => {
      const file = join(folder(), "tenon.yaml");
      writeFileSync(file, `apiKey: key-from-the-file-0123\nlogLevel: warn\nport: 1\n`);
      const running = start({ ...onPlatform(platform), TENON_LOG_LEVEL: "info", TENON_CONFIG: file });
      const url = await running.url();
      const body = JSON.stringify({ entity: "viewer", action: "get" });
      const headers = { "content-type": "application/json", authorization: "Bearer key-from-the-file-0123" };
      const address = `${url}/api/v1/integrations/connectors/github/execute`;
      expect((await fetch(address, { method: "POST", headers, body })).status).toBe(200);
    }));

  it.concurrent("with a misspelt name cause a warning", () =>
    withProcesses(async ({ platform, start }) => {
      const running = start({ ...onPlatform(platform), TENON_API_KEY: apiKey, TENON_TIMEOUT: "5" });
      await running.url();
      expect(running.out()).toMatch(/unknown setting TENON_TIMEOUT; did you mean TENON_TIMEOUT_MS/);
    }));
});

describe("the command line", () => {
  it.concurrent("says that a port is taken", () =>
    withProcesses(async ({ platform, start }) => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      const port = typeof address === "object" && address !== null ? String(address.port) : "";
      const running = start({ ...onPlatform(platform), TENON_API_KEY: apiKey, PORT: port });
      expect(await running.exit).toBe(69);
      expect(JSON.parse(running.err())).toMatchObject({
        title: "The command cannot be run",
        code: "command_failed",
        message: expect.stringContaining(`port ${port} is taken`),
      });
      expect(running.err()).not.toMatch(/\n\s+at /);
      server.close();
    }));

  it.concurrent.each([
    [["--version"], 0, /^\d+\.\d+\.\d+/],
    [["--help"], 0, /serve.*sync/s],
    [["help"], 0, /serve.*sync/s],
    [["help", "serve"], 0, /--port <NUMBER>.*Examples:\n {2}tenon serve/s],
    [["sync", "--help"], 0, /--allow-mass-delete.*Examples:\n {2}tenon sync/s],
    [["settings"], 0, /TENON_LOG_LEVEL.*GITHUB_TOKEN/s],
    [[], 64, /A command is missing/],
    [["srve"], 64, /unknown command 'srve'\\n\(Did you mean serve\?\)\\nSee \\"tenon --help\\"/],
    [["serve", "--prt", "5"], 64, /unknown option '--prt'\\n\(Did you mean --port\?\)\\nSee \\"tenon serve --help\\"/],
    [["serve", "now"], 64, /too many arguments for 'serve'/],
    [["serve", "--scope", "repository=a/b"], 64, /unknown option '--scope'/],
  ])("%j", async (args, status, says) => {
    const { code, out, err } = await host.run(args);
    expect(code).toBe(status);
    expect(out + err).toMatch(says);
  });

  it.concurrent("takes a port and a host", () =>
    withProcesses(async ({ platform, start }) => {
      const running = start({ ...onPlatform(platform), TENON_API_KEY: apiKey, PORT: "1" }, [
        "serve",
        "--port",
        "0",
        "--host",
        "localhost",
      ]);
      expect(await running.url()).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d{2,}$/);
    }));
});
