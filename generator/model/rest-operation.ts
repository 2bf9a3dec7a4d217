import { suggestion } from "../../runtime/base/suggestion.ts";
import { pathKeys, type RestOperation, type RestPaging } from "../../runtime/contract/index.ts";
import { anyName } from "../diagnostic/diagnostic.ts";
import type { ActionSpec, PageSpec } from "../load/spec.ts";
import { jobPoll } from "./job-poll.ts";
import { alternatives, jsonTypes, propertyNames, schemaAt } from "./json-schema.ts";
import { isBare, pageOf, paging, pagingOf, sizeParamOf } from "./page.ts";
import type { JsonSchema, RestCall } from "./platform-description.ts";
import { checkAnswer } from "./rest-answer.ts";
import type { RestContext } from "./rest-context.ts";
import { restFixed } from "./rest-fixed.ts";
import { wireName } from "./rest-misfit.ts";
import { restPaging } from "./rest-paging.ts";
import { isStray, placeParams, refuseObject } from "./rest-place.ts";
import type { OperationModel, ParamModel } from "./types.ts";
import { pageSign } from "./unpaged-list.ts";

const overridesHint = "`overrides` of the REST API changes a description that is wrong";

/** What a fault says of a shared parameter that calls require under different names. */
const mayBeLeftOut = "a call requires it, but it may be left out";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Binds parameters to path, query, headers and body by their names, and checks them and the answer against the platform's description. */
export function buildRestOperation(spec: ActionSpec, isList: boolean, context: RestContext): OperationModel | undefined {
  const { at, diagnostics, params, platform } = context;
  const [method = "GET", path = ""] = (spec.rest ?? "").split(" ");
  const call = platform.rest(method, path);
  if (call === undefined) {
    diagnostics.error(
      at("rest"),
      "SPEC014",
      `the platform's description has no "${method} ${path}"`,
      nearestCall(method, path, platform.calls),
      { loses: [{ kind: "call", name: anyName }] },
    );
    return undefined;
  }
  if (call.deprecated) diagnostics.error(at("rest"), "SPEC008", `${method} ${path} is deprecated on the platform`);
  const page = pageOf(spec, isList);
  const list = isList ? restPaging(page, call, spec.body, context) : undefined;
  // A list that says nothing of pages has no use for these two, which is reported elsewhere.
  const unused: readonly string[] = isBare(spec, isList) ? [sizeParamOf(page), paging.cursorParam] : [];
  const isPaged = page.by !== "single" || page.param !== undefined;
  const cursor: readonly string[] = isList && isPaged ? [paging.cursorParam] : [];
  const sendable = params.filter(({ name }) => !unused.includes(name) && !cursor.includes(name));
  const strays = sendable.filter((one) => isStray(wireName(one), path, call, spec.body, context));
  const bound = bindPath(path, strays, context);
  const others = sendable.filter((one) => !bound.params.includes(one));
  const sent = placeParams(others, spec, method, call, context);
  const fixed = restFixed(spec, method, call, context);
  if (strays.length === 0 && context.wrong.length === 0) checkRequired(call, spec, list, context);
  if (call.answer !== undefined && isBare(spec, isList)) refuseFirstPage(call.answer, context);
  if (list?.kind === "link" && !call.links && call.answer !== undefined) refuseLink(call.answer, context);
  const poll =
    spec.poll === undefined ? undefined : jobPoll(spec.poll, call, strays.length > 0 || context.wrong.length > 0, context);
  const answer = spec.poll === undefined ? call.answer : poll?.answer;
  if (spec.redirect !== undefined) checkRedirect(spec, spec.redirect, call, context);
  else if (answer !== undefined) checkAnswerOf(answer, isList, spec.answer, context);
  return {
    kind: "rest",
    method: method as Method,
    path: bound.path,
    query: sent.query,
    body: sent.body,
    ...(sent.headers.length === 0 ? {} : { headers: sent.headers }),
    ...(fixed === undefined ? {} : { fixed }),
    ...(spec.body === undefined ? {} : { bodyAt: spec.body }),
    ...(call.form ? { form: true as const } : {}),
    ...(call.multipart ? { multipart: true as const } : {}),
    ...(context.limits.includes(spec.rest ?? "") ? { limit: spec.rest ?? "" } : {}),
    ...(spec.redirect === undefined ? {} : { redirect: spec.redirect }),
    ...(poll === undefined ? {} : { poll: poll.plan }),
    ...(spec.answer === undefined ? {} : { answer: spec.answer }),
    ...(list === undefined ? {} : { list: listOf(page, list) }),
  };
}

function listOf(page: PageSpec, by: RestPaging): NonNullable<RestOperation["list"]> {
  const { incomplete } = page;
  return {
    ...(by.kind === "single" ? {} : { page: pagingOf(page) }),
    by,
    ...(incomplete === undefined ? {} : { incomplete }),
  };
}

/** Reports a list that says nothing of pages although its answer does. */
function refuseFirstPage(answer: JsonSchema, { at, call, diagnostics, platform }: RestContext): void {
  const sign = pageSign(answer, platform);
  if (sign === undefined) return;
  const message = `the response of ${call} has "${sign}", so the list has pages, but the action does not say how to read them`;
  diagnostics.error(
    at("rest"),
    "SPEC020",
    message,
    "`page` says it; `page: single` where the platform gives the whole list at once",
  );
}

/** Reports a list that is read by the header Link although only its answer says that there are more pages. */
function refuseLink(answer: JsonSchema, { at, call, diagnostics, platform }: RestContext): void {
  const sign = pageSign(answer, platform);
  if (sign !== undefined && /more|next|cursor|token/i.test(sign))
    diagnostics.error(
      at("page"),
      "SPEC016",
      `the responses of ${call} have no header Link, but "${sign}"`,
      "`page` with `by: cursor`, `address`, `offset` or `number` reads it",
      { ofPage: { at: at("page") } },
    );
}

/** The call whose path is spelled most like an unknown one: with the same method, and with the same number of parts where there is one. */
function nearestCall(method: string, path: string, calls: readonly string[]): string | undefined {
  const bare = (text: string) => text.replace(/\{[^}]*\}/g, "{}");
  const same = calls.filter((one) => bare(one.slice(one.indexOf(" ") + 1)) === bare(path));
  if (same.length > 0) return `did you mean ${same.map((one) => `"${one}"`).join(" or ")}?`;
  const parts = (text: string) => text.split("/").length;
  const ofMethod = calls.filter((one) => one.startsWith(`${method} `));
  const alike = ofMethod.filter((one) => parts(one) === parts(path));
  return (
    suggestion(`${method} ${path}`, alike) ?? suggestion(`${method} ${path}`, ofMethod) ?? suggestion(`${method} ${path}`, calls)
  );
}

/**
 * The path with the names of parameters in its places, and those parameters.
 *
 * @param strays parameters that the call has no place for: one of them may be that of a place, and misspelled
 */
function bindPath(
  path: string,
  strays: readonly ParamModel[],
  context: RestContext,
): { readonly path: string; readonly params: readonly ParamModel[] } {
  const { at, diagnostics, params } = context;
  const found: ParamModel[] = [];
  const bound = path.replace(/\{([\w-]+)\}/g, (place, name: string) => {
    const param = params.find((one) => wireName(one) === name);
    if (param === undefined) {
      if (context.wrong.length > 0 || strays.length > 0) return place;
      const names = params.map(wireName);
      const message = `the path names "{${name}}", but the action has no such parameter`;
      diagnostics.error(at("rest"), "SPEC003", message, suggestion(name, names), {
        lacks: [{ kind: "parameter", name }],
        unbound: at(),
      });
      return place;
    }
    if (!param.required && param.default === undefined)
      diagnostics.error(
        at("params", param.name, "required"),
        "SPEC015",
        `the call requires "${name}", but the parameter may be left out`,
        undefined,
        { loses: [{ kind: "presence", name: param.name }], unbound: at(), says: mayBeLeftOut },
      );
    refuseObject(param, "path", context);
    found.push(param);
    return `{${param.name}}`;
  });
  return { path: bound, params: found };
}

/** Reports what the call requires and no parameter gives. */
function checkRequired(
  call: RestCall,
  { body: bodyAt, fixed = {} }: ActionSpec,
  list: RestPaging | undefined,
  context: RestContext,
): void {
  const { at, diagnostics, params, platform } = context;
  const isNamed = (name: string) => (one: string) => one === name || one.split(/[.[]/)[0] === name;
  const given = (name: string) =>
    Object.keys(fixed).some(isNamed(name)) ||
    params.some((one) => isNamed(name)(wireName(one)) && (one.required || one.default !== undefined));
  const isOptional = (name: string): boolean => {
    const param = params.find((one) => isNamed(name)(wireName(one)));
    if (param === undefined) return false;
    const message = `the call requires "${name}", but the parameter may be left out`;
    diagnostics.error(at("params", param.name, "required"), "SPEC015", message, overridesHint, {
      loses: [{ kind: "presence", name: param.name }],
      unbound: at(),
      says: mayBeLeftOut,
    });
    return true;
  };
  const ofPaging = list === undefined || !("param" in list) ? [] : [list.param, "until" in list ? list.until : list.param];
  for (const { name, required, in: place } of call.params)
    if (
      required &&
      (place === "query" || place === "header") &&
      !ofPaging.some((one) => one === name || one.split("[")[0] === name) &&
      !given(name) &&
      !isOptional(name)
    )
      diagnostics.error(
        at("params"),
        "SPEC015",
        `the call requires the ${place} parameter "${name}", which the action does not give`,
        undefined,
        { lacks: [{ kind: "parameter", name }], unbound: at() },
      );
  const schema = call.body === undefined ? undefined : schemaAt(call.body, pathKeys(bodyAt ?? ""), platform);
  const required = schema === undefined ? [] : alternatives(schema, platform, ["allOf"]).flatMap((one) => one["required"] ?? []);
  for (const name of new Set(required.map(String)))
    if (!given(name) && !isOptional(name))
      diagnostics.error(
        at("params"),
        "SPEC015",
        `the call's body requires "${name}", but the action has no required parameter of this name`,
        overridesHint,
        { lacks: [{ kind: "parameter", name }], unbound: at() },
      );
}

/** Checks an action whose record is the address that the platform redirects to. */
function checkRedirect(spec: ActionSpec, member: string, call: RestCall, context: RestContext): void {
  const { at, diagnostics, returns } = context;
  const beside = (["answer", "poll", "list", "page"] as const).find((key) => spec[key] !== undefined);
  if (beside !== undefined)
    diagnostics.error(at(beside), "SPEC016", `\`${beside}\` has no effect with \`redirect\`, which returns one address`);
  if (spec.rest?.startsWith("GET ") !== true)
    diagnostics.error(at("redirect"), "SPEC016", "only a GET redirects to something else without having done anything");
  else if (!call.redirects)
    diagnostics.error(at("redirect"), "SPEC015", `the description of ${context.call} has no response with the status 302 or 303`);
  const address = { type: "object", properties: { [member]: { type: "string" } } };
  if (!isOtherRecord(address, undefined, context)) checkAnswer(address, returns, context);
}

/** Checks one record of the answer: the answer itself or what stands at `answer`; of a list, its elements. */
function checkAnswerOf(answer: JsonSchema, isList: boolean, path: string | undefined, context: RestContext): void {
  const { at, call, diagnostics, platform, returns } = context;
  const found = path === undefined ? answer : schemaAt(answer, pathKeys(path), platform);
  if (found === undefined) {
    const hint = suggestion(path ?? "", propertyNames(answer, platform));
    diagnostics.error(at("answer"), "SPEC007", `the response of ${call} has no "${path}"`, hint);
    return;
  }
  const record = isList ? schemaAt(found, ["0"], platform) : found;
  if (record !== undefined && isOtherRecord(record, path, context)) return;
  if (record !== undefined) {
    checkAnswer(record, returns, context);
    return;
  }
  const types = alternatives(found, platform).flatMap(jsonTypes);
  if (types.length === 0) return;
  const lists = propertyNames(found, platform).filter((name) => schemaAt(found, [name, "0"], platform) !== undefined);
  const hint = lists.length === 0 ? undefined : `lists in it: ${lists.join(", ")}; \`answer\` names one`;
  diagnostics.error(
    path === undefined ? at() : at("answer"),
    "SPEC007",
    path === undefined ? `the response of ${call} is not a list` : `"${path}" in the response of ${call} is not a list`,
    hint,
  );
}

/** Reports a place with hardly any field of the record once, and not each field that it lacks. */
function isOtherRecord(
  record: JsonSchema,
  path: string | undefined,
  { at, call, diagnostics, platform, returns }: RestContext,
): boolean {
  const read = returns.fields.filter(({ plan }) => plan.param === undefined);
  const names = propertyNames(record, platform);
  const found = read.filter(({ name, plan }) => {
    const from = typeof plan.read === "string" ? plan.read : name;
    return schemaAt(record, pathKeys(from.replaceAll("[]", "[0]")).slice(0, 1), platform) !== undefined;
  });
  if (read.length < 2 || found.length * 3 > read.length) return false;
  const what = path === undefined ? `the response of ${call}` : `"${path}" in the response of ${call}`;
  diagnostics.error(
    path === undefined ? at() : at("answer"),
    "SPEC007",
    `${what} has ${found.length === 0 ? "none" : `only ${found.length}`} of the ${read.length} fields of ${returns.name}`,
    `${names.length === 0 ? "it has no members" : `it has: ${names.slice(0, 20).join(", ")}`}; \`answer\` says where the record is, and \`returns\` what it is`,
  );
  return true;
}
