import { isUtf8 } from "node:buffer";
import type { Request, RequestHandler, Response } from "express";
import { type Grant, hasRight, type Right } from "../../accounts/index.ts";
import { withoutByteOrderMark } from "../../base/byte-order-mark.ts";
import { TenonError } from "../../base/errors.ts";
import { parseExact } from "../../base/exact-json.ts";
import { jsonPlace, type TextPlace } from "../../base/json-place.ts";
import { JsonScanner } from "../../base/json-scanner.ts";
import { isOutOfMemory, LargeJson, TooManyValues } from "../../base/large-json.ts";
import { requestLimits } from "../../base/request-limits.ts";
import { Turns } from "../../base/turns.ts";
import type { ConnectorInstance } from "../../execute/index.ts";
import { callerOf } from "../callers/bearer.ts";
import { requireRight } from "../callers/permission.ts";
import type { Gate } from "../gate.ts";
import type { Usage, Usages } from "../limits/usages.ts";
import { traceOf } from "../monitoring/trace.ts";
import { announced, type BodyType, checkHead, hasBody, isOfType } from "./head.ts";
import { cutOff, readBody, type TakePiece } from "./read.ts";
import { bodyRounds } from "./rounds.ts";

// Decision 12 in runtime/site/text/decisions-service.md says why: rights and budgets come before the body.

/** Bytes up to which a body is read at once, and up to which it is parsed here: parsing a larger one would hold up all other requests. */
const small = 4 * 1024;
const parsedHere = 32 * 1024;

/** The thread of this process that parses the largest bodies. Only webhooks may have more values than the scanner lets through. */
const parser = { thread: new LargeJson({ values: requestLimits.webhookValues }), turns: new Turns(2) };

const formType = "application/x-www-form-urlencoded";
/** No form that is read here has more than a few fields. */
const mostFields = 20;

const mebibyte = 1024 * 1024;

/** Seconds of processor time that unpacking a body counts, because nobody can measure it: most of it is done by threads of Node. */
const unpacking = 0.0005;

/** For whom a body is read. */
interface Sender {
  /** Names it among those who take turns. */
  readonly key: string;
  /** What it may use; absent while it is not known who it is. */
  readonly usage: Usage | undefined;
}

export interface BodyOptions {
  readonly gate: Gate;
  readonly limits: Usages;
  /** The caller needs one of these rights. */
  readonly rights: readonly Right[];
  /** Finds the instance, where the address names one: a caller without the right then learns first whether the instance is there. */
  readonly find?: (request: Request, grant: Grant) => Promise<ConnectorInstance>;
  /** What the audit log calls the request where the caller has none of the rights; absent where it has no entry. */
  readonly deed?: string;
  /** Whether a request may have no body. */
  readonly optional?: boolean;
}

/**
 * Reads the body of a known caller as JSON. Before any of it is read, the caller has to have a right for what the body can ask for, and
 * something left of its budgets for bodies.
 */
export function callerBody({ gate, limits, rights, find, deed, optional = false }: BodyOptions): readonly RequestHandler[] {
  return [
    async (request, response, next) => {
      const caller = callerOf(response);
      const { grant } = caller;
      if (!rights.some((right) => hasRight(grant, right))) {
        Object.assign(traceOf(response), { instance: await find?.(request, grant), deed });
        requireRight(grant, ...rights);
      }
      limits.of(caller).checkOwn({ bodyMib: announced(request.headers) / mebibyte, cpuSeconds: 0.01 });
      next();
    },
    gate.body,
    async (request, response, next) => {
      if (!optional || hasBody(request.headers)) {
        const caller = callerOf(response);
        request.body = await jsonOf(request, response, requestLimits.body, { key: caller.id, usage: limits.of(caller) });
      }
      next();
    },
  ];
}

/** Reads a short body of somebody who is not known yet, as JSON or as a form. */
export const strangerBody: RequestHandler = async (request, response, next) => {
  const sender = strangerOf(request);
  const isForm = isOfType(request.headers, formType);
  request.body = await (isForm
    ? formOf(request, requestLimits.form, sender)
    : jsonOf(request, response, requestLimits.form, sender));
  next();
};

/** Reads a form of somebody who is not known yet. @param limit bytes */
export function strangerForm(limit: number): RequestHandler {
  return async (request, _response, next) => {
    request.body = await formOf(request, limit, strangerOf(request));
    next();
  };
}

async function jsonOf(request: Request, response: Response, limit: number, sender: Sender): Promise<unknown> {
  const scanner = new JsonScanner("The body");
  const bytes = await bytesOf(request, "application/json", limit, sender, (piece) => scanner.scan(piece));
  return parsedJson(bytes, response, sender);
}

/**
 * Reads the bytes of a body, whoever sends it.
 *
 * @param limit bytes that it may have @param look is called with each piece
 * @throws TenonError
 */
export function bytesOfStranger(request: Request, limit: number, look: (piece: Buffer) => void): Promise<Buffer> {
  return bytesOf(request, "application/json", limit, strangerOf(request), look);
}

/** Parses the bytes of a stranger's body as JSON: large ones in a thread. @throws TenonError `invalid_json` */
export function strangerJson(bytes: Buffer, request: Request, response: Response): Promise<unknown> {
  return parsedJson(bytes, response, strangerOf(request));
}

function strangerOf({ ip }: Request): Sender {
  return { key: `address ${ip}`, usage: undefined };
}

async function parsedJson(bytes: Buffer, response: Response, sender: Sender): Promise<unknown> {
  if (bytes.length <= small) return measured(sender, () => parsedNow(bytes));
  if (bytes.length <= parsedHere) return bodyRounds.take(sender.key, () => measured(sender, () => parsedNow(bytes)));
  const gone = new AbortController();
  const abort = () => gone.abort(cutOff());
  if (response.closed) abort();
  response.once("close", abort);
  const spent = (ms: number) => sender.usage?.spend("cpuSeconds", ms / 1000);
  const parsing = parser.turns.run(sender.key, () => parser.thread.parse(checked(bytes), gone.signal, { spent }));
  const parsed = await parsing
    .catch((thrown: unknown) => {
      throw isTooMuch(thrown) ? new TenonError("body_too_large", "The body has more values than can be read.") : thrown;
    })
    .finally(() => response.off("close", abort));
  if (parsed === undefined) throw notJson();
  // What follows works on the whole value, in a turn of its own.
  return bodyRounds.take(sender.key, () => parsed.value);
}

function isTooMuch(thrown: unknown): boolean {
  return thrown instanceof TooManyValues || isOutOfMemory(thrown);
}

async function formOf(request: Request, limit: number, sender: Sender): Promise<object> {
  const bytes = await bytesOf(request, formType, limit, sender, () => undefined);
  const pairs = [...new URLSearchParams(bytes.toString())];
  if (pairs.length > mostFields) throw new TenonError("invalid_json", `The form has more than ${mostFields} fields.`);
  const form = new Map(pairs);
  // RFC 6749, 3.2: no parameter may come twice.
  if (form.size < pairs.length) throw new TenonError("invalid_json", "The form has a field twice.");
  return Object.fromEntries(form);
}

/** Reads a body whose pieces are looked at as they come: those of a larger one in turns. */
function bytesOf(
  request: Request,
  type: BodyType,
  limit: number,
  sender: Sender,
  look: (piece: Buffer) => void,
): Promise<Buffer> {
  checkHead(request.headers, type, limit);
  if (request.headers["content-encoding"] !== undefined) sender.usage?.spend("cpuSeconds", unpacking);
  const take: TakePiece = (piece, size) => {
    sender.usage?.spend("bodyMib", piece.length / mebibyte);
    const work = () => measured(sender, () => look(piece));
    if (size > small) return bodyRounds.take(sender.key, work);
    work();
    return undefined;
  };
  return readBody(request, limit, take);
}

/** Does work whose time counts for the sender. */
function measured<Result>({ usage }: Sender, work: () => Result): Result {
  return usage === undefined ? work() : usage.measure(work);
}

function parsedNow(bytes: Buffer): unknown {
  const text = checked(bytes).toString();
  try {
    return parseExact(text);
  } catch (thrown) {
    throw notJson(thrown instanceof SyntaxError ? jsonPlace(thrown, text) : undefined);
  }
}

/** The bytes of a JSON text, without the byte order mark that it may begin with. @throws TenonError */
function checked(bytes: Buffer): Buffer {
  if (bytes.length === 0) throw new TenonError("invalid_json", "The body is empty.");
  // Decoding would put U+FFFD where bytes are wrong, and a write would carry that to the platform.
  if (!isUtf8(bytes)) throw new TenonError("invalid_json", "The body is not valid UTF-8.");
  return withoutByteOrderMark(bytes);
}

/** @param at where, which is not looked for in a large body */
function notJson(at?: TextPlace): TenonError {
  if (at === undefined) return new TenonError("invalid_json", "The body is not valid JSON.");
  return new TenonError("invalid_json", `The body is not valid JSON: line ${at.line}, column ${at.column}.`);
}
