import { suggestion } from "../../runtime/base/suggestion.ts";
import { type EndFlag, type PageEnd, pathKeys, type RestPaging } from "../../runtime/contract/index.ts";
import type { PageSpec } from "../load/spec.ts";
import { alternatives, jsonTypes, propertyNames, schemaAt } from "./json-schema.ts";
import { paging } from "./page.ts";
import type { JsonSchema, RestCall } from "./platform-description.ts";
import { bodyPlace, queryParams } from "./query-params.ts";
import type { RestContext } from "./rest-context.ts";

/** How a REST list is paged, checked against the description. Undefined, and reported, where the spec does not say enough. */
export function restPaging(
  page: PageSpec,
  call: RestCall,
  bodyAt: string | undefined,
  context: RestContext,
): RestPaging | undefined {
  const wrong = (key: string, message: string, hint?: string) =>
    context.diagnostics.error(
      context.at("page", key),
      "SPEC016",
      message,
      hint,
      key === "by" ? { ofPage: { at: context.at("page") } } : undefined,
    );
  const param = () => pageParam(page, call, bodyAt, context, wrong);
  checkPlace("incomplete", page.incomplete, call.answer, ["boolean"], context);
  switch (page.by) {
    case "single":
      return { kind: "single" };
    case "link":
      return { kind: "link" };
    case "connection":
    case "nested":
      wrong("by", `a page by "${page.by}" is one of GraphQL, but the action is bound to REST`);
      return undefined;
    case "address": {
      if (page.next === undefined)
        wrong("by", 'a page by "address" needs `next`: where the answer has the address of the next page');
      checkPlace("next", page.next, call.answer, ["string"], context);
      return { kind: "address", next: page.next ?? "" };
    }
    case "cursor": {
      if (page.next === undefined)
        wrong("by", 'a page by "cursor" needs `next`: where the answer has the cursor of the next page');
      const header = /^header (\S+)$/.exec(page.next ?? "")?.[1];
      if (header === undefined) checkPlace("next", page.next, call.answer, ["string", "number", "integer"], context);
      const end = endFlag(page, call, context);
      if (page.more !== undefined && page.last !== undefined) wrong("last", twoSigns("more", "last"));
      return {
        kind: "cursor",
        ...param(),
        next: header ?? page.next ?? "",
        ...(header === undefined ? {} : { header: true }),
        ...(end === undefined ? {} : { end }),
      };
    }
    case "window":
      return windowPaging(page, param(), call, context, wrong);
    case "offset":
      return { kind: "offset", ...param(), end: pageEnd(page, call, context, wrong) };
    case "number":
      return { kind: "number", ...param(), first: page.from ?? 1, end: pageEnd(page, call, context, wrong) };
  }
}

/** Spans of time: where they begin and end, in the query or the body, and the caller's own parameters for the whole. */
function windowPaging(
  page: PageSpec,
  param: { readonly param: string; readonly body?: true },
  call: RestCall,
  context: RestContext,
  wrong: Wrong,
): RestPaging {
  const { until = "", hours = 24, as = "timestamp", inclusive } = page;
  const ofCaller = (name: string) => context.params.find((one) => (one.sentAs ?? one.name) === name);
  const queries = queryParams(call, context.platform).map((one) => one.name);
  if (page.until === undefined)
    wrong("by", 'a page by "window" needs `until`: what takes the end of the span', suggestion("until", queries));
  else if (param.body !== true && !queries.includes(until))
    wrong("until", `the call takes no query parameter "${until}"`, suggestion(until, queries));
  const since = ofCaller(param.param);
  const before = ofCaller(until);
  if (page.param !== undefined && since === undefined)
    wrong("param", `the action has no parameter that is sent as "${param.param}": where the first span begins`);
  for (const one of [since, before])
    if (one !== undefined && (one.type.list || !["timestamp", "date"].includes(one.type.name)))
      wrong("by", `parameter "${one.name}" is not a timestamp or a date, so no span of time can begin or end there`);
  if (since !== undefined && !since.required && since.default === undefined)
    wrong(
      "by",
      `parameter "${since.name}" may be left out, so it is unknown where the first span begins`,
      "write `required: true`, or a `default`",
    );
  if (as === "date" && hours % 24 !== 0) wrong("hours", "spans that are named by dates last whole days", "24 hours are a day");
  return {
    kind: "window",
    ...param,
    until,
    since: since?.name ?? "",
    ...(before === undefined ? {} : { before: before.name }),
    length: hours * 3_600_000,
    as,
    ...(inclusive === undefined ? {} : { inclusive }),
  };
}

type Wrong = (key: string, message: string, hint?: string) => void;

/** The parameter that leads to a page: one of the query, or else a member of the body. */
function pageParam(
  { by, param }: PageSpec,
  call: RestCall,
  bodyAt: string | undefined,
  context: RestContext,
  wrong: Wrong,
): { readonly param: string; readonly body?: true } {
  const { at, diagnostics, platform } = context;
  const ofCaller = context.params.find((one) => (one.sentAs ?? one.name) === param && one.name !== paging.cursorParam);
  const known = queryParams(call, platform);
  const queries = known.map((one) => one.name);
  const taken = known.find((one) => one.name === param);
  const types = taken === undefined ? [] : alternatives(taken.schema, platform).flatMap(jsonTypes);
  if (types.length > 0 && types.every((type) => type === "object" || type === "array"))
    diagnostics.error(
      at("page", "param"),
      "SPEC015",
      `"${param}" is ${types.includes("object") ? "an object" : "a list"} in the query, but what leads to a page is a text or a number`,
      suggestion(
        "",
        queries.filter((name) => name.startsWith(`${param}[`)),
      ),
    );
  else if (ofCaller !== undefined && by !== "window")
    wrong("param", `"${param}" is sent by the parameter "${ofCaller.name}", so it cannot lead to a page`);
  const body = call.body === undefined ? undefined : schemaAt(call.body, pathKeys(bodyAt ?? ""), platform);
  const names = [...queries, ...(body === undefined ? [] : propertyNames(body, platform))];
  if (param === undefined) wrong("by", `a page by "${by}" needs \`param\`: what leads to a page`, suggestion(by, names));
  else if (!queries.includes(param)) {
    if (bodyPlace(body, param, platform) !== undefined) return { param, body: true };
    const message = `the call takes no query parameter "${param}"${body === undefined ? "" : ", and its body has none"}`;
    diagnostics.error(at("page", "param"), "SPEC015", message, suggestion(param, names));
  }
  return { param: param ?? "" };
}

/** Without a sign of the end, a full page would look like the last one. */
function pageEnd(page: PageSpec, call: RestCall, context: RestContext, wrong: Wrong): PageEnd {
  const given = (["more", "last", "total", "pages", "end"] as const).filter((key) => page[key] !== undefined);
  const [first, second] = given;
  if (first === undefined)
    wrong(
      "by",
      `a page by "${page.by}" needs \`more\`, \`last\`, \`total\`, \`pages\` or \`end\`: how the platform says that a page is the last one`,
    );
  if (second !== undefined) wrong(second, twoSigns(first, second));
  const flag = endFlag(page, call, context);
  for (const key of ["total", "pages"] as const) checkPlace(key, page[key], call.answer, ["integer", "number"], context);
  if (flag !== undefined) return flag;
  if (page.total !== undefined) return { total: page.total };
  if (page.pages !== undefined) return { pages: page.pages };
  return page.end ?? "short";
}

/** The boolean by which the platform says whether a page is the last one; undefined where the spec names none. */
function endFlag({ more, last }: PageSpec, call: RestCall, context: RestContext): EndFlag | undefined {
  checkPlace("more", more, call.answer, ["boolean"], context);
  checkPlace("last", last, call.answer, ["boolean"], context);
  if (more !== undefined) return { more };
  return last === undefined ? undefined : { last };
}

const twoSigns = (first = "", second = "") => `one sign of the end is enough, but this has \`${first}\` and \`${second}\``;

/** Checks that the answer has a value of a type at a path. Where the description says nothing of the answer, nothing is checked. */
function checkPlace(
  key: string,
  path: string | undefined,
  answer: JsonSchema | undefined,
  types: readonly string[],
  { at, call, diagnostics, platform }: RestContext,
): void {
  if (path === undefined || answer === undefined) return;
  const found = schemaAt(answer, pathKeys(path), platform);
  if (found === undefined) {
    const hint = path.includes(".") ? undefined : suggestion(path, propertyNames(answer, platform));
    diagnostics.error(at("page", key), "SPEC007", `the response of ${call} has no "${path}"`, hint);
    return;
  }
  const given = alternatives(found, platform).flatMap(jsonTypes);
  if (given.length > 0 && !given.some((one) => types.includes(one)))
    diagnostics.error(
      at("page", key),
      "SPEC006",
      `"${path}" is ${[...new Set(given)].join(" or ")} in the response of ${call}, not ${types.join(" or ")}`,
      undefined,
      { ofPage: { at: at("page") } },
    );
}
