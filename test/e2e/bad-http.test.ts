import { connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { type ErrorCode, errorCodes } from "../../runtime/base/error-codes.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { apiKey, authorized, bad, executePath, expectNoSecret, good, list, type Reply, useTenon } from "./support/service.ts";

// What goes wrong before an action is looked at: the status table of the errors, and the form of a problem.

const running = useTenon();
const json = { "content-type": "application/json" };
const viewer = JSON.stringify({ entity: "viewer", action: "get", params: { fields: ["login"] } });
const bearer = (token: string) => ({ ...json, authorization: token });
const connectors = "/api/v1/integrations/connectors";
const bytes = (count: number) => JSON.stringify({ entity: "viewer", action: "get", params: { after: "x".repeat(count) } });

const notUtf8 = Buffer.concat([
  Buffer.from('{"entity":"issues","action":"create","params":{"owner":"octocat","repo":"hello-world","title":"Gr'),
  Buffer.from([0xfc]),
  Buffer.from('n"}}'),
]);

interface Case {
  readonly what: string;
  readonly send?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly path?: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly answers?: Readonly<Record<string, string>>;
}

/** The end names this service, on a port of its own. */
const metadata = ', resource_metadata="http://127.0.0.1:';
const asks = `Bearer realm="tenon"${metadata}`;
const refuses = `Bearer realm="tenon", error="invalid_token"${metadata}`;
const cases: readonly Case[] = [
  { what: "a body that is no JSON", send: "{", status: 400, code: "invalid_json" },
  { what: "a body with a trailing comma", send: '{"entity":"viewer","action":"get",}', status: 400, code: "invalid_json" },
  { what: "an empty body", send: "", status: 400, code: "invalid_json" },
  { what: "no body", status: 400, code: "invalid_json" },
  { what: "no token", send: viewer, headers: json, status: 401, code: "unauthorized", answers: { "www-authenticate": asks } },
  {
    what: "a wrong token",
    send: viewer,
    headers: bearer("Bearer wrong"),
    status: 401,
    code: "unauthorized",
    answers: { "www-authenticate": refuses },
  },
  {
    what: "a token that begins like the right one",
    send: viewer,
    headers: bearer(`Bearer ${apiKey.slice(0, -1)}`),
    status: 401,
    code: "unauthorized",
    answers: { "www-authenticate": refuses },
  },
  {
    what: "another scheme",
    send: viewer,
    headers: bearer(`Basic ${apiKey}`),
    status: 401,
    code: "unauthorized",
    answers: { "www-authenticate": asks },
  },
  { what: "no token and no JSON either", send: "{", headers: json, status: 401, code: "unauthorized" },
  { what: "an unknown connector", send: viewer, path: `${connectors}/bitbucket/execute`, status: 404, code: "unknown_connector" },
  {
    what: "a connector called like a member of every object",
    send: viewer,
    path: `${connectors}/__proto__/execute`,
    status: 404,
    code: "unknown_connector",
  },
  { what: "an unknown address", send: viewer, path: "/api/v1/nothing", status: 404, code: "unknown_route" },
  { what: "another version", send: viewer, path: executePath.replace("v1", "v2"), status: 404, code: "unknown_route" },
  {
    what: "an address that is not well encoded",
    send: viewer,
    path: `${connectors}/%ZZ/execute`,
    status: 404,
    code: "unknown_route",
  },
  // The root itself leads to the site, where that is built.
  { what: "an address at the root", method: "GET", path: "/nowhere", status: 404, code: "unknown_route" },
  ...["GET", "PUT", "PATCH", "DELETE", "OPTIONS"].map(
    (method): Case => ({ what: method, method, status: 405, code: "method_not_allowed", answers: { allow: "POST" } }),
  ),
  {
    what: "a write to /healthz",
    send: "",
    path: "/healthz",
    status: 405,
    code: "method_not_allowed",
    answers: { allow: "GET, HEAD" },
  },
  { what: "a body above 1 MiB", send: bytes(2 ** 20), status: 413, code: "body_too_large" },
  {
    what: "a small body that unpacks to more than 1 MiB",
    send: gzipSync(bytes(2 ** 20)),
    headers: { ...authorized, "content-encoding": "gzip" },
    status: 413,
    code: "body_too_large",
  },
  {
    what: "a body of few bytes that unpacks to 200 KB",
    send: gzipSync(" ".repeat(200_000)),
    headers: { ...authorized, "content-encoding": "gzip" },
    status: 413,
    code: "body_too_large",
  },
  { what: "a body of too many values", send: `[${"0,".repeat(20_000)}0]`, status: 413, code: "body_too_large" },
  {
    what: "a body that is not compressed as it says",
    send: viewer,
    headers: { ...authorized, "content-encoding": "gzip" },
    status: 400,
    code: "invalid_json",
  },
  {
    what: "a compressed body that was cut off",
    send: gzipSync(viewer).subarray(0, -10),
    headers: { ...authorized, "content-encoding": "gzip" },
    status: 400,
    code: "invalid_json",
  },
  {
    what: "text",
    send: viewer,
    headers: { ...authorized, "content-type": "text/plain" },
    status: 415,
    code: "unsupported_media_type",
  },
  {
    what: "a form",
    send: "entity=viewer",
    headers: { ...authorized, "content-type": "application/x-www-form-urlencoded" },
    status: 415,
    code: "unsupported_media_type",
  },
  {
    what: "JSON in another charset",
    send: viewer,
    headers: { ...authorized, "content-type": "application/json; charset=iso-8859-1" },
    status: 400,
    code: "invalid_json",
  },
  {
    what: "JSON in UTF-16, and saying so",
    send: Buffer.from(viewer, "utf16le"),
    headers: { ...authorized, "content-type": "application/json; charset=utf-16le" },
    status: 400,
    code: "invalid_json",
  },
  {
    what: "JSON in two charsets",
    send: viewer,
    headers: { ...authorized, "content-type": "application/json; charset=utf-8; charset=utf-16" },
    status: 400,
    code: "invalid_json",
  },
  { what: "bytes that are not UTF-8 in a text", send: notUtf8, status: 400, code: "invalid_json" },
  {
    what: "bytes that are not UTF-8, compressed",
    send: gzipSync(notUtf8),
    headers: { ...authorized, "content-encoding": "gzip" },
    status: 400,
    code: "invalid_json",
  },
  {
    what: "an unknown compression",
    send: viewer,
    headers: { ...authorized, "content-encoding": "zstd2" },
    status: 415,
    code: "unsupported_media_type",
  },
];

const titled = cases.map((one): [string, Case] => [one.what, one]);
const send = ({ send: body, headers, method = "POST", path = executePath }: Partial<Case>) =>
  running.tenon.send(method, path, body, headers ?? authorized);

describe("the status table", () => {
  it.each(titled)("%s", async (_what, one) => {
    const reply = await send(one);
    expectProblem(reply, one.code);
    expect(reply.status).toBe(one.status);
    for (const [name, value] of Object.entries(one.answers ?? {})) expect(reply.headers.get(name)).toContain(value);
    expect(running.platform.requests).toEqual([]);
  });

  it.each(["5", "null", '"text"', "true", "[]", '[{"entity":"viewer"}]'])("the body %s is JSON, but no object", async (body) => {
    const problem = bad(await send({ send: body }), 422, "invalid_request");
    expect(problem["errors"]).toMatchObject([{ pointer: "", code: "wrong_type" }]);
  });

  it("names the member that a body has twice, and its place", async () => {
    const body = '{"entity":"viewer","action":"get","params":{"fields":["login"],"fields":["name"]}}';
    const problem = bad(await send({ send: body }), 400, "invalid_json");
    expect(problem["errors"]).toEqual([
      { pointer: "/params/fields", code: "duplicate_member", message: 'The body has the member "fields" twice.' },
    ]);
  });

  it("refuses a body that is nested too deeply, of whatever size it is unpacked", async () => {
    const headers = { ...authorized, "content-encoding": "gzip" };
    const problem = bad(await send({ send: gzipSync("[".repeat(500_000)), headers }), 422, "invalid_request");
    expect(list(problem["errors"]).map(({ code }) => String(code))).toEqual(["out_of_range"]);
  });

  it("takes every compression that the message of another one names", async () => {
    const packed = { gzip: gzipSync(viewer), deflate: deflateSync(viewer), br: brotliCompressSync(viewer) };
    for (const [name, body] of Object.entries(packed))
      good(await send({ send: body, headers: { ...authorized, "content-encoding": name } }));
    running.platform.reset();
  });

  it("counts a body as it is unpacked, and takes one that just fits", async () => {
    const filled = bytes(2 ** 20 - bytes(0).length);
    expect(filled.length).toBe(2 ** 20);
    // It is read; `after` is not a parameter of this action.
    bad(await send({ send: filled }), 422, "invalid_request");
    const headers = { ...authorized, "content-encoding": "gzip" };
    expect(good(await send({ send: gzipSync(viewer), headers }))["data"]).toEqual({ login: "octocat" });
    running.platform.reset();
  });

  it("accepts a body that begins with a byte order mark", async () => {
    const send = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(viewer)]);
    expect(good(await running.tenon.send("POST", executePath, send))["data"]).toEqual({ login: "octocat" });
    running.platform.reset();
  });

  it("takes the scheme of the token in any case of letters, and a charset in the content type", async () => {
    const headers = { authorization: `bearer ${apiKey}`, "content-type": "Application/JSON; charset=UTF-8" };
    expect(good(await send({ send: viewer, headers }))["data"]).toEqual({ login: "octocat" });
    running.platform.reset();
  });

  it.each(["%E0%A4%A", "%00", "a%2Fb", "..%2F..", "x".repeat(4000)])("answers a problem for the id %s", async (id) => {
    const reply = await send({ send: viewer, path: `${connectors}/${id}/execute` });
    expect([400, 404]).toContain(reply.status);
    expect(reply.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  });

  /** What comes back for bytes that no HTTP client would send. */
  async function raw(text: string): Promise<string> {
    const { port } = new URL(running.tenon.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.end(text);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString();
  }

  it("recognises a request without a body", async () => {
    // `curl -X POST` without data sends neither Content-Length nor Transfer-Encoding.
    const head = `POST ${executePath} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n`;
    const answer = await raw(`${head}Authorization: Bearer ${apiKey}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"invalid_json"');
  });

  it("answers a request that is not HTTP, and continues to serve", async () => {
    expectProblemText(await raw("NONSENSE\r\n\r\n"), "invalid_http");
    expectProblemText(await raw(`GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`), "headers_too_large");
    const wrong = [
      ["GET /healthz HTTP/1.1\r\n\r\n", "no header Host"],
      ["GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "several headers Host"],
      ["GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\n\r\n", "header Expect"],
    ] as const;
    for (const [text, why] of wrong) {
      const answer = await raw(text);
      expectProblemText(answer, "invalid_http");
      expect(answer).toContain(why);
    }
    expect(await raw("GET /healthz HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
    expect(await raw("GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nConnection: close\r\n\r\n")).toContain('"ok"');
    expect((await send({ send: viewer })).status).toBe(200);
    running.platform.reset();
  });
});

describe("a problem", () => {
  it("has a page in the docs for every code", async () => {
    for (const [code, { title }] of Object.entries(errorCodes)) {
      const page = await fetch(`${running.tenon.url}/docs/errors/${code}`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain(title);
    }
    expect((await fetch(`${running.tenon.url}/docs/errors/constructor`)).status).toBe(404);
  });

  it("contains nothing internal", async () => {
    for (const one of cases) {
      const { text, headers } = await send(one);
      expect(text).not.toMatch(/node_modules|at .*\.[jt]s:|\/runtime\/|SyntaxError|express/i);
      expect(headers.get("x-powered-by")).toBeNull();
    }
  });
});

describe("the log", () => {
  it("holds no secret, wherever a caller puts it", async () => {
    const { log } = running.tenon;
    const before = log.length;
    for (const secret of [apiKey, ownerToken]) {
      await send({ send: viewer, path: `${connectors}/${secret}/execute` });
      await send({ send: viewer, path: `/${secret}?token=${secret}` });
      await send({ send: viewer, headers: { ...authorized, "x-request-id": `a-${secret}` } }).catch(() => undefined);
    }
    const lines = log.slice(before).join("");
    expect(lines).toContain("[redacted]");
    expectNoSecret(lines);
    running.platform.reset();
  });
});

describe("the request id", () => {
  const id = "caller-1.2:3_4";
  const withId = (given: string, more: Partial<Case> = { send: viewer }) =>
    send({ ...more, headers: { ...(more.headers ?? authorized), "x-request-id": given } });

  it("is the caller's, on a good answer and on a problem", async () => {
    expect((await withId(id)).headers.get("x-request-id")).toBe(id);
    for (const one of cases) {
      const reply = await withId(id, one);
      expect(reply.headers.get("x-request-id")).toBe(id);
      expect(reply.body["instance"], one.what).toBe(id);
    }
    running.platform.reset();
  });

  it("is made where the caller gives none, another each time", async () => {
    const replies = [await send({ send: viewer }), await send({ send: viewer })];
    const ids = replies.map((reply) => reply.headers.get("x-request-id"));
    for (const made of ids) expect(made).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(2);
    running.platform.reset();
  });

  it.each(["", " ", "x".repeat(129), 'a"b', "a b", "a<b"])("is made anew instead of %j", async (given) => {
    expect((await withId(given)).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    running.platform.reset();
  });

  it("is in every log line of its request", async () => {
    const { log } = running.tenon;
    const before = log.length;
    await withId("log-me");
    await withId("log-me", { send: "{" });
    const ids = () => log.slice(before).map((line) => JSON.parse(line).requestId);
    // A request is logged when its answer has gone out, which may be after the client has it: also those of the tests before.
    await vi.waitFor(() => expect(ids().filter((id) => id === "log-me").length).toBeGreaterThanOrEqual(3));
    expect(ids()).not.toContain(undefined);
    running.platform.reset();
  });
});

/** A whole answer as it comes over the wire. */
function expectProblemText(text: string, code: ErrorCode): void {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const { title, status } = errorCodes[code];
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/^Content-Type: application\/problem\+json; charset=utf-8$/m);
  expect(head).toMatch(/^Connection: close$/m);
  expect(JSON.parse(body)).toMatchObject({ status, code, title, instance: /^X-Request-Id: (.*)$/m.exec(head)?.[1] });
}

function expectProblem(reply: Reply, code: ErrorCode): void {
  bad(reply, errorCodes[code].status, code);
  const { title, status, retryable, advice } = errorCodes[code];
  const text = expect.stringMatching(/./);
  expect(reply.body).toEqual({
    type: `/docs/errors/${code}`,
    title,
    status,
    detail: text,
    instance: reply.headers.get("x-request-id"),
    code,
    message: reply.body["detail"],
    retryable,
    what_to_do: advice,
    errors: [],
  });
  expect(list(reply.body["errors"])).toEqual([]);
}
