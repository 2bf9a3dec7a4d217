import { type IncomingMessage, ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { whileOpen } from "../../../runtime/server/callers/while-open.ts";
import { standIn } from "../../support/shaped.ts";

it.each([
  ["goes on while the caller waits", false, false, false],
  ["ends when the caller goes away before the answer is sent", true, false, true],
  ["is not cut off by the end of a connection whose answer is sent", true, true, false],
])("what is done for a caller %s", (_what, closes, writableFinished, aborted) => {
  const response = new ServerResponse(standIn<IncomingMessage>({ method: "GET" }));
  Object.defineProperty(response, "writableFinished", { value: writableFinished });
  const signal = whileOpen(response);
  if (closes) response.emit("close");
  expect(signal.aborted).toBe(aborted);
});
