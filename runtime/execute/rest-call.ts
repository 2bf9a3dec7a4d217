import { hash, randomUUID } from "node:crypto";
import { TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import {
  type Answer,
  onlyPage,
  type Page,
  pathKeys,
  type RecordPlan,
  type RestOperation,
  type Single,
  warning,
} from "../contract/index.ts";
import type { RestAnswer } from "../platform/call.ts";
import { noContent } from "../platform/exchange.ts";
import type { RestRequest } from "../platform/transport.ts";
import { type Environment, effectOf, noRecord, readState, recordsMissing, warnOfHidden } from "./environment.ts";
import { endOfJob } from "./job-poll.ts";
import { multipartOf } from "./multipart.ts";
import { checkCount } from "./page-count.ts";
import { valueAtPath } from "./record-reader.ts";
import { hasShrunk, nextCursor, type PageCall, pageSent, positionOf, totalOf } from "./rest-page.ts";
import { filledPath } from "./rest-path.ts";
import { halved, type PageSent, windowAt } from "./rest-window.ts";
import { formOf, sentHeaders, sentObject, sentQuery } from "./sent-params.ts";

type Row = Record<string, unknown>;

/** Makes a REST call. A write is sent once, unless it is idempotent. */
export async function callRest(
  operation: RestOperation,
  env: Environment,
): Promise<Answer<Row | null> | Single<Row> | Page<Row>> {
  const { page, answer } = await readPage(await pageCall(operation, env), env);
  warnOfHidden(answer, env);
  if (operation.list !== undefined) return readRows(page, answer, env);
  if (operation.redirect !== undefined) return readRecord(operation, withAddress(operation.redirect, answer, page), env);
  return readRecord(operation, operation.poll === undefined ? answer : await endOfJob(operation.poll, answer, env), env);
}

/**
 * Reads a page. One that is a span of time is made shorter until all its records fit in it; one whose response is too large for Tenon has
 * half of the records each time.
 */
async function readPage(first: PageCall, env: Environment): Promise<{ readonly page: PageCall; readonly answer: RestAnswer }> {
  const { by } = first.operation.list ?? {};
  for (let page = first; ; ) {
    const answer = await send(page, env).catch((thrown: unknown) => {
      const smaller = thrown instanceof TenonError && thrown.code === "platform_too_complex" ? half(page) : undefined;
      if (smaller === undefined) throw thrown;
      page = smaller;
    });
    if (answer === undefined) continue;
    const rows = by?.kind === "window" ? rowsIn(page.operation, answer) : undefined;
    const asked = sizeOf(page);
    if (by?.kind !== "window" || !Array.isArray(rows) || typeof asked !== "number" || rows.length < asked)
      return { page, answer };
    const at = halved(by, windowAt(by, page.params, page.position?.at), page.title);
    page = { ...page, position: { ...page.position, at, pages: page.position?.pages ?? 0 } };
  }
}

/** How many records a page should have. */
function sizeOf({ operation, params }: PageCall): unknown {
  return params[operation.list?.page?.size ?? ""];
}

/**
 * A page with half of the records that begins at the same place. Undefined where there is none: a page with a number begins elsewhere when
 * pages are smaller, and the address of a page has its size.
 */
function half(page: PageCall): PageCall | undefined {
  const { by, page: paging } = page.operation.list ?? {};
  const size = sizeOf(page);
  const isFixed = by?.kind === "number" || ((by?.kind === "link" || by?.kind === "address") && page.position !== undefined);
  if (paging === undefined || isFixed || typeof size !== "number" || size <= 1) return undefined;
  return { ...page, params: { ...page.params, [paging.size]: Math.ceil(size / 2) } };
}

function send(page: PageCall, env: Environment): Promise<RestAnswer> {
  const { instance, request, call } = env;
  const { operation, params } = page;
  const sent = pageSent(page);
  const headers = { ...sentHeaders(operation.headers ?? [], params), ...keyHeader(env) };
  return instance.client.rest(
    {
      method: operation.method,
      path: pagePath(page, sent),
      ...bodyOf(operation, params, sent),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(operation.limit === undefined ? {} : { limit: operation.limit }),
      ...(operation.redirect === undefined ? {} : { redirect: true as const }),
    },
    effectOf(request.action.traits, takesKey(env)),
    call,
  );
}

/** What a redirect leads to, as the member of a record. It is not followed: it may be large, and another host's. */
function withAddress(member: string, answer: RestAnswer, { base, title }: PageCall): RestAnswer {
  const location = answer.headers.get("location") ?? "";
  const url = URL.canParse(location, base) ? new URL(location, base) : undefined;
  if (location === "" || url === undefined || !/^https?:$/.test(url.protocol))
    throw new TenonError("unexpected_response", `${title} sent a response without an address to redirect to.`);
  return { ...answer, data: { [member]: url.href } };
}

function rowsIn({ answer: at }: RestOperation, { data }: RestAnswer): unknown {
  return at === undefined ? data : valueAtPath(data, pathKeys(at));
}

/** Whether the platform does a write once, however often it is sent with one key. */
function takesKey({ instance }: Environment): boolean {
  return instance.connector.platform.rest?.idempotency !== undefined;
}

/**
 * The header with the key of a write that must not be done twice. The caller's own key gives the same one each time, so that a write in
 * doubt can be sent again; it is hashed, because two callers may have the same.
 */
function keyHeader({ instance, request, call }: Environment): Record<string, string> {
  const name = instance.connector.platform.rest?.idempotency;
  const { writes, idempotent } = request.action.traits;
  if (name === undefined || !writes || idempotent) return {};
  return { [name]: call.idempotencyKey === undefined ? randomUUID() : hash("sha256", call.idempotencyKey, "base64url") };
}

function readRecord(operation: RestOperation, answer: RestAnswer, env: Environment): Answer<Row | null> | Single<Row> {
  const { instance, request } = env;
  const { traits } = request.action;
  if (noContent.includes(answer.status) && traits.writes) {
    env.warnings.add(warning("data", "no_content"));
    return { data: null, meta: env.warnings.meta };
  }
  const record = operation.answer === undefined ? answer.data : valueAtPath(answer.data, pathKeys(operation.answer));
  if (!isObject(record)) {
    const said = instance.client.judge.said(answer.data);
    if (said !== "") throw new TenonError("platform_rejected", `${instance.connector.title} did nothing: ${said}`);
    throw noRecord(
      `${instance.connector.title} sent a response that ${operation.answer === undefined ? "is not a record" : `has no record at "${operation.answer}"`}.`,
      env,
    );
  }
  const missing = missingKey(operation, record, env);
  if (missing !== undefined) {
    const said = instance.client.judge.said(answer.data);
    const says = said === "" ? "" : ` It says: ${said}`;
    throw noRecord(`${instance.connector.title} sent a record without "${missing}", which is its key.${says}`, env);
  }
  const { read } = instance.selections.get(request.action.name, operation.record, request.choice);
  const data = read(record, "data", readState(env));
  return { data, meta: traits.writes ? env.warnings.meta : { ...onlyPage, ...env.warnings.meta } };
}

/**
 * The first key field of a record that has none of them, such as `{}` or what a platform says of an error. Only fields that the platform
 * gives count: an action may answer another kind of record, or one whose key is a parameter of the call.
 */
function missingKey({ record }: RestOperation, found: Row, { instance, request }: Environment): string | undefined {
  const { name } = request.action;
  const key = instance.connector.entities[name.slice(0, name.lastIndexOf("."))]?.store.key ?? [];
  const paths = key.flatMap((part) => {
    const at = pathsTo(record, part.split("."));
    return at === undefined ? [] : [{ part, at }];
  });
  const isMissing = (value: unknown) => value === null || value === undefined || value === "";
  return paths.every(({ at }) => at.every((keys) => isMissing(valueAtPath(found, keys)))) ? paths[0]?.part : undefined;
}

/** Where the answer may have a field, or one of an object's fields. Undefined where the answer does not give it. */
function pathsTo({ fields }: RecordPlan, [name = "", ...inner]: readonly string[]): readonly (readonly string[])[] | undefined {
  const { read, param, of, open } = fields[name] ?? {};
  if (read === undefined || param !== undefined) return undefined;
  const here = [read].flat().map(pathKeys);
  if (inner.length === 0) return here;
  const within = open === true ? [inner] : of === undefined ? undefined : pathsTo(of(), inner);
  return within?.flatMap((path) => here.map((keys) => [...keys, ...path]));
}

function readRows(page: PageCall, answer: RestAnswer, env: Environment): Page<Row> {
  const { operation } = page;
  const { instance, request } = env;
  const rows = rowsIn(operation, answer);
  if (!Array.isArray(rows)) {
    const said = instance.client.judge.said(answer.data);
    const at = operation.answer === undefined ? "" : ` at "${operation.answer}"`;
    const message = `${instance.connector.title} sent a response without a list${at}.${said === "" ? "" : ` It says: ${said}`}`;
    throw new TenonError("unexpected_response", message);
  }
  const asked = sizeOf(page);
  if (typeof asked === "number") checkCount(rows.length, asked, env);
  const counted = { rows: rows.length, asked: typeof asked === "number" ? asked : Number.POSITIVE_INFINITY };
  const next = nextCursor(page, answer, counted);
  if (hasShrunk(page, answer))
    env.warnings.add(
      warning(
        "data",
        "record_missing",
        "The list became shorter while it was read, so records may be missing between its pages.",
      ),
    );
  const { incomplete } = operation.list ?? {};
  if (incomplete !== undefined && valueAtPath(answer.data, pathKeys(incomplete)) === true)
    env.warnings.add(
      warning(
        "data",
        "record_missing",
        `${instance.connector.title} left out some of these records, and says so in "${incomplete}".`,
      ),
    );
  const { read } = instance.selections.get(request.action.name, operation.record, request.choice);
  const state = readState(env);
  const records = rows.filter(isObject);
  if (records.length < rows.length) env.warnings.add(recordsMissing(rows.length - records.length));
  const total = env.call.withTotal === true ? totalOf(page, answer) : undefined;
  return {
    data: records.map((row, index) => read(row, `data.${index}`, state)),
    meta: {
      has_next_page: next !== null,
      end_cursor: next,
      ...(total === undefined ? {} : { total_count: total }),
      ...env.warnings.meta,
    },
  };
}

/** Path and query of a call: of its first page, or of the one that a cursor leads to. @throws TenonError `bad_cursor` */
export async function callPath(operation: RestOperation, env: Environment): Promise<string> {
  const page = await pageCall(operation, env);
  return pagePath(page, pageSent(page));
}

function pagePath(page: PageCall, sent: readonly PageSent[]): string {
  const { operation, params, position } = page;
  const by = operation.list?.by ?? { kind: "single" };
  if (position !== undefined && (by.kind === "link" || by.kind === "address"))
    return new URL(page.base).origin + String(position.at);
  const query = sentQuery(operation.query, params);
  for (const [name, value] of Object.entries(operation.fixed?.query ?? {})) query.set(name, value);
  for (const { name, value, body } of sent) if (!body) query.set(name, String(value));
  return query.size === 0 ? page.path : `${page.path}?${query}`;
}

async function pageCall(operation: RestOperation, { instance, request }: Environment): Promise<PageCall> {
  const { params } = request;
  // It comes from the credential, with which a simulated platform starts and gets its address.
  const secret = await instance.secret();
  const base = instance.endpoints.rest;
  if (base === undefined) throw new Error("the connector has no REST address");
  const call = {
    operation,
    params,
    path: filledPath(operation.path, params),
    title: instance.connector.title,
    base,
    secret,
  };
  return { ...call, position: positionOf(call) };
}

function bodyOf(
  { body, bodyAt, fixed, form, multipart }: RestOperation,
  params: Readonly<Record<string, unknown>>,
  page: readonly PageSent[],
): Pick<RestRequest, "body"> {
  const ofPage = Object.fromEntries(page.filter((one) => one.body).map(({ name, value }) => [name, value]));
  const beside = { ...fixed?.body, ...ofPage };
  if (body.length === 0 && bodyAt === undefined && Object.keys(beside).length === 0) return {};
  if (multipart === true) return { body: multipartOf(body, params, beside) };
  const made = sentObject(body, params, bodyAt, beside);
  return { body: form === true ? { form: formOf(made, body) } : { json: made } };
}
