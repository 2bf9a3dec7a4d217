import { nearest } from "../../runtime/contract/index.ts";
import type { Diagnostics, Position } from "../diagnostic.ts";
import type { FieldModel, ParamModel, TypeModel, TypeReference } from "./types.ts";

// Fields whose value is a parameter of the call, or a text made of several.

/** `path` stays as it is; `{owner}/{repo}` becomes texts and parameter names in turn. */
export function paramPlan(text: string): string | readonly string[] {
  return text.includes("{") ? text.split(/\{([^{}]*)\}/) : text;
}

/** Names of the parameters that a field takes its value from. */
export function fieldParams({ plan }: FieldModel): readonly string[] {
  if (plan.param === undefined) return [];
  return typeof plan.param === "string" ? [plan.param] : plan.param.filter((_, index) => index % 2 === 1);
}

/** An action gives every field that is never null, and what it gives is of the field's type. */
export function checkParamFields(
  returns: TypeModel,
  params: readonly ParamModel[],
  at: (...keys: string[]) => Position,
  diagnostics: Diagnostics,
): void {
  for (const field of returns.fields)
    for (const name of fieldParams(field)) {
      const param = params.find((one) => one.name === name);
      if (param === undefined) {
        if (!field.type.nullable)
          diagnostics.error(
            at("params"),
            "SPEC003",
            `field "${field.name}" takes the parameter "${name}", which this action does not have`,
            didYouMean(name, params),
          );
        continue;
      }
      const wrong = (message: string) => diagnostics.error(at("params", name), "SPEC016", message);
      if (!field.type.nullable && !param.required && param.default === undefined)
        wrong(`field "${field.name}" takes the parameter "${name}" and is never null, but the parameter may be left out`);
      if (typeof field.plan.param === "string" && !alike(field.type, param.type))
        wrong(`field "${field.name}" takes the parameter "${name}", which is of another type`);
    }
}

function didYouMean(name: string, params: readonly ParamModel[]): string | undefined {
  const near = nearest(
    name,
    params.map((param) => param.name),
  );
  return near === undefined ? undefined : `did you mean "${near}"?`;
}

/** Whether a parameter takes the values of a field: ids are texts. */
export function alike(field: TypeReference, param: TypeReference): boolean {
  const text = (type: TypeReference) => (type.kind === "scalar" && type.name === "id" ? "string" : type.name);
  return field.list === param.list && text(field) === text(param);
}

/** A parameter that no action has is a mistake even where the field may be null. */
export function checkParamNames(
  record: TypeModel,
  actions: readonly { readonly params: Readonly<Record<string, unknown>> }[],
  at: (field: string) => Position,
  diagnostics: Diagnostics,
): void {
  for (const field of record.fields)
    for (const name of fieldParams(field))
      if (field.type.nullable && !actions.some(({ params }) => Object.hasOwn(params, name)))
        diagnostics.error(at(field.name), "SPEC003", `field "${field.name}" takes the parameter "${name}", which no action has`);
}
