import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { anyName, type Diagnostics, type Facts, fieldType, paramType, type SourcePosition } from "../diagnostic/diagnostic.ts";
import type { FieldModel, ParamModel, TypeModel, TypeReference } from "./types.ts";

// Fields whose value is a parameter of the call, or a text that is made of several parameters.

/** A name of a parameter stays as it is; `{owner}/{repo}` becomes texts and names of parameters in turn. */
export function paramPlan(text: string): string | readonly string[] {
  return text.includes("{") ? text.split(/\{([^{}]*)\}/) : text;
}

/** Names of the parameters that a field takes its value from. */
export function fieldParams({ plan }: FieldModel): readonly string[] {
  if (plan.param === undefined) return [];
  return typeof plan.param === "string" ? [plan.param] : plan.param.filter((_, index) => index % 2 === 1);
}

/**
 * Checks that an action has the parameter of every such field that is never null, and that the parameter is of the field's type.
 *
 * `written` are the names of the action's parameters, with those that are too wrong to be used. What the call requires has been reported
 * where it is not bound.
 */
export function checkParamFields(
  returns: TypeModel,
  params: readonly ParamModel[],
  { entity, written, isBound }: { readonly entity: string; readonly written: readonly string[]; readonly isBound: boolean },
  at: (...keys: string[]) => SourcePosition,
  fieldAt: (field: string) => SourcePosition,
  diagnostics: Diagnostics,
): void {
  const names = params.map((param) => param.name);
  for (const field of returns.fields)
    for (const name of fieldParams(field)) {
      const param = params.find((one) => one.name === name);
      if (param === undefined) {
        if (!mayBeMissing(field) && !written.includes(name) && !diagnostics.has("SPEC003", inNoAction(field.name, name))) {
          // Several actions that lack it are one fault of the field, and so is a name that is almost the one of a parameter.
          const origin = fieldAt(field.name);
          const isNear = nearest(name, names) !== undefined;
          diagnostics.error(
            isNear ? origin : { ...at("params"), origin },
            "SPEC003",
            `field "${field.name}" takes the parameter "${name}", which ${isNear ? "the" : "this"} action does not have`,
            suggestion(name, names),
            isNear ? undefined : { lacks: [{ kind: "parameter", name, of: entity }, fieldType(field.name)] },
          );
        }
        continue;
      }
      const wrong = (message: string, facts?: Facts) =>
        diagnostics.error(at("params", name), "SPEC016", message, undefined, facts);
      if (isBound && !mayBeMissing(field) && !param.required && param.default === undefined)
        wrong(`field "${field.name}" takes the parameter "${name}" and is never null, but the parameter may be left out`, {
          lacks: [{ kind: "presence", name }],
        });
      const own = { ...field.type, list: field.type.list && param.type.list };
      if (typeof field.plan.param === "string" && !sameValues(own, param.type))
        wrong(`field "${field.name}" takes the parameter "${name}", which has another type`, {
          lacks: [fieldType(field.name), paramType(name)],
        });
    }
}

/** Whether a record may be read without the parameter: the field is null then, or an empty list. */
function mayBeMissing({ type }: FieldModel): boolean {
  return type.nullable || type.list;
}

/** Whether a parameter takes the values of a field. Ids are texts. */
export function sameValues(field: TypeReference, param: TypeReference): boolean {
  const nameOf = (type: TypeReference) => (type.kind === "scalar" && type.name === "id" ? "string" : type.name);
  return field.list === param.list && nameOf(field) === nameOf(param);
}

const inNoAction = (field: string, param: string) => `field "${field}" takes the parameter "${param}", which no action has`;

/** Reports a field whose parameter no action has: it would have no value anywhere. */
export function checkParamNames(
  record: TypeModel,
  entity: string,
  actions: readonly { readonly params: Readonly<Record<string, unknown>> }[],
  at: (field: string) => SourcePosition,
  diagnostics: Diagnostics,
): void {
  for (const field of record.fields)
    for (const name of fieldParams(field))
      if (!actions.some(({ params }) => Object.hasOwn(params, name))) {
        const names = actions.flatMap(({ params }) => Object.keys(params));
        diagnostics.error(at(field.name), "SPEC003", inNoAction(field.name, name), suggestion(name, names), {
          lacks: [
            { kind: "parameter", name, ...(nearest(name, names) === undefined ? { of: entity } : {}) },
            { kind: "action", name: `${entity}.${anyName}` },
          ],
        });
      }
}
