import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LargeJson } from "../../../runtime/base/large-json.ts";
import { AnswerBudget } from "../../../runtime/platform/answer-budget.ts";
import { exchange } from "../../../runtime/platform/exchange.ts";

const latin1 = Buffer.from('{"name":"caf\u00e9"}', "latin1");
/** An id that no JavaScript number has. */
const marked = Buffer.from('\ufeff{"id":9007199254740993}');
const bodies = { "/many": `[${"{},".repeat(600_000)}{}]`, "/large": `[${JSON.stringify("x".repeat(300_000))}]` };
const served: Readonly<Record<string, string | Buffer>> = { ...bodies, "/latin1": latin1, "/marked": marked };
const server = createServer((request, response) => response.end(served[request.url ?? ""]));
let url: string;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

it("an answer that takes too much memory to parse is too large, and the next one is read", async () => {
  const parser = new LargeJson({ heap: 16 });
  const sent = { method: "GET", headers: {}, signal: new AbortController().signal };
  const get = (path: string) => exchange(fetch, `${url}${path}`, sent, new AnswerBudget().of(""), undefined, parser);
  await expect(get("/many")).rejects.toMatchObject({ name: "Error", limit: "256 MiB of memory to parse", status: 200 });
  expect(await get("/large")).toMatchObject({ status: 200, data: JSON.parse(bodies["/large"]) });
});

it("an answer with bytes that are not UTF-8 is read, and says so", async () => {
  const sent = { method: "GET", headers: {}, signal: new AbortController().signal };
  const get = (path: string) => exchange(fetch, `${url}${path}`, sent, new AnswerBudget().of(""));
  expect(await get("/latin1")).toMatchObject({ data: { name: "caf\uFFFD" }, brokenText: true });
  expect(await get("/large")).not.toHaveProperty("brokenText");
});

it("an answer that begins with a byte order mark is JSON", async () => {
  const sent = { method: "GET", headers: {}, signal: new AbortController().signal };
  expect(await exchange(fetch, `${url}/marked`, sent, new AnswerBudget().of(""))).toMatchObject({
    data: { id: "9007199254740993" },
  });
});
