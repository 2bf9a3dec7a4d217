import { badCursor, doubtAdvice, TenonError } from "../base/errors.ts";
import { type Answer, onlyPage, type Page, type RestOperation, type Single, warning } from "../contract/index.ts";
import { noContent } from "../platform/exchange.ts";
import { type Environment, readState } from "./environment.ts";
import { checkCount } from "./page-count.ts";
import { follow, isObject } from "./record-reader.ts";

type Row = Record<string, unknown>;

/** Makes a REST call. A write is sent once. The cursor of a list comes from the header `Link`. */
export async function callRest(
  operation: RestOperation,
  env: Environment,
): Promise<Answer<Row | null> | Single<Row> | Page<Row>> {
  const { instance, request, call } = env;
  const { action, params } = request;
  const { list } = operation;
  const path = callPath(operation, params);
  const body = operation.body.length === 0 ? {} : { body: pick(operation.body, params) };
  const answer = await instance.client.rest({ method: operation.method, path, ...body }, call);
  const { read } = instance.selections.get(`${operation.method} ${operation.path}`, operation.record, request.choice);
  const state = readState(env);
  if (list === undefined) {
    if (noContent.includes(answer.status) && action.traits.writes) {
      env.warnings.add(warning("data", "no_content"));
      return { data: null, meta: env.warnings.meta };
    }
    if (!isObject(answer.data)) {
      const message = `${instance.connector.title} sent an answer that is not a record.`;
      throw action.traits.writes
        ? new TenonError("write_in_doubt", `${message} ${doubtAdvice}`)
        : new TenonError("platform_failed", message);
    }
    const data = read(answer.data, "data", state);
    return { data, meta: action.traits.writes ? env.warnings.meta : { ...onlyPage, ...env.warnings.meta } };
  }
  const rows = list.items === undefined ? answer.data : follow(answer.data, list.items.split("."));
  if (!Array.isArray(rows))
    throw new TenonError("platform_failed", `${instance.connector.title} sent an answer that is not a list.`);
  const asked = params[list.page.size];
  if (typeof asked === "number") checkCount(rows.length, asked, env);
  const next = nextOf(answer.headers.get("link"), instance.endpoints.rest);
  return {
    data: rows.filter(isObject).map((row, index) => read(row, `data.${index}`, state)),
    meta: { has_next_page: next !== null, end_cursor: next, ...env.warnings.meta },
  };
}

/** Path and query of a call: of its first page, or of the one that a cursor leads to. @throws TenonError `bad_cursor` */
export function callPath(operation: RestOperation, params: Readonly<Record<string, unknown>>): string {
  const after = operation.list === undefined ? undefined : params[operation.list.page.cursor];
  return typeof after !== "string" || after === "" ? address(operation, params) : nextPath(after, operation, params);
}

/** Path and query. Every value is percent-encoded, so that a value cannot lead to another address. */
function address(operation: RestOperation, params: Readonly<Record<string, unknown>>): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(String(params[name] ?? "")));
  const query = new URLSearchParams();
  for (const name of operation.query)
    if (params[name] !== undefined && params[name] !== null) query.set(name, String(params[name]));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Encodes a part of the path. `.` and `..` are refused: percent-encoding does not change them, and the URL parser removes them. */
function segment(value: string): string {
  if (/^\.{1,2}$/.test(value)) throw new TenonError("not_found", `The platform has nothing called "${value}".`);
  return encodeURIComponent(value);
}

/** The parameters that the caller sent. An absent parameter, null and `[]` have three different meanings. */
function pick(names: readonly string[], params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]));
}

/** Makes a cursor of `rel="next"` in a header `Link` (RFC 8288): the path and query below the platform's address, encoded. */
function nextOf(link: string | null, base: string): string | null {
  const address = link !== null ? /<([^>]+)>;[^,]*rel="next"/.exec(link)?.[1] : undefined;
  return address?.startsWith(`${base}/`) ? Buffer.from(address.slice(base.length)).toString("base64url") : null;
}

/** Reads the address of the next page from a cursor. @throws TenonError `bad_cursor` unless the address has the path of this call */
function nextPath(after: string, operation: RestOperation, params: Readonly<Record<string, unknown>>): string {
  const path = Buffer.from(after, "base64url").toString();
  const [start = ""] = address({ ...operation, query: [] }, params).split("?");
  if (path.startsWith(`${start}?`) && !/[\s#\\]/.test(path)) return path;
  throw badCursor();
}
