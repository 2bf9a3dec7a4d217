import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import express from "express";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TenonError } from "../../../runtime/base/errors.ts";
import { createLog } from "../../../runtime/base/log.ts";
import { Rounds } from "../../../runtime/base/rounds.ts";
import { problemHandler } from "../../../runtime/server/problem.ts";
import { docsRoutes, frontRoute, missingPage, unbuiltDocs } from "../../../runtime/server/routes/docs.ts";
import { compressed } from "../../../runtime/site/compress.ts";

const app = express();
app.use("/docs", docsRoutes({ folder: new URL("./no-docs/", import.meta.url), consoleKey: "key-of-the-trial" }, new Rounds()));
const server = app.listen(0, "127.0.0.1");
const port = () => (server.address() as AddressInfo).port;
beforeAll(async () => {
  if (!server.listening) await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What the request of a page has, as Firefox and Chromium send it. */
const browser = [
  "Connection: keep-alive",
  "User-Agent: Mozilla/5.0",
  "Accept: */*",
  "Accept-Language: en",
  "Accept-Encoding: gzip, deflate, br, zstd",
  'sec-ch-ua: "Chromium";v="140"',
  "Sec-Fetch-Site: same-origin",
  "Sec-Fetch-Mode: cors",
  "Cookie: theme=dark",
  "Priority: u=4",
];

/** Whether a request gets the key. */
async function getsKey(lines: readonly string[], { host = `127.0.0.1:${port()}`, version = "1.1" } = {}): Promise<boolean> {
  const socket = connect(port(), "127.0.0.1");
  const chunks: Buffer[] = [];
  const got = new Promise<void>((resolve) =>
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (/\r\n\r\n.*\}$/s.test(Buffer.concat(chunks).toString())) resolve();
    }),
  );
  socket.write([`GET /docs/console.json HTTP/${version}`, `Host: ${host}`, ...lines, "", ""].join("\r\n"));
  await got;
  socket.destroy();
  const text = Buffer.concat(chunks).toString();
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  return text.includes("key-of-the-trial");
}

it("the key of a trial is there for a browser on the same machine", async () => {
  expect(await getsKey(browser)).toBe(true);
  expect(await getsKey(browser, { host: "localhost:8787" })).toBe(true);
});

it.each([
  "Via: 1.1 proxy",
  "X-Real-IP: 198.51.100.7",
  "Forwarded: for=198.51.100.7",
  "X-Forwarded-For: 198.51.100.7",
  "X-Forwarded-Proto: https",
  "CF-Connecting-IP: 198.51.100.7",
  "True-Client-IP: 198.51.100.7",
  "X-Client-IP: 198.51.100.7",
  "X-Envoy-External-Address: 198.51.100.7",
  "X-Header-Of-A-Proxy-That-Nobody-Knows: 1",
])("the key of a trial is not there for a request with %s", async (line) => {
  expect(await getsKey([...browser, line])).toBe(false);
});

it("the key of a trial is not there for a proxy that adds nothing but closes its connections, or under another name", async () => {
  const closing = browser.map((line) => (line.startsWith("Connection") ? "Connection: close" : line));
  expect(await getsKey(closing)).toBe(false);
  expect(await getsKey(browser, { version: "1.0" })).toBe(false);
  expect(await getsKey(browser, { host: "docs.example.com" })).toBe(false);
  expect(await getsKey(browser, { host: "127.0.0.1.example.com:8787" })).toBe(false);
});

/** Notes who has had turns. */
class CountedRounds extends Rounds {
  readonly callers: string[] = [];

  override turn(caller: string): Promise<void> | undefined {
    this.callers.push(caller);
    return super.turn(caller);
  }
}

it("pages that are not built are an error that says how to build them", async () => {
  const folder = new URL("./no-docs/", import.meta.url);
  const unbuilt = express();
  unbuilt.use("/docs", docsRoutes({ folder, consoleKey: undefined }, new Rounds()), unbuiltDocs({ folder }));
  unbuilt.use(problemHandler(createLog("silent", (text) => text, { write: () => undefined })));
  const listening = unbuilt.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  for (const path of ["/docs", "/docs/", "/docs/llms.txt"]) {
    const response = await fetch(address + path);
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { code: "unknown_route", message: expect.stringContaining("The documentation is not built here. `make docs` builds it") },
    ]);
  }
  listening.closeAllConnections();
  listening.close();
});

describe("the files of the site", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-docs-"));
  const page = `<!doctype html><title>Errors</title>${"<p>An error.</p>".repeat(200)}`;
  // It stays as long when it is compressed.
  const random = randomBytes(300_000).toString("base64");
  const root = new URL(`file://${folder}/`);
  const site = express();
  site.use((_request, response, next) => {
    response.locals["requestId"] = "the-request";
    next();
  });
  site.use(frontRoute({ folder: root }));
  const rounds = new CountedRounds();
  site.use("/docs", docsRoutes({ folder: root, consoleKey: undefined }, rounds), unbuiltDocs({ folder: root }));
  site.use((_request, _response, next) => next(new TenonError("unknown_route", "There is nothing at this address.")));
  site.use(missingPage({ folder: root }), problemHandler(createLog("silent", (text) => text, { write: () => undefined })));
  const listening = site.listen(0, "127.0.0.1");
  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
      const sent = request({ port: (listening.address() as AddressInfo).port, path, headers, method }, async (response) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) });
      });
      sent.on("error", reject);
      sent.end();
    });

  beforeAll(async () => {
    if (!listening.listening) await once(listening, "listening");
    mkdirSync(join(folder, "errors"));
    mkdirSync(join(folder, "assets"));
    const files = {
      "index.html": "<!doctype html><title>Front</title>",
      "404.html": "<!doctype html><title>Page not found</title>",
      "errors.html": page,
      "errors/not_found.html": "<!doctype html><title>not_found</title>",
      "assets/site.0123456789.css": "p { color: red }",
      "assets/search.0123456789.json": JSON.stringify(random),
      "sitemap.xml": "<urlset><url><loc>errors.html</loc></url></urlset>",
    };
    for (const [path, text] of Object.entries(files)) {
      writeFileSync(join(folder, path), text);
      for (const [ending, content] of await compressed(path, Buffer.from(text)))
        writeFileSync(join(folder, path + ending), content);
    }
  });
  afterAll(() => {
    listening.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("are sent in the form that the client takes, each with a tag of its own", async () => {
    const plain = await get("/docs/errors.html");
    expect([plain.headers["content-encoding"], String(plain.body)]).toEqual([undefined, page]);
    const br = await get("/docs/errors.html", { "accept-encoding": "gzip, deflate, br" });
    expect([br.headers["content-encoding"], String(brotliDecompressSync(br.body))]).toEqual(["br", page]);
    const gzip = await get("/docs/errors.html", { "accept-encoding": "gzip, br;q=0" });
    expect([gzip.headers["content-encoding"], String(gunzipSync(gzip.body))]).toEqual(["gzip", page]);
    const all = [plain, br, gzip];
    for (const { headers } of all) {
      expect(headers["vary"]).toContain("Accept-Encoding");
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    }
    expect(new Set(all.map(({ headers }) => headers["etag"])).size).toBe(3);
    const again = await get("/docs/errors.html", { "accept-encoding": "br", "if-none-match": br.headers["etag"] ?? "" });
    expect([again.status, again.headers["vary"]]).toEqual([304, "Accept-Encoding"]);
    const head = await get("/docs/errors.html", { "accept-encoding": "br" }, "HEAD");
    expect([head.headers["content-encoding"], head.headers["content-length"]]).toEqual(["br", String(br.body.length)]);
    expect((await get("/docs/errors.html.br", { accept: "application/json" })).status).toBe(404);
  });

  it("are kept by browsers for good where the name has a hash, and asked for again otherwise", async () => {
    expect((await get("/docs/assets/site.0123456789.css")).headers["cache-control"]).toContain("immutable");
    expect((await get("/docs/errors.html")).headers["cache-control"]).toBe("no-cache");
  });

  it("are found without their ending, the page before the folder of the same name", async () => {
    expect(String((await get("/docs/errors")).body)).toBe(page);
    expect(String((await get("/docs/errors/not_found")).body)).toContain("<title>not_found");
    const moved = { "/docs": "/docs/", "/docs/errors/": "/docs/errors", "/": "/docs/" };
    for (const [from, to] of Object.entries(moved)) {
      const { headers } = await get(from);
      expect([from, headers["location"], headers["x-request-id"]]).toEqual([from, to, "the-request"]);
    }
    expect(String((await get("/docs/")).body)).toContain("Front");
    for (const path of ["/docs/%2e%2e/%2e%2e/etc/passwd", "/docs/%00", "/docs/%ff", "/docs/..%2fx"])
      expect((await get(path)).status, path).toBe(404);
  });

  it("are sent in turns of the caller's network where they are large", async () => {
    const path = "/docs/assets/search.0123456789.json";
    const turns = async (headers = {}, method = "GET") => {
      rounds.callers.length = 0;
      const got = await get(path, headers, method);
      return { ...got, turns: rounds.callers };
    };
    const plain = await turns();
    expect([String(plain.body) === JSON.stringify(random), plain.headers["content-length"]]).toEqual([true, "400002"]);
    expect(plain.turns).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1"]);
    const gzip = await turns({ "accept-encoding": "gzip" });
    expect([String(gunzipSync(gzip.body)) === JSON.stringify(random), gzip.headers["cache-control"]]).toEqual([
      true,
      "public, max-age=31536000, immutable",
    ]);
    expect(gzip.turns).toHaveLength(3);
    const head = await turns({}, "HEAD");
    expect([head.status, head.headers["content-length"], head.turns]).toEqual([200, "400002", []]);
    const known = await turns({ "if-none-match": plain.headers["etag"] ?? "" });
    expect([known.status, known.body.length, known.turns]).toEqual([304, 0, []]);
    await get("/docs/errors.html");
    expect(rounds.callers).toEqual([]);
  });

  it("have a page for browsers at other addresses, and a problem for programs", async () => {
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (const path of ["/docs/nothing.html", "/nothing"]) {
      const browsers = await get(path, { accept });
      expect([browsers.status, browsers.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
      expect(String(browsers.body)).toContain("Page not found");
      expect(browsers.headers["content-security-policy"]).toContain("style-src 'self'");
      for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }]) {
        const program = await get(path, headers);
        expect([program.status, program.headers["content-type"]]).toEqual([404, "application/problem+json; charset=utf-8"]);
        expect(String(program.body)).toContain("There is nothing at this address.");
      }
    }
    expect((await get("/nothing", { accept }, "POST")).headers["content-type"]).toContain("problem");
  });

  it("are listed for search engines with the host of the request", async () => {
    const { body } = await get("/docs/sitemap.xml", { host: "docs.example.com" });
    expect(String(body)).toContain("<loc>http://docs.example.com/docs/errors.html</loc>");
  });

  it("are listed by their paths where the host of the request is not valid", async () => {
    const { status, body } = await get("/docs/sitemap.xml", { host: "no host" });
    expect([status, String(body)]).toEqual([200, "<urlset><url><loc>errors.html</loc></url></urlset>"]);
  });
});
