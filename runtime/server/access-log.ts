import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { AuditLog } from "../accounts/index.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "./metrics.ts";
import type { Trace } from "./trace.ts";

/** The log, the metrics and the audit log, which note each request. */
export interface Witnesses {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Absent where no audit log is kept. */
  readonly audit?: AuditLog | undefined;
  /** Looks at requests that have run a cached search. */
  readonly searches?: { ended(search: EndedSearch): void } | undefined;
}

/** A cached search that has ended, without anything that its caller has sent. */
export interface EndedSearch {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly caller: string;
  readonly instance: string;
  readonly entity: string;
  /** Milliseconds that the search itself took. */
  readonly took: number;
  /** `done`, or the code of the error. */
  readonly outcome: string;
  readonly requestId: string;
}

/**
 * Gives every request an id, the caller's or a new one, and notes when it has ended: one line in the log, the metrics, and the audit log
 * where somebody did something. Neither headers nor bodies are noted, nor names that the service does not know.
 */
export function accessLog({ log, metrics, audit, searches }: Witnesses): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const given = request.headers["x-request-id"];
    const requestId = typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
    response.locals["requestId"] = requestId;
    response.on("close", () => {
      const { code, caller, client } = response.locals;
      const trace: Trace | undefined = response.locals["trace"];
      const route: unknown = request.route?.path;
      const pattern = typeof route === "string" ? route : undefined;
      const status = response.headersSent ? response.statusCode : undefined;
      const ms = performance.now() - started;
      const callerId: string | undefined = caller?.id ?? client;
      log.info(
        {
          requestId,
          method: request.method,
          route: trace?.instance === undefined ? pattern : undefined,
          caller: callerId,
          ...trace?.fields,
          status,
          code,
          ms: Math.round(ms * 10) / 10,
          aborted: response.writableFinished ? undefined : true,
        },
        "request",
      );
      metrics.ended({ route: pattern, method: request.method, status, code, seconds: ms / 1000 }, trace);
      const { instance, entity, store } = trace ?? {};
      if (store !== undefined && instance !== undefined && entity !== undefined && callerId !== undefined) {
        const outcome = code ?? (status === undefined ? "gone" : "done");
        searches?.ended({ at: Date.now(), caller: callerId, instance: instance.id, entity, took: store, outcome, requestId });
      }
      if (callerId !== undefined && trace?.deed !== undefined && !trace.isAudited)
        audit?.add(auditEntry(trace, callerId, requestId, code ?? (status === undefined ? "unknown" : "done")));
    });
    next();
  };
}

/** @param outcome `done`, or the code of an error */
export function auditEntry({ deed, instance, intent }: Trace, caller: string, requestId: string, outcome: string) {
  const action = deed ?? "unknown";
  return { at: Date.now(), caller, action, target: instance?.id ?? null, outcome, requestId, intent: intent ?? null };
}
