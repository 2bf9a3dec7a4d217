import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import express from "express";
import { afterAll, beforeAll, expect, it } from "vitest";
import { docsRoutes } from "../../../runtime/server/routes/docs.ts";

const app = express();
app.use("/docs", docsRoutes({ folder: new URL("./no-docs/", import.meta.url), consoleKey: "key-of-the-trial" }));
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
