import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectors } from "../../generated/index.ts";
import { type Service, startService } from "../../runtime/main/index.ts";
import { readSettings } from "../../runtime/main/settings/settings.ts";
import { browserPath, withoutBrowser } from "../support/browser.ts";
import { type Installed, installPacked, outputOf } from "./packed.ts";

/** A program of a web page. It prints what it did as JSON. */
const program = `
  import { errors, GitHub } from "tenon/github";
  const fetch = async () => Response.json({ data: { number: 1 }, meta: { has_next_page: false, end_cursor: null } });
  const github = new GitHub({ baseUrl: "https://tenon.example.com", token: "t", fetch });
  const { data } = await github.issues.get({ owner: "octocat", repo: "hello-world", number: 1 });
  let refused;
  try {
    new GitHub({ accessToken: "t" });
  } catch (error) {
    refused = error;
  }
  console.log(JSON.stringify([data, refused instanceof errors.InvalidRequestError, refused.retryable, refused.message]));`;

/** A script of a web page, which gives the page the client. */
const page = 'import { GitHub } from "tenon/github"; globalThis.GitHub = GitHub;';

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
  writeFileSync(join(installed.folder, "main.mjs"), program);
  writeFileSync(join(installed.folder, "page.mjs"), page);
});
afterAll(() => installed.remove());

describe.each(["esbuild", "rolldown", "vite", "webpack"])("%s", (bundler) => {
  it("bundles the hosted client for browsers, and nothing else of the package", async () => {
    const bundled = installed.start(process.execPath, [join(import.meta.dirname, "bundlers.js"), bundler, "main"]);
    expect(await outputOf(bundled)).toEqual({ code: 0, out: "", err: "" });
    const out = join(installed.folder, bundler, "main");
    const scripts = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((file) => /\.m?js$/.test(file));
    expect(scripts).toEqual(["main.mjs"]);
    const text = readFileSync(join(out, "main.mjs"), "utf8");
    // Modules of Node, the platform's clients, and the documents of the connector.
    expect(text).not.toMatch(/node:|require\(|undici|octokit\/|repository\(owner|import\(/);
    expect(text.length).toBeLessThan(80_000);
    // Scripts of web pages expect a global `self`.
    const run = [
      "--input-type=module",
      "--eval",
      `globalThis.self = globalThis; await import(${JSON.stringify(join(out, "main.mjs"))});`,
    ];
    const { code, out: printed, err } = await outputOf(installed.start(process.execPath, run));
    expect([code, err]).toEqual([0, ""]);
    const refused = expect.stringContaining("Local mode runs in Node only");
    expect(JSON.parse(printed)).toEqual([{ number: 1 }, true, false, refused]);
  });
});

describe.skipIf(withoutBrowser)("the Vite build in a browser", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-bundle-"));
  let service: Service;
  let browser: Browser;
  /** A web page of somebody else, with the client library in it. */
  let elsewhere: Server;
  let origin: string;

  beforeAll(async () => {
    const built = await outputOf(installed.start(process.execPath, [join(import.meta.dirname, "bundlers.js"), "vite", "page"]));
    expect(built).toEqual({ code: 0, out: "", err: "" });
    const script = readFileSync(join(installed.folder, "vite/page/page.mjs"));
    elsewhere = createServer(({ url }, response) => {
      response.writeHead(200, { "content-type": url === "/page.mjs" ? "text/javascript" : "text/html" });
      response.end(
        url === "/page.mjs" ? script : '<!doctype html><title>Elsewhere</title><script type="module" src="/page.mjs"></script>',
      );
    }).listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    const address = elsewhere.address();
    origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const environment = { TENON_DATA_DIR: dataDir, TENON_LOG_LEVEL: "silent", PORT: "0", TENON_CORS_ORIGINS: origin };
    service = await startService(readSettings(environment, connectors).settings);
    await service.ready;
    browser = await chromium.launch({ executablePath: browserPath ?? "chromium", args: ["--no-sandbox"] });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await service?.close();
    elsewhere?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("reads and writes with a key, and refuses a client secret", async () => {
    const other = await browser.newPage();
    await other.goto(origin);
    await other.waitForFunction("globalThis.GitHub !== undefined");
    const run = (options: object, work: string) =>
      other.evaluate(`(async () => {
        const client = new GitHub(${JSON.stringify({ baseUrl: service.url, ...options })});
        const repository = { owner: "octocat", repo: "hello-world" };
        ${work}
      })().catch(({ code, message }) => ({ code, message }))`);
    const apiKey = service.madeKey;
    const walk = `const numbers = [];
      for await (const { number } of client.issues.list.all({ ...repository, per_page: 2, fields: ["number"] }, { maxRecords: 5 }))
        numbers.push(number);
      const { data } = await client.issues.create({ ...repository, title: "From a browser" });
      return { listed: numbers.length, title: data.title };`;
    expect(await run({ apiKey }, walk)).toEqual({ listed: 5, title: "From a browser" });
    expect(await run({ apiKey }, "return client.issues.get({ ...repository, number: 999999 });")).toMatchObject({
      code: "not_found",
    });
    expect(await run({ baseUrl: undefined, accessToken: "t" }, "return client.viewer.get();")).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("Local mode runs in Node only"),
    });
    expect(await run({ clientId: "client_x", clientSecret: "s" }, "return client.viewer.get();")).toMatchObject({
      code: "unauthorized",
      message: expect.stringContaining("must not be used in a browser"),
    });
    await other.close();
  });
});
