import { pathKeys } from "../../runtime/contract/index.ts";
import type { SpecChange } from "../diff/change.ts";
import type { LoadedConnector } from "../load/load.ts";
import { elementSchema, propertyNames, schemaAt } from "../model/json-schema.ts";
import { calledAs, generatedActions, typesOf } from "../model/parts.ts";
import type { JsonSchema, PlatformDescription, RestCall } from "../model/platform-description.ts";
import type { ConnectorModel, TypeModel } from "../model/types.ts";
import type { SpecParts } from "./spec-parts.ts";

/** An answer, or a part of one, with the description that it is from. */
interface Part {
  readonly schema: JsonSchema | undefined;
  readonly platform: PlatformDescription;
}

/** Parameters and members of bodies that are new in calls of the connector, and members that are new in objects that it reads. */
export function restAdditions(
  model: ConnectorModel,
  specs: LoadedConnector["entities"],
  before: PlatformDescription,
  after: PlatformDescription,
  places: SpecParts,
): SpecChange[] {
  const types = typesOf(model);
  const found = new Map<string, Set<string>>();
  for (const entity of model.entities) {
    const written = specs.find(({ spec }) => spec.entity === entity.name)?.spec.actions ?? {};
    for (const action of generatedActions(entity)) {
      const { rest, answer } = written[action.name] ?? {};
      const [method = "", path = ""] = (rest ?? "").split(" ");
      const [old, now] = [before.rest(method, path), after.rest(method, path)];
      if (rest === undefined || old === undefined || now === undefined) continue;
      const record = (call: RestCall, platform: PlatformDescription): Part => {
        const keys = [...pathKeys(answer ?? ""), ...(action.traits.list ? ["0"] : [])];
        return { schema: call.answer === undefined ? undefined : schemaAt(call.answer, keys, platform), platform };
      };
      const add = (what: string) => found.set(what, (found.get(what) ?? new Set()).add(calledAs(entity, action)));
      const known = inputsOf(old, before);
      for (const name of inputsOf(optional(now), after)) if (!known.includes(name)) add(`${rest}: new ${name}`);
      newMembers(action.returns, record(old, before), record(now, after), types, (path) => add(`${rest}: new member "${path}"`));
    }
  }
  return [...found].map(([what, users]) => {
    const actions = [...users].sort();
    const [call = "", message = ""] = what.split(": new ");
    const at = places.at(actions[0] ?? "");
    return { kind: "compatible" as const, path: `${model.name} ${call}`, message: `new ${message}`, at, actions };
  });
}

/** The call without its required parameters: a new one of these is no addition, but breaks the call. */
function optional(call: RestCall): RestCall {
  return { ...call, params: call.params.filter(({ required }) => !required) };
}

/** Names of what a call takes, each with what it is. */
function inputsOf(call: RestCall, platform: PlatformDescription): string[] {
  const params = call.params.map(({ name, in: place }) => `${place} parameter "${name}"`);
  return [
    ...params,
    ...(call.body === undefined ? [] : propertyNames(call.body, platform)).map((name) => `body member "${name}"`),
  ];
}

/** Members that an object that a type reads has now and had not before; those of objects inside it that are read too. */
function newMembers(
  type: TypeModel,
  before: Part,
  after: Part,
  types: ReadonlyMap<string, TypeModel>,
  add: (path: string) => void,
  around: readonly string[] = [],
  at = "",
): void {
  if (before.schema === undefined || after.schema === undefined || around.includes(type.name)) return;
  const known = propertyNames(before.schema, before.platform);
  // Where a description says nothing of the members, none of them is new.
  if (known.length === 0) return;
  for (const name of propertyNames(after.schema, after.platform)) if (!known.includes(name)) add(`${at}${name}`);
  for (const field of type.fields) {
    const inner = field.type.kind === "type" ? types.get(field.type.name) : undefined;
    if (inner === undefined || field.plan.param !== undefined) continue;
    const path = typeof field.plan.read === "string" ? field.plan.read : field.name;
    const part = ({ schema, platform }: Part): Part => {
      const value = schema === undefined ? undefined : schemaAt(schema, pathKeys(path), platform);
      return { schema: value === undefined || !field.type.list ? value : elementSchema(value, platform), platform };
    };
    newMembers(inner, part(before), part(after), types, add, [...around, type.name], `${at}${path}.`);
  }
}
