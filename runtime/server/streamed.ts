import { setImmediate } from "node:timers/promises";
import type { Response } from "express";
import { TenonError } from "../base/errors.ts";
import { SharedRoom } from "../base/shared-room.ts";

/** The streams of a process that may be open, whatever they have. One caller cannot take all. */
export class Streams {
  readonly #places: SharedRoom;

  constructor(most = 1000) {
    this.#places = new SharedRoom(most);
  }

  /** Takes a place until the response ends. @throws TenonError `overloaded` */
  open(caller: string, response: Response): void {
    if (!this.#places.has(caller, 1)) throw new TenonError("overloaded", "Too many streams are open.", { retryAfter: 10 });
    // The caller has gone: "close" has come already, and would not free the place.
    if (response.closed) return;
    this.#places.take(caller, 1);
    response.once("close", () => this.#places.give(caller, 1));
  }
}

/** Resolves when the caller has taken what was written, or has gone. */
export async function sent(response: Response, text: string | Uint8Array): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

/** Sends a stream that something else fills, and lets it wait until the caller has taken all. So no more than a page is in memory. */
export class Outflow {
  readonly #response: Response;
  readonly #waiting: (() => void)[] = [];
  #isDry = false;

  constructor(response: Response) {
    this.#response = response;
    response.on("close", () => this.#dry());
  }

  /** Resolves when everything is sent, or the caller has gone. */
  async send(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader();
    const gone = () => void reader.cancel().catch(() => undefined);
    this.#response.on("close", gone);
    for (;;) {
      const piece = reader.read();
      this.#dry();
      const { done, value } = await piece;
      this.#isDry = false;
      if (done) break;
      await sent(this.#response, value);
    }
    this.#response.off("close", gone);
  }

  /** Resolves when the caller has taken all that the stream has, or has gone. */
  async drained(): Promise<void> {
    // What was written just now is read in this round.
    for (await setImmediate(); !this.#isDry && !this.#response.destroyed; await setImmediate())
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #dry(): void {
    this.#isDry = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
