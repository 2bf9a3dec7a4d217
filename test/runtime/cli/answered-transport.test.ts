import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, it } from "vitest";
import { AnsweredTransport } from "../../../runtime/cli/mcp/answered-transport.ts";

it("a transport waits for the response to each request, but not for one that was cancelled", async () => {
  const inner: Transport = { start: async () => undefined, send: async () => undefined, close: async () => undefined };
  const transport = new AnsweredTransport(inner);
  await transport.start();
  const receive = (message: object) => inner.onmessage?.({ jsonrpc: "2.0", ...message } as never);
  receive({ method: "notifications/initialized" });
  await transport.answered();
  receive({ id: 1, method: "tools/call" });
  receive({ id: "two", method: "tools/call" });
  let done = false;
  const answered = transport.answered().then(() => {
    done = true;
  });
  await transport.send({ jsonrpc: "2.0", method: "notifications/progress", params: {} });
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  expect(done).toBe(false);
  receive({ method: "notifications/cancelled", params: { requestId: "two" } });
  await answered;
});
