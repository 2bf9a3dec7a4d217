import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolRequest } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectors } from "../../generated/index.ts";
import { compactJson } from "../../generator/print/compact-json.ts";
import { type Service, startService } from "../../runtime/main/index.ts";
import { readSettings } from "../../runtime/main/settings/settings.ts";
import { answerKey, isProblem, ways } from "../../runtime/site/examples.ts";
import { useCommandHost } from "../support/command-host.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { withoutPace } from "../support/fake-instance.ts";
import { type Example, examplesOf, withoutTimes } from "./examples.ts";
import { site } from "./site.ts";

// Every example is sent as its page shows it, and the answer on the page has to be the answer that comes.
// `UPDATE_ANSWERS=1` records the answers that come now; the change is then read in the diff.

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const update = process.env["UPDATE_ANSWERS"] === "1";
const pages = [...site].filter(([path]) => path.endsWith(".html"));
const examples = pages.flatMap(([path, html]) => examplesOf(path, String(html)));
const isWrite = ({ connector, request: { entity, action } }: Example) =>
  connectors.find(({ name }) => name === connector)?.entities[entity]?.actions[action]?.traits.writes === true;
// Reads first, so that they see what the simulated platform had at its start. Each way has a platform of its own.
const ordered = [...examples.filter((one) => !isWrite(one)), ...examples.filter(isWrite)];
const sentBy = (way: string) => ordered.filter(({ ways }) => ways.has(way));
const named = (all: readonly Example[]) =>
  all.map((example, place) => [`${example.page} ${example.request.entity}.${example.request.action}`, example, place] as const);

/** Writes need not wait a second for each other here. */
const withoutWaits = connectors.map(withoutPace);
const host = useCommandHost();
const apiKey = "key-of-the-examples-test";
const dataDir = mkdtempSync(join(tmpdir(), "tenon-examples-"));
const environment = { TENON_DATA_DIR: dataDir, TENON_LOG_LEVEL: "silent", TENON_API_KEY: apiKey, PORT: "0" };

beforeAll(async () => {
  const syncs = connectors.map(({ name, scopes }) => {
    const wanted = Object.entries(scopes).flatMap(([kind, { example }]) =>
      example === undefined ? [] : ["--scope", `${kind}=${example}`],
    );
    return ["sync", name, ...wanted];
  });
  for (const { status, text } of await commandLines(syncs, environment)) expect(status, text).toBe(0);
}, 240_000);

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs command lines one after the other. */
async function commandLines(lines: readonly (readonly string[])[], env: Readonly<Record<string, string>>) {
  const ended = [];
  for (const line of lines) {
    const { code, out, err } = await host.run(line, env, root);
    ended.push({ status: code, text: out || err });
  }
  return ended;
}

/** A service on platforms as they are at their start, for the tests of one way. */
function useService(more: Readonly<Record<string, string>> = {}): { readonly url: string } {
  let service: Service | undefined;
  beforeAll(async () => {
    const { settings } = readSettings({ ...environment, ...more }, connectors);
    service = await startService(settings, { connectors: withoutWaits });
    await service.ready;
  });
  afterAll(() => service?.close());
  return {
    get url() {
      return service?.url ?? "";
    },
  };
}

/** The simulated platform has another address in each run; the pages show the address of the real one in its place. */
function withPlatformAddress(answer: unknown, name: string): unknown {
  const address = connectors.find((one) => one.name === name)?.platform.rest?.url ?? "";
  return JSON.parse(JSON.stringify(answer).replace(/http:\/\/127\.0\.0\.1:\d+/g, address)) as unknown;
}

function expectShown(answer: unknown, example: Example): void {
  const came = withPlatformAddress(answer, example.connector);
  expect(withoutTimes(came, isWrite(example))).toEqual(withoutTimes(example.answer, isWrite(example)));
}

/** What every way tells of an error. */
function told(problem: unknown): object {
  const { code, message, retryable, errors } = problem as Readonly<Record<string, unknown>>;
  return { code, message, retryable, errors };
}

/** Like {@link expectShown}, for ways that show an error in a form of their own. */
function expectTold(answer: unknown, example: Example): void {
  if (isProblem(example.answer)) expect(told(answer)).toEqual(told(example.answer));
  else expectShown(answer, example);
}

describe("the examples of the pages", () => {
  it("show every way to send the request, or say why one cannot", () => {
    const silent = examples.filter(({ ways: shown, unsent }) => {
      const without = ways.filter(({ name }) => !shown.has(name));
      return (
        without.length !== unsent.length ||
        without.some(({ title }, at) => !unsent[at]?.startsWith(`There is no tab for ${title}. `))
      );
    });
    expect(silent.map(({ page, request }) => [page, request])).toEqual([]);
    expect(examples.filter(({ unsent }) => unsent.length > 0).length, "examples without a tab").toBeLessThan(5);
    expect(examples.filter(({ answer }) => isProblem(answer)).length, "examples of errors").toBeGreaterThan(0);
  });

  it("are there for every action of every entity", () => {
    const shown = new Set(examples.map(({ connector, request: { entity, action } }) => `${connector} ${entity}.${action}`));
    const wanted = connectors.flatMap(({ name, entities }) =>
      Object.entries(entities).flatMap(([entity, { actions, sync }]) => [
        ...Object.keys(actions).map((action) => `${name} ${entity}.${action}`),
        ...(sync.length === 0 ? [] : [`${name} ${entity}.context_store_search`]),
      ]),
    );
    expect(wanted.filter((action) => !shown.has(action))).toEqual([]);
  });
});

describe("curl", () => {
  const service = useService();
  const shown = sentBy("curl");
  const recorded = new Map<string, Record<string, unknown>>();
  let answers: readonly string[] = [];

  beforeAll(async () => {
    // One shell runs all commands, one after the other.
    const curl = ({ ways }: Example) => ways.get("curl")?.replaceAll("http://127.0.0.1:8787", service.url);
    // The first search of a process opens its files. What is recorded are the times of a service that has been asked before.
    const before = update ? shown.filter((one) => !isWrite(one)).map((one) => `${curl(one)} > /dev/null`) : [];
    const commands = [...before, ...shown.map((one) => `${curl(one)}\nprintf '\\0'`)];
    const shell = endsWithTests(
      spawn("bash", ["-s"], { env: { ...process.env, TENON_API_KEY: apiKey }, stdio: ["pipe", "pipe", "inherit"] }),
    );
    shell.stdin.end(commands.join("\n"));
    answers = (await text(shell.stdout)).split("\0");
  }, 240_000);

  afterAll(() => {
    if (update)
      for (const [connector, kept] of recorded)
        writeFileSync(join(root, "generated", connector, "answers.json"), compactJson(kept, 1));
  });

  it.each(named(shown))("%s: gets the answer shown", (_name, example, place) => {
    const answer = JSON.parse(answers[place] ?? "") as { data?: unknown };
    if (update) {
      const came = withPlatformAddress(answer, example.connector);
      // What differs only in its times stays as it was recorded.
      const times = (one: unknown) => JSON.stringify(withoutTimes(one, isWrite(example)));
      const kept = example.answer !== undefined && times(came) === times(example.answer) ? example.answer : came;
      recorded.set(example.connector, { ...recorded.get(example.connector), [answerKey(example.request)]: kept });
      return;
    }
    expectShown(answer, example);
    const { data } = answer;
    if (example.page.includes("/")) expect(Array.isArray(data) ? data.length : 1, "the answer has a record").toBeGreaterThan(0);
  });
});

describe.skipIf(update)("TypeScript", () => {
  const service = useService();
  const shown = sentBy("typescript");
  const folder = join(root, ".cache/examples");
  let lines: readonly string[] = [];

  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const files = shown.map(({ ways }, place) => {
      const file = join(folder, `${place}.ts`);
      const sample = (ways.get("typescript") ?? "").replaceAll("http://127.0.0.1:8787", service.url);
      // Node finds the modules of the client package under the name of the package that it is a part of.
      writeFileSync(file, sample.replace(' from "tenon-client/', ' from "tenon/'));
      return file;
    });
    const driver = join(import.meta.dirname, "typescript-driver.js");
    const { stdout } = await run(process.execPath, [...process.execArgv, driver, ...files], {
      env: { ...process.env, TENON_API_KEY: apiKey },
      maxBuffer: 2 ** 26,
    });
    lines = stdout.trim().split("\n");
  }, 240_000);

  it("compiles", async () => {
    const paths = { "tenon/*": ["../../generated/*/client.ts"] };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "../../tsconfig.json", compilerOptions: { paths }, include: ["*.ts"], exclude: [] }),
    );
    await run(join(root, "node_modules/.bin/tsc"), ["-p", folder]).catch((error: { stdout?: string }) => {
      throw new Error(error.stdout ?? "tsc failed");
    });
  }, 240_000);

  it.each(named(shown))("%s: gets the answer shown", (_name, example, place) => {
    expectTold(JSON.parse(lines[place] ?? "null"), example);
  });
});

describe.skipIf(update)("the command line", () => {
  const service = useService();
  const shown = sentBy("command-line");
  let printed: readonly { readonly text: string }[] = [];

  beforeAll(async () => {
    // A shell reads the commands, so that its quotes count; only the last step, which starts the program, is taken out of its hands.
    const start = `node() { printf '%s\\0' "\${@:2}"; printf '\\n\\0'; }`;
    const script = [start, ...shown.map(({ ways }) => ways.get("command-line"))].join("\n");
    const { stdout: words } = await run("bash", ["-c", script]);
    const commands = words.split("\n\0").slice(0, -1);
    // An error is JSON where no terminal is.
    printed = await commandLines(
      commands.map((command) => command.split("\0").slice(0, -1)),
      { TENON_URL: service.url, TENON_API_KEY: apiKey },
    );
  }, 240_000);

  it.each(named(shown))("%s: gets the answer shown", (_name, example, place) => {
    expectShown(JSON.parse(printed[place]?.text ?? "null"), example);
  });
});

describe.skipIf(update)("MCP", () => {
  const service = useService({ TENON_MCP_WRITES: "true" });
  const shown = sentBy("mcp");
  const client = new Client({ name: "examples", version: "1" });

  beforeAll(async () => {
    const requestInit = { headers: { Authorization: `Bearer ${apiKey}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
  });
  afterAll(() => client.close());

  it("is shown for every action of every entity", () => {
    const pagesOfConnectors = ordered.filter(({ page, ways }) => page.includes("/") && ways.has("curl"));
    expect(pagesOfConnectors.filter(({ ways }) => !ways.has("mcp")).map(({ page, request }) => [page, request])).toEqual([]);
  });

  it.each(named(shown))("%s: gets the answer shown", async (_name, example) => {
    const { method, params } = JSON.parse(example.ways.get("mcp") ?? "") as CallToolRequest;
    expect(method).toBe("tools/call");
    const { content, isError } = await client.callTool(params);
    const [said] = content as [{ text: string }];
    const value = JSON.parse(said.text) as { error?: unknown; meta?: Record<string, unknown> };
    // Models alone get the total of a live list.
    const { meta } = example.answer as { readonly meta?: object };
    if (meta !== undefined && !Object.hasOwn(meta, "total_count")) delete value.meta?.["total_count"];
    expectTold(isError === true ? value.error : value, example);
  });
});
