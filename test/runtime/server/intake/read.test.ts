import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { readBody } from "../../../../runtime/server/intake/read.ts";
import { shaped } from "../../../support/shaped.ts";

/** A request whose body has come in whole before any of it is read, in pieces. */
function requestOf(...pieces: readonly string[]): IncomingMessage {
  const body = new PassThrough();
  for (const piece of pieces) body.write(piece);
  body.end();
  return shaped(Object.assign(body, { headers: {}, complete: true }));
}

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a body that comes in pieces", () => {
  it("is read when its last piece has been looked at", async () => {
    const seen: string[] = [];
    const body = await readBody(requestOf("a", "b", "c"), 10, async (piece) => {
      for (let turn = 0; turn < 5; turn++) await later();
      seen.push(String(piece));
    });
    expect([String(body), seen]).toEqual(["abc", ["a", "b", "c"]]);
  });

  it("is refused for what is found in its last piece", async () => {
    const reading = readBody(requestOf("a", "b"), 10, async (piece) => {
      await later();
      if (String(piece) === "b") throw new Error("b is not allowed");
    });
    await expect(reading).rejects.toThrow("b is not allowed");
  });
});
