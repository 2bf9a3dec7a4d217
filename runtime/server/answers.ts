import type { Response } from "express";
import { TenonError } from "../errors.ts";
import type { ExecuteResult } from "../execute/index.ts";
import { sendProblem } from "./problem.ts";

/** An answer up to this size (bytes) goes out in one write and is never refused: what the system itself holds for a socket is more. */
const small = 64 * 1024;
/** A larger answer goes out in slices of this size (bytes). A caller has to take one within the write timeout. */
const slice = 128 * 1024;

export interface AnswerLimits {
  /** Milliseconds without progress after which the connection of an answer is ended. */
  readonly writeTimeout: number;
  /** Bytes of large answers that may wait for their callers at once, over all connections. */
  readonly maxUnsent: number;
}

interface Unsent {
  readonly response: Response;
  /** When the caller last took something: `performance.now()`. */
  since: number;
}

/**
 * Sends answers and bounds what callers cost who do not read them: bytes that wait are counted, and an answer that makes no progress
 * ends its connection.
 */
export class Answers {
  readonly #limits: AnswerLimits;
  readonly #unsent = new Set<Unsent>();
  #bytes = 0;
  #sweeping = false;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  sendJson(response: Response, value: unknown): void {
    const body = JSON.stringify(value);
    // A character takes up to three bytes, so the length is measured only once.
    if (body.length <= small / 3) this.#sendSmall(response, body, Buffer.byteLength(body));
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
    if (length <= small) {
      this.#sendSmall(response, Buffer.concat(parts), length);
      return;
    }
    // A single answer may be larger than the bound: without this it could never be sent.
    if (this.#bytes > 0 && this.#bytes + length > this.#limits.maxUnsent) {
      const message = "Too many answers wait to be read by their callers. Try again shortly, or ask for less at once.";
      sendProblem(response, new TenonError("overloaded", message, { retryAfter: 1 }));
      return;
    }
    this.#bytes += length;
    response.on("close", () => {
      this.#bytes -= length;
    });
    writeHeaders(response, length);
    void write(response, parts, this.#watch(response));
  }

  #sendSmall(response: Response, body: string | Uint8Array, length: number): void {
    writeHeaders(response, length);
    response.end(body);
    this.#watch(response);
  }

  #watch(response: Response): Unsent {
    const one = { response, since: performance.now() };
    this.#unsent.add(one);
    response.on("close", () => this.#unsent.delete(one));
    if (!this.#sweeping) this.#sweepLater();
    return one;
  }

  #sweepLater(): void {
    this.#sweeping = true;
    setTimeout(() => this.#sweep(), Math.min(1000, this.#limits.writeTimeout / 4)).unref();
  }

  #sweep(): void {
    const now = performance.now();
    for (const one of this.#unsent) {
      const { response } = one;
      // Without a socket it waits behind an earlier answer of its connection, which is not its caller's fault.
      if (response.socket === null) one.since = now;
      else if (now - one.since >= this.#limits.writeTimeout) {
        response.locals["cut"] = "the caller did not read the answer in time";
        response.socket.destroy();
      }
    }
    this.#sweeping = false;
    if (this.#unsent.size > 0) this.#sweepLater();
  }
}

/** With its length told, a small answer goes out in one write together with the headers. */
function writeHeaders(response: Response, length: number): void {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", length);
}

/** Writes slice by slice, as fast as the caller reads. */
async function write(response: Response, parts: readonly Uint8Array[], unsent: Unsent): Promise<void> {
  for (const part of parts)
    for (let start = 0; start < part.length; start += slice) {
      if (!response.write(part.subarray(start, start + slice))) await drained(response);
      if (response.destroyed) return;
      unsent.since = performance.now();
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
