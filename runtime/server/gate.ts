import type { RequestHandler, Response } from "express";
import { within } from "../base/deadline.ts";
import { TenonError } from "../base/errors.ts";

/** Milliseconds that a request which has begun to come in has left to come in whole, once the service is closing. */
const lastBytes = 1000;

/** Counts requests under way, refuses more than the service can work on, and lets a shutdown wait for the last one. */
export class Gate {
  readonly #most: number;
  /** Requests that are being worked on: each takes a place. */
  readonly #working = new Set<Response>();
  /** Requests whose connection still waits for the answer or its last bytes. */
  #open = 0;
  /** Work whose caller may have gone. */
  #held = 0;
  #closing = false;
  readonly #idle = Promise.withResolvers<void>();

  /** @param most requests that may be worked on at once */
  constructor(most: number) {
    this.#most = most;
  }

  get handler(): RequestHandler {
    return (_request, response, next) => {
      if (this.#closing) {
        response.setHeader("Connection", "close");
        next(new TenonError("shutting_down", "The service is shutting down.", { retryAfter: 5 }));
        return;
      }
      if (this.#working.size >= this.#most) {
        next(new TenonError("overloaded", "Too many requests are under way.", { retryAfter: 1 }));
        return;
      }
      this.#open++;
      this.#working.add(response);
      response.on("close", () => {
        this.#open--;
        this.#working.delete(response);
        this.#left();
      });
      next();
    };
  }

  /** Frees the place of a request whose answer is made, though it may not be sent yet: a caller who does not read it takes no place. */
  answered(response: Response): void {
    this.#working.delete(response);
  }

  /** Lets a shutdown wait for work even when its caller has gone: a write has to be waited for. */
  async hold<Result>(work: Promise<Result>): Promise<Result> {
    this.#held++;
    try {
      return await work;
    } finally {
      this.#held--;
      this.#left();
    }
  }

  #left(): void {
    if (this.#closing && this.#open + this.#held === 0) this.#idle.resolve();
  }

  /** Ends the requests that have not come in whole. Nothing was begun for them, so nothing is lost. */
  #endUnsent(): void {
    for (const { req } of this.#working) if (!req.complete) req.destroy();
  }

  /** Requests that are worked on now. */
  get working(): number {
    return this.#working.size;
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Takes no more requests; resolves when the last one has ended, or after `patience` milliseconds. True when all ended. */
  async close(patience: number): Promise<boolean> {
    this.#closing = true;
    this.#left();
    const ended = this.#idle.promise.then(() => true);
    const cutOff = setTimeout(() => this.#endUnsent(), lastBytes);
    return within(patience, ended, () => false).finally(() => clearTimeout(cutOff));
  }
}
