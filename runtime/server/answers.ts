import type { Response } from "express";
import { TenonError } from "../base/errors.ts";
import { SharedRoom } from "../base/shared-room.ts";
import type { ExecuteResult } from "../execute/index.ts";
import { knownCaller } from "./callers/bearer.ts";
import { send, writeHead } from "./headers.ts";
import { usageOf } from "./limits/limit-caller.ts";
import { sendProblem } from "./problem.ts";
import { sent } from "./streamed.ts";

/**
 * An answer up to this size (bytes) goes out in one write. It is never refused when it is the next one of its connection, because the
 * system itself holds more than that for a socket.
 */
const small = 64 * 1024;
/** A larger answer goes out in slices of this size (bytes), so that it can be seen whether its caller reads. */
export const slice = 128 * 1024;
/** When room is needed, an answer may be ended of which its caller has read nothing for so many milliseconds. */
const stalled = 1000;
const type = "application/json; charset=utf-8";

interface Waiting {
  /** Id of the caller; empty where it is not known. */
  readonly caller: string;
  /** Bytes of the answer. */
  readonly length: number;
  /** When its caller last took a part of it. */
  since: number;
}

/** Sends answers, and bounds the bytes that wait for callers who do not read them. */
export class Answers {
  readonly #now: () => number;
  /** The larger answers that are being sent, the newest last. */
  readonly #unsent = new Map<Response, Waiting>();
  readonly #waiting: SharedRoom;

  /**
   * @param most bytes of answers that may wait for their callers at once, over all connections; the next small one of each is not counted
   * @param now milliseconds, never going back
   */
  constructor(most: number, now = () => performance.now()) {
    this.#waiting = new SharedRoom(most);
    this.#now = now;
  }

  /** @throws TenonError `platform_failed` for a value that is nested too deeply, as only a faulty platform sends it */
  sendJson(response: Response, value: unknown): void {
    const began = performance.now();
    const body = jsonOf(value);
    // Whoever requests long lists all the time would hold up the others. Short responses are not worth counting.
    if (body.length > small) usageOf(response)?.spend("cpuSeconds", (performance.now() - began) / 1000);
    this.sendJsonText(response, body);
  }

  /** An answer that is JSON already. */
  sendJsonText(response: Response, body: string): void {
    // A character takes up to three bytes.
    if (body.length <= small / 3 && isNext(response)) send(response, type, body);
    else this.#send(response, [Buffer.from(body)]);
  }

  /** An answer that is bytes of JSON already, in several parts. They are sent unchanged. */
  sendJsonParts(response: Response, parts: readonly Uint8Array[]): void {
    this.#send(response, parts);
  }

  /** An answer whose records may be bytes of JSON already. Such bytes are sent unchanged. */
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
    const caller = knownCaller(response)?.id ?? "";
    if (!this.#makeRoom(caller, length)) {
      const message = "Too many responses wait to be read by their callers. Try again shortly, or request less at once.";
      sendProblem(response, new TenonError("overloaded", message, { retryAfter: 1 }));
      return;
    }
    const waiting = { caller, length, since: this.#now() };
    this.#unsent.set(response, waiting);
    this.#waiting.take(caller, length);
    response.on("close", () => this.#ended(response));
    writeHead(response, type, length);
    void write(response, parts, () => {
      waiting.since = this.#now();
    });
  }

  /**
   * Whether so many more bytes may wait for a caller. If there is no room, answers that their callers do not read are ended first, those
   * that have waited longest before others. When ending all of these would not make enough room, none is ended.
   */
  #makeRoom(caller: string, length: number): boolean {
    if (this.#waiting.has(caller, length)) return true;
    const latest = this.#now() - stalled;
    const unread = [...this.#unsent]
      .filter(([, { since }]) => since <= latest)
      .sort(([, one], [, other]) => one.since - other.since);
    let ended = 0;
    for (; ended < unread.length && !this.#waiting.has(caller, length); ended++) {
      const [, one] = unread[ended] ?? [];
      if (one !== undefined) this.#waiting.give(one.caller, one.length);
    }
    const isEnough = this.#waiting.has(caller, length);
    for (const [response, one] of unread.slice(0, ended)) {
      if (!isEnough) this.#waiting.take(one.caller, one.length);
      else {
        this.#unsent.delete(response);
        response.destroy();
      }
    }
    return isEnough;
  }

  #ended(response: Response): void {
    const waiting = this.#unsent.get(response);
    if (waiting !== undefined) this.#waiting.give(waiting.caller, waiting.length);
    this.#unsent.delete(response);
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

/** Writes slice by slice, as fast as the caller reads. @param took is called when the caller has taken what was written */
async function write(response: Response, parts: readonly Uint8Array[], took: () => void): Promise<void> {
  for (const part of parts)
    for (let start = 0; start < part.length; start += slice) {
      await sent(response, part.subarray(start, start + slice));
      if (response.destroyed) return;
      took();
    }
  response.end();
}
