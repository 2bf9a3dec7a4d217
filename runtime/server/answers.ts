import type { Response } from "express";
import { TenonError } from "../base/errors.ts";
import type { ExecuteResult } from "../execute/index.ts";
import { send, writeHead } from "./headers.ts";
import { sendProblem } from "./problem.ts";

/**
 * An answer up to this size (bytes) goes out in one write. It is never refused when it is the next one of its connection, because the
 * system itself holds more than that for a socket.
 */
const small = 64 * 1024;
/** A larger answer goes out in slices of this size (bytes), so that it can be seen whether its caller reads. */
const slice = 128 * 1024;
const type = "application/json; charset=utf-8";

/** Sends answers, and bounds the bytes that wait for callers who do not read them. */
export class Answers {
  readonly #most: number;
  #waiting = 0;

  /** @param most bytes of answers that may wait for their callers at once, over all connections; the next small one of each is not counted */
  constructor(most: number) {
    this.#most = most;
  }

  /** @throws TenonError `platform_failed` for a value that is nested too deeply, as only a faulty platform sends it */
  sendJson(response: Response, value: unknown): void {
    this.sendJsonText(response, jsonOf(value));
  }

  /** An answer that is JSON already. */
  sendJsonText(response: Response, body: string): void {
    // A character takes up to three bytes.
    if (body.length <= small / 3 && isNext(response)) send(response, type, body);
    else this.#send(response, [Buffer.from(body)]);
  }

  /** An answer whose records may stand ready as bytes: these go out as they are. */
  sendResult(response: Response, result: ExecuteResult): void {
    const { json, meta } = result;
    if (json === undefined) this.sendJson(response, result);
    else this.#send(response, [Buffer.from('{"data":'), json, Buffer.from(`,"meta":${JSON.stringify(meta)}}`)]);
  }

  #send(response: Response, parts: readonly Uint8Array[]): void {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length <= small && isNext(response)) {
      send(response, type, Buffer.concat(parts));
      return;
    }
    // The caller has gone. "close" has come already, so that the bytes would be counted for ever.
    if (response.destroyed) return;
    // A single answer may be larger than the bound: without this it could never be sent.
    if (this.#waiting > 0 && this.#waiting + length > this.#most) {
      const message = "Too many answers wait to be read by their callers. Try again shortly, or ask for less at once.";
      sendProblem(response, new TenonError("overloaded", message, { retryAfter: 1 }));
      return;
    }
    this.#waiting += length;
    response.on("close", () => {
      this.#waiting -= length;
    });
    writeHead(response, type, length);
    void write(response, parts);
  }
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new TenonError("platform_failed", "The platform sent a value that is nested too deeply.", { cause: thrown });
  }
}

/** Whether the answer goes out at once: a caller may send requests ahead, whose answers wait for those before them. */
function isNext(response: Response): boolean {
  return response.socket !== null;
}

/** Writes slice by slice, as fast as the caller reads. */
async function write(response: Response, parts: readonly Uint8Array[]): Promise<void> {
  for (const part of parts)
    for (let start = 0; start < part.length; start += slice) {
      if (!response.write(part.subarray(start, start + slice))) await drained(response);
      if (response.destroyed) return;
    }
  response.end();
}

/** Resolves when the caller has taken what was written, or has gone. */
function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
