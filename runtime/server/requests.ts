import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import { TenonError } from "../errors.ts";
import type { Logger } from "../log.ts";

/** Gives every request an id, the caller's or a new one, and logs one line when it has ended. Neither headers nor bodies are logged. */
export function accessLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const given = request.headers["x-request-id"];
    const requestId = typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
    response.locals["requestId"] = requestId;
    response.setHeader("X-Request-Id", requestId);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cache-Control", "no-store");
    response.on("close", () => {
      const { code, connector, entity, action } = response.locals;
      log.info(
        {
          requestId,
          method: request.method,
          route: connector === undefined ? request.path.slice(0, 200) : undefined,
          connector,
          entity,
          action,
          status: response.headersSent ? response.statusCode : undefined,
          code,
          ms: Math.round((performance.now() - started) * 10) / 10,
          aborted: response.writableFinished ? undefined : true,
        },
        "request",
      );
    });
    next();
  };
}

/** Counts requests under way, refuses more than the service can hold, and lets a shutdown wait for the last one. */
export class Gate {
  readonly #most: number;
  #open = 0;
  /** Work whose caller may have gone. */
  #held = 0;
  #closing = false;
  #idle: (() => void) | undefined;

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
      if (this.#open >= this.#most) {
        next(new TenonError("overloaded", "Too many requests are under way.", { retryAfter: 1 }));
        return;
      }
      this.#open++;
      response.on("close", () => {
        this.#open--;
        this.#left();
      });
      next();
    };
  }

  /** Keeps a place until the work has ended, even when its caller has gone: a write has to be waited for. */
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
    if (this.#open + this.#held === 0) this.#idle?.();
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Takes no more requests; resolves when the last one has ended, or after `patience` milliseconds. True when all ended. */
  async close(patience: number): Promise<boolean> {
    this.#closing = true;
    if (this.#open + this.#held === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const ended = await Promise.race([
      new Promise<true>((resolve) => {
        this.#idle = () => resolve(true);
      }),
      new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), patience);
      }),
    ]);
    clearTimeout(timer);
    return ended;
  }
}
