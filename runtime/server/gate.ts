import type { RequestHandler, Response } from "express";
import { withDeadline } from "../base/deadline.ts";
import { TenonError } from "../base/errors.ts";
import { SharedRoom } from "../base/shared-room.ts";
import { callerOf } from "./callers/bearer.ts";
import { networkOfCaller } from "./callers/caller-address.ts";
import { announced } from "./intake/head.ts";

/** Milliseconds that a request which has begun to come in has left to come in whole, once the service is closing. */
const lastBytes = 1000;

/** A body up to this size (bytes) is not counted while it comes in: all connections together may send so much. */
const small = 64 * 1024;
/** Bytes of larger bodies that may come in at once from known callers, and as many from others. */
const mostArriving = 64 * 1024 * 1024;

/**
 * Counts requests under way, refuses more than the service can work on, and lets a shutdown wait for the last one. A request passes
 * `arrival` first. It takes a place only when its caller is known and its body has come in whole, so that slow callers take none.
 */
export class Gate {
  /** Requests that may be worked on at once. */
  readonly most: number;
  /** Requests that are being worked on: each takes a place. */
  readonly #working = new Set<Response>();
  /** Requests whose connection still waits for the answer or its last bytes. */
  readonly #open = new Set<Response>();
  /** What gives back the bytes of larger bodies that come in. */
  readonly #arriving = new Map<Response, () => void>();
  readonly #ofCallers: SharedRoom;
  readonly #ofStrangers: SharedRoom;
  /** Work whose caller may have gone. */
  #held = 0;
  readonly #end = new AbortController();
  #leaving = false;
  readonly #idle = Promise.withResolvers<void>();

  /**
   * @param most requests that may be worked on at once
   * @param arriving bytes of larger bodies that may come in at once from known callers, and as many from others
   */
  constructor(most: number, arriving = mostArriving) {
    this.most = most;
    this.#ofCallers = new SharedRoom(arriving);
    this.#ofStrangers = new SharedRoom(arriving);
  }

  /** Lets a request in, unless the service is closing. */
  get arrival(): RequestHandler {
    return (_request, response, next) => {
      if (this.leaving) response.setHeader("Connection", "close");
      if (this.closing) {
        next(new TenonError("shutting_down", "The service is shutting down.", { retryAfter: 5 }));
        return;
      }
      this.#open.add(response);
      response.on("close", () => {
        this.#open.delete(response);
        this.#working.delete(response);
        this.#arrived(response);
        this.#left();
      });
      next();
    };
  }

  /** Refuses a large body while too many others come in. It belongs between the check of the caller and the handlers that read the body. */
  get body(): RequestHandler {
    return ({ headers }, response, next) => {
      this.#begin(response, this.#ofCallers, callerOf(response).id, announced(headers));
      next();
    };
  }

  /** As `body`, for somebody who is not known yet: that takes no room from callers. @param most bytes that the body may have */
  strangerBody(most: number): RequestHandler {
    return (request, response, next) => {
      this.#begin(response, this.#ofStrangers, networkOfCaller(request, response), announced(request.headers, most));
      next();
    };
  }

  /** @throws TenonError `overloaded` */
  #begin(response: Response, arriving: SharedRoom, who: string, size: number): void {
    if (size <= small) return;
    if (!arriving.has(who, size)) throw new TenonError("overloaded", "Too many large requests are coming in.", { retryAfter: 1 });
    arriving.take(who, size);
    this.#arriving.set(response, () => arriving.give(who, size));
  }

  /** Takes a place for a request that has come in whole, or refuses it. */
  get place(): RequestHandler {
    return (_request, response, next) => {
      this.#arrived(response);
      if (this.#working.size >= this.most) {
        next(new TenonError("overloaded", "Too many requests are under way.", { retryAfter: 1 }));
        return;
      }
      // The caller may have gone while its body was read: "close" has come already, and would not free the place.
      if (this.#open.has(response)) this.#working.add(response);
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
    if (this.closing && this.#open.size + this.#held === 0) this.#idle.resolve();
  }

  /** Notes that the body of a request has come in, or was cut off. */
  #arrived(response: Response): void {
    this.#arriving.get(response)?.();
    this.#arriving.delete(response);
  }

  /** Ends the requests that have not come in whole. Nothing was begun for them, so nothing is lost. */
  #endUnsent(): void {
    for (const { req } of this.#open) if (!req.complete) req.destroy();
  }

  /** Requests that are worked on now. */
  get working(): number {
    return this.#working.size;
  }

  /**
   * Takes requests as before, but on the last one of each connection. So a load balancer, or a client that keeps connections, finds another
   * process before this one closes.
   */
  leave(): void {
    this.#leaving = true;
  }

  /** Whether no connection is kept, and probes are to send no more requests here. */
  get leaving(): boolean {
    return this.#leaving || this.closing;
  }

  get closing(): boolean {
    return this.#end.signal.aborted;
  }

  /** Aborted when the service takes no more requests: what waits for something then ends. */
  get closed(): AbortSignal {
    return this.#end.signal;
  }

  /** Takes no more requests; resolves when the last one has ended, or after `patience` milliseconds. True when all ended. */
  async close(patience: number): Promise<boolean> {
    this.#end.abort();
    this.#left();
    const ended = this.#idle.promise.then(() => true);
    const cutOff = setTimeout(() => this.#endUnsent(), lastBytes);
    return withDeadline(patience, ended, () => false).finally(() => clearTimeout(cutOff));
  }
}
