import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { AuditEntry, AuditLog } from "../../accounts/index.ts";
import { errorCodes, isErrorCode } from "../../base/error-codes.ts";
import { asTenonError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { Redact } from "../../base/redact.ts";
import { notedNetwork } from "../callers/caller-address.ts";
import { redactorOf } from "../problem.ts";
import type { Metrics } from "./metrics.ts";
import { Repeats } from "./repeats.ts";
import { Trace } from "./trace.ts";

/** The log, the metrics and the audit log, which note each request. */
export interface Witnesses {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Absent where no audit log is kept. */
  readonly audit?: AuditLog | undefined;
  /** Notes requests of which anybody can send any number. */
  readonly repeated: Repeats<NotedRequest>;
  /** Looks at every request that has ended. */
  readonly watch?: { ended(request: WatchedRequest): void } | undefined;
}

/** A request that has ended, with what the operator's page shows of it. */
export interface WatchedRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  /** The pattern of its address; undefined where there is nothing at the address. */
  readonly route: string | undefined;
  /** Undefined where nobody known has sent it. */
  readonly caller: string | undefined;
  /** Undefined where its caller went away before a response began. */
  readonly status: number | undefined;
  readonly ms: number;
  /** `done`, or the code of the error. */
  readonly outcome: string;
  readonly trace: Trace | undefined;
  /** Removes secrets from the message of its failure, which may repeat what was sent. */
  readonly redact: Redact;
}

/** A request that has ended, as the log and the audit log have it. */
export interface NotedRequest {
  /** Absent where the log has its line already. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Absent where nobody did anything. */
  readonly entry?: AuditEntry | undefined;
}

/** Milliseconds for which requests of one kind have one line. */
const window = 60_000;

/**
 * Notes requests of which anybody can send any number: the first of a caller or an address in each minute, and at its end how many more
 * there were.
 */
export function repeatedRequests(log: Logger, audit: AuditLog | undefined): Repeats<NotedRequest> {
  return new Repeats({
    most: 1,
    window,
    note: (noted) => note(log, audit, noted),
    more: ({ fields: all, entry }, times, isMixed) => {
      const { requestId: _id, ms: _ms, ...fields } = all ?? {};
      if (isMixed) {
        log.info({ status: fields["status"], code: fields["code"], times }, "more requests of many callers");
        return;
      }
      if (all !== undefined) log.info({ ...fields, times }, "more requests of this kind");
      if (entry !== undefined) audit?.add({ ...entry, times });
    },
  });
}

function note(log: Logger, audit: AuditLog | undefined, { fields, entry }: NotedRequest): void {
  if (fields !== undefined) log.info(fields, "request");
  if (entry !== undefined) audit?.add(entry);
}

/** What the log has of a request by which its kind is known. */
interface LoggedRequest {
  readonly caller: string | undefined;
  readonly network: string | undefined;
  readonly status: number | undefined;
  readonly code: unknown;
  readonly method: string;
}

/** Says which requests are of the same kind, among those of which anybody can send any number; undefined for every other request. */
function kindOf(
  { caller, network, status, code, method }: LoggedRequest,
  pattern: string | undefined,
  trace: Trace | undefined,
): string | undefined {
  const { deed, instance } = trace ?? {};
  const who = caller ?? network;
  if (code === "unauthorized" || code === "too_many_requests") return JSON.stringify([code, who, deed, instance?.id]);
  // Such as a probe, a page of the documentation, or an address that is not there.
  if (caller === undefined) return JSON.stringify([code ?? status, who, method, pattern]);
  return code === undefined && deed === "token.issue" ? JSON.stringify([deed, who]) : undefined;
}

/**
 * Gives every request an id, the caller's or a new one, and notes when it has ended: one line in the log, the metrics, and the audit log
 * where somebody did something. Neither headers nor bodies are noted, nor names that the service does not know.
 */
export function accessLog({ log, metrics, audit, watch, repeated }: Witnesses): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const given = request.headers["x-request-id"];
    const requestId = typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
    response.locals["requestId"] = requestId;
    response.on("close", () => {
      const { caller, client } = response.locals;
      const trace: Trace | undefined = response.locals["trace"];
      const code = trace?.failure?.code;
      const route: unknown = request.route?.path;
      const pattern = typeof route === "string" ? route : undefined;
      const status = response.headersSent ? response.statusCode : undefined;
      const ms = performance.now() - started;
      const callerId: string | undefined = caller?.id ?? client;
      const network = callerId === undefined ? notedNetwork(response) : undefined;
      const fields = {
        requestId,
        method: request.method,
        route: trace?.instance === undefined ? pattern : undefined,
        caller: callerId,
        network,
        ...trace?.fields,
        status,
        code,
        ms: Math.round(ms * 10) / 10,
        aborted: response.writableFinished ? undefined : true,
      };
      const outcome = code ?? (status === undefined ? "unknown" : "done");
      const entry = entryOf(audit, trace, callerId, requestId, outcome);
      const kind = kindOf(fields, pattern, trace);
      if (kind === undefined) {
        log.info(fields, "request");
        addEntry({ audit, repeated }, entry, trace);
      } else repeated.add(kind, { fields, entry });
      metrics.ended({ route: pattern, method: request.method, status, code, seconds: ms / 1000 }, trace);
      const redact = redactorOf(response);
      watch?.ended({ at: Date.now(), requestId, route: pattern, caller: callerId, status, ms, outcome, trace, redact });
    });
    next();
  };
}

/**
 * Runs one of several actions of a request, behind the first, of which the request itself is the note: notes it in the metrics and in the
 * audit log as if it had come alone.
 */
export async function notedFurther<Result>(
  { metrics, audit, repeated }: Pick<Witnesses, "audit" | "repeated"> & { readonly metrics: Pick<Metrics, "acted"> },
  { caller, requestId }: { readonly caller: string; readonly requestId: string },
  run: (trace: Trace) => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  const trace = new Trace();
  try {
    return await run(trace);
  } catch (thrown) {
    trace.failure ??= asTenonError(thrown);
    throw thrown;
  } finally {
    const code = trace.failure?.code;
    metrics.acted({ status: 200, code, seconds: (performance.now() - started) / 1000 }, trace);
    addEntry({ audit, repeated }, entryOf(audit, trace, caller, requestId, code ?? "done"), trace);
  }
}

/** Adds an entry to the audit log. A caller may be refused any number of times: such entries of one kind are noted together. */
function addEntry(
  { audit, repeated }: { readonly audit: AuditLog | undefined; readonly repeated: Repeats<NotedRequest> },
  entry: AuditEntry | undefined,
  trace: Trace | undefined,
): void {
  if (entry === undefined) return;
  const { outcome, caller, action } = entry;
  const isRefused = isErrorCode(outcome) && errorCodes[outcome].status < 500;
  if (!isRefused) audit?.add(entry);
  else repeated.add(JSON.stringify(["refused", outcome, caller, action, trace?.instance?.id]), { entry });
}

/** What the audit log gets of something that has ended; undefined where it has it already, or needs nothing of it. */
function entryOf(
  audit: AuditLog | undefined,
  trace: Trace | undefined,
  caller: string | undefined,
  requestId: string,
  outcome: string,
): AuditEntry | undefined {
  const isLeftOut = trace?.isRead === true && outcome === "done" && audit?.reads === false;
  const isDeed = caller !== undefined && trace?.deed !== undefined && !trace.isAudited && !isLeftOut;
  return isDeed ? auditEntry(trace, caller, requestId, outcome) : undefined;
}

/** @param outcome `done`, or the code of an error */
export function auditEntry(
  { deed, instance, target: given, intent, sets }: Trace,
  caller: string,
  requestId: string,
  outcome: string,
): AuditEntry {
  const action = deed ?? "unknown";
  const target = given ?? instance?.id ?? null;
  const fields = sets === undefined ? {} : { fields: sets };
  return { at: Date.now(), caller, action, target, outcome, requestId, intent: intent ?? null, times: 1, ...fields };
}
