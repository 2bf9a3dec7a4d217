import { suggestion } from "../../runtime/base/suggestion.ts";
import { type FailureCondition, type FailureSign, type JobPoll, pathKeys } from "../../runtime/contract/index.ts";
import type { PollSpec } from "../load/spec.ts";
import { checkValue, valuesOf } from "./failure-places.ts";
import { propertyNames, schemaAt } from "./json-schema.ts";
import type { JsonSchema, RestCall } from "./platform-description.ts";
import type { RestContext } from "./rest-context.ts";

/** Seconds between two reads of a job where the spec does not say it. */
const usualPause = 2;

/**
 * How the job is read that a call starts, checked against the description.
 *
 * @param call the call that starts it
 * @param hasStrays some parameter is misspelled, and may be that of a place
 * @returns undefined, and reported, where the description has no such read
 */
export function jobPoll(
  spec: PollSpec,
  call: RestCall,
  hasStrays: boolean,
  context: RestContext,
): { readonly plan: JobPoll; readonly answer: JsonSchema | undefined } | undefined {
  const { at, diagnostics, params, platform } = context;
  const path = spec.rest.slice("GET ".length);
  const read = platform.rest("GET", path);
  if (read === undefined) {
    const hint = suggestion(
      spec.rest,
      platform.calls.filter((one) => one.startsWith("GET ")),
    );
    diagnostics.error(at("poll", "rest"), "SPEC014", `the platform's description has no "${spec.rest}"`, hint);
    return undefined;
  }
  const { from = {}, fixed = {} } = spec;
  const names = [...path.matchAll(/\{([\w-]+)\}/g)].map(([, name = ""]) => name);
  const places = names.map((name): [string, JobPoll["places"][string]] => {
    const answer = Object.hasOwn(from, name) ? from[name] : undefined;
    if (answer !== undefined) {
      checkPlace(["from", name], answer, call.answer, `the response of ${context.call}`, context);
      return [name, { answer }];
    }
    const param = params.find((one) => (one.sentAs ?? one.name) === name);
    if (param === undefined && !hasStrays)
      diagnostics.error(
        at("poll", "rest"),
        "SPEC003",
        `nothing gives "{${name}}": \`from\` has no such place, and the action no such parameter`,
        undefined,
        { lacks: [{ kind: "parameter", name }], unbound: at() },
      );
    return [name, { param: param?.name ?? "" }];
  });
  for (const name of Object.keys(from))
    if (!names.includes(name))
      diagnostics.error(at("poll", "from", name), "SPEC005", `the path of the read has no "{${name}}"`, suggestion(name, names));
  const queries = read.params.filter((one) => one.in === "query").map((one) => one.name);
  for (const [name, value] of Object.entries(fixed)) {
    const wrong = (message: string, hint?: string) => diagnostics.error(at("poll", "fixed", name), "SPEC015", message, hint);
    const known = read.params.find((one) => one.in === "query" && one.name === name);
    if (known === undefined) wrong(`the read takes no query parameter "${name}"`, suggestion(name, queries));
    else checkValue(value, [known.schema], (message, hint) => wrong(`"${name}" ${message}`, hint), platform);
  }
  const answerOf = `the response of ${spec.rest}`;
  for (const key of ["until", "failed"] as const)
    for (const [index, condition] of conditionsOf(spec[key]).entries())
      for (const [place, sign] of Object.entries(condition)) {
        if (/^(header \S+|HTTP status)$/.test(place)) continue;
        const keys = Array.isArray(spec[key]) ? [key, String(index), place] : [key, place];
        checkPlace(keys, place, read.answer, answerOf, context);
        checkSign(keys, place, sign, read.answer, context);
      }
  if (spec.message !== undefined) checkPlace(["message"], spec.message, read.answer, answerOf, context);
  return {
    answer: read.answer,
    plan: {
      path,
      places: Object.fromEntries(places),
      ...(Object.keys(fixed).length === 0
        ? {}
        : { query: Object.fromEntries(Object.entries(fixed).map(([name, value]) => [name, String(value)])) }),
      every: (spec.every ?? usualPause) * 1000,
      until: conditionsOf(spec.until),
      ...(spec.failed === undefined ? {} : { failed: conditionsOf(spec.failed) }),
      ...(spec.message === undefined ? {} : { message: spec.message }),
    },
  };
}

/** Checks that a place may have what a condition wants of it. */
function checkSign(
  keys: readonly string[],
  path: string,
  sign: FailureSign,
  answer: JsonSchema | undefined,
  { at, diagnostics, platform }: RestContext,
): void {
  const schema = answer === undefined ? undefined : schemaAt(answer, pathKeys(path), platform);
  if (schema === undefined) return;
  // A member that is missing counts as null.
  for (const value of valuesOf(sign).filter((one) => one !== null))
    checkValue(
      value,
      [schema],
      (message, hint) =>
        diagnostics.error(at("poll", ...keys), "SPEC007", `"${path}" in the platform's response ${message}`, hint),
      platform,
    );
}

function conditionsOf(written: PollSpec["until"] | undefined): readonly FailureCondition[] {
  return written === undefined ? [] : [written].flat();
}

function checkPlace(
  keys: readonly string[],
  path: string,
  answer: JsonSchema | undefined,
  answerOf: string,
  { at, diagnostics, platform }: RestContext,
): void {
  if (answer === undefined || schemaAt(answer, pathKeys(path), platform) !== undefined) return;
  const hint = path.includes(".") ? undefined : suggestion(path, propertyNames(answer, platform));
  diagnostics.error(at("poll", ...keys), "SPEC007", `${answerOf} has no "${path}"`, hint);
}
