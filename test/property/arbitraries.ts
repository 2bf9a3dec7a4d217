import fc from "fast-check";
import type { ActionModel, ConnectorModel, ParamModel } from "../../generator/model/types.ts";
import { isSamePlace } from "../../runtime/contract/index.ts";
import { anyCharacter } from "../support/any-character.ts";

/** Every action that callers may ask for, with its model. */
export function actionsOf(model: ConnectorModel): ActionModel[] {
  return model.entities.flatMap((entity) => entity.actions);
}

/** Strings that break things: quotes, braces, controls, names of prototypes, surrogates, right-to-left, long ones. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(
    '"',
    '"}) { viewer { login } } #',
    "id } viewer { login",
    "{owner}",
    "$number",
    "__proto__",
    "constructor",
    "..",
    ".",
    "../../user",
    "%2e%2e%2f",
    "a/b?c=d#e",
    "a\r\nX-Injected: yes",
    "\u0000\u001b[31m",
    "\\",
    "\u202eabc",
    "\ud800",
    "😀é",
    "a:b{c}",
    "*/",
  ),
  fc.integer({ min: 200, max: 5000 }).map((length) => "x".repeat(length)),
);

/** A value that the parameter accepts. */
export function validValue(param: ParamModel, model: ConnectorModel): fc.Arbitrary<unknown> {
  const element = elementValue(param, model);
  const [least, most] = param.items ?? [0, 5];
  const value = param.type.list ? fc.array(element, { minLength: least, maxLength: Math.min(most, 5) }) : element;
  return param.type.nullable ? fc.oneof(value, fc.constant(null)) : value;
}

function elementValue(param: ParamModel, model: ConnectorModel): fc.Arbitrary<unknown> {
  const { type } = param;
  if (type.kind === "enum") return fc.constantFrom(...enumValues(param, model));
  if (type.name === "integer") return fc.integer({ min: param.range?.[0] ?? 0, max: param.range?.[1] ?? 0 });
  if (type.name === "boolean") return fc.boolean();
  // No object is empty: a query or a form has no way to send that.
  if (type.name === "object") {
    const given =
      param.members === undefined
        ? fc.dictionary(fc.constantFrom("a", "b c"), fc.string({ unit: "grapheme-ascii", minLength: 1 }), {
            noNullPrototype: true,
          })
        : paramRecord(param.members, model);
    return given.filter((object) => Object.keys(object).length > 0);
  }
  if (type.name === "date" || type.name === "timestamp") {
    const moment = fc.date({ min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    return moment.map((date) => date.toISOString().slice(0, type.name === "date" ? 10 : undefined));
  }
  if (param.base64 === true) return fc.base64String({ maxLength: 400 });
  const [least, most] = type.list ? [1, 1024] : (param.length ?? [0, 10]);
  const excluded = new Set(param.excludes);
  return nastyText
    .map((text) => [...text].filter((one) => !excluded.has(one)).join(""))
    .map((text) => padded([...text.toWellFormed()].slice(0, most).join(""), least))
    .filter((text) => [...text].length <= most);
}

export function enumValues(param: ParamModel, model: ConnectorModel): string[] {
  const all = [...model.enums, ...model.entities.flatMap((entity) => entity.enums)];
  return all.find((one) => one.name === param.type.name)?.values.map((one) => one.value) ?? [];
}

function padded(text: string, least: number): string {
  return [...text].length >= least ? text : text + "p".repeat(least - [...text].length);
}

/** Parameters that the action's schema accepts; rules beyond the schema (a transition, an empty update) may still refuse them. */
export function validParams(action: ActionModel, model: ConnectorModel): fc.Arbitrary<Record<string, unknown>> {
  return paramRecord(action.params, model).map((params) => withoutSeparators(action, withoutTwins(action, params)));
}

/** Takes out of the elements of lists that are sent as one text what is between them there: no element can have it. */
function withoutSeparators({ operation }: ActionModel, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const sent = operation.kind === "rest" ? [...operation.query, ...operation.body] : [];
  const separators = new Map(
    sent.flatMap((one) => (typeof one === "object" && one.join !== undefined ? [[one.param, one.join]] : [])),
  );
  const without = (value: unknown, separator: string) =>
    Array.isArray(value)
      ? value.map((one: unknown) => (typeof one === "string" ? one.replaceAll(separator, "") || "x" : one))
      : value;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      separators.has(name) ? without(value, separators.get(name) ?? "") : value,
    ]),
  );
}

/**
 * Leaves out parameters that are sent in the same place as one before them: only one of them may be given.
 *
 * @param first The parameter that stays in any case.
 */
export function withoutTwins(
  action: ActionModel,
  params: Readonly<Record<string, unknown>>,
  first?: string,
): Record<string, unknown> {
  const given = action.params
    .filter(({ name }) => Object.hasOwn(params, name))
    .sort((a, b) => Number(b.name === first) - Number(a.name === first));
  const isTwin = (one: ParamModel, index: number) =>
    !one.required && given.slice(0, index).some((other) => isSamePlace(other.sentAs ?? other.name, one.sentAs ?? one.name));
  const left = new Set(given.filter(isTwin).map(({ name }) => name));
  return Object.fromEntries(Object.entries(params).filter(([name]) => !left.has(name)));
}

function paramRecord(params: readonly ParamModel[], model: ConnectorModel): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.fromEntries(params.map((param) => [param.name, validValue(param, model)]));
  return fc.record(values, {
    requiredKeys: params.filter((param) => param.required).map((param) => param.name),
    noNullPrototype: true,
  });
}

/** A value of another type, or outside the bounds; undefined where there is none. */
export function invalidValue(param: ParamModel, model: ConnectorModel): fc.Arbitrary<unknown> {
  const wrong: unknown[] = [...(param.type.name === "object" ? [] : [{}]), 1.5, ...(param.type.nullable ? [] : [null])];
  const text = !param.type.list && param.type.kind === "scalar" && param.type.name === "string";
  if (!text) wrong.push("nonsense");
  if (text && param.length !== undefined) {
    wrong.push("x".repeat(param.length[1] + 1));
    if (param.length[0] > 0) wrong.push("");
    for (const one of param.excludes ?? "") wrong.push(`a${one}b`);
  }
  if (param.type.name !== "boolean") wrong.push(true);
  if (!param.type.list) wrong.push([]);
  if (param.range !== undefined) wrong.push(param.range[0] - 1, param.range[1] + 1);
  if (param.type.list) {
    const [valid] = enumValues(param, model);
    wrong.push(
      [param.type.name === "integer" ? "x" : 1],
      [null],
      Array.from({ length: (param.items?.[1] ?? 0) + 1 }, () => valid ?? "x"),
    );
  }
  return fc.constantFrom(...wrong);
}
