import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { expect, it, vi } from "vitest";
import { LineTransport } from "../../../runtime/cli/mcp/line-transport.ts";

it("a transport closes when its input has ended and each request has its response, or was cancelled", async () => {
  const input = new PassThrough();
  const written: string[] = [];
  const transport = new LineTransport(input, async (line) => void written.push(line));
  const received: unknown[] = [];
  const errors: string[] = [];
  transport.onmessage = (message) => void received.push(message);
  transport.onerror = ({ message }) => void errors.push(message);
  await transport.start();
  const message = (value: object) => `${JSON.stringify({ jsonrpc: "2.0", ...value })}\n`;
  for (const line of [
    message({ method: "notifications/initialized" }),
    "no message\n",
    message({ id: 1, method: "tools/call", params: {} }),
    message({ id: "two", method: "tools/call", params: {} }),
  ]) {
    input.write(line);
    await once(input, "data");
  }
  input.end(message({ method: "notifications/cancelled", params: { requestId: "two" } }));
  await once(input, "end");
  await transport.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } });
  expect([transport.closed.aborted, received.length, errors.length]).toEqual([false, 4, 1]);
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  await vi.waitFor(() => expect(transport.closed.aborted).toBe(true));
  expect(written.map((line) => JSON.parse(line).id)).toEqual([null, undefined, 1]);
});

it("a line that is not a JSON-RPC message gets an error, and one that expects no response gets none", async () => {
  const rest = '"jsonrpc":"2.0","method":"ping"';
  const lines = ["{", '"text"', `{"id":1.5,${rest}}`, `{"id":9223372036854775807,${rest}}`, `{"id":7,${rest},"params":[]}`];
  const silent = ["", `{${rest},"params":[]}`, '{"jsonrpc":"2.0","id":{},"result":{}}', '{"jsonrpc":"2.0","id":1,"error":5}'];
  const input = Readable.from([...lines, ...silent].map((line) => Buffer.from(`${line}\n`)));
  const written: string[] = [];
  const transport = new LineTransport(input, async (line) => void written.push(line));
  await transport.start();
  await vi.waitFor(() => expect(transport.closed.aborted).toBe(true));
  expect(written.map((line) => JSON.parse(line))).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: null, error: { code: -32600 } },
    { id: null, error: { code: -32600 } },
    { id: null, error: { code: -32600 } },
    { id: 7, error: { code: -32600, message: expect.stringContaining("an object as params") } },
  ]);
});

it("a transport says why its input cannot be read, and closes", async () => {
  const input = new PassThrough();
  const transport = new LineTransport(input, async () => undefined);
  const errors: string[] = [];
  transport.onerror = ({ message }) => void errors.push(message);
  let closed = 0;
  transport.onclose = () => void closed++;
  await transport.start();
  input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })}\n`);
  input.destroy(new Error("the terminal is gone"));
  await vi.waitFor(() => expect(transport.closed.aborted).toBe(true));
  await transport.close();
  expect([errors, closed]).toEqual([["the terminal is gone"], 1]);
});
