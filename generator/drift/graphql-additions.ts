import { type GraphQLSchema, isInterfaceType, isObjectType, parse, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import type { SpecChange } from "../diff/change.ts";
import { usedByModel } from "../extract/used.ts";
import type { PlatformDescription } from "../model/platform-description.ts";
import type { ConnectorModel } from "../model/types.ts";
import type { SpecParts } from "./spec-parts.ts";

/** Fields that are new in types that the connector reads, and arguments that are new in fields that it reads. */
export function graphqlAdditions(
  model: ConnectorModel,
  before: PlatformDescription,
  after: PlatformDescription,
  places: SpecParts,
): SpecChange[] {
  if (before.graphql === undefined || after.graphql === undefined) return [];
  const [old, now] = [before.graphql, after.graphql];
  const { types, fields } = usersOf(model, old);
  const changes: SpecChange[] = [];
  const add = (type: string, path: string, message: string, users: ReadonlySet<string>) => {
    const actions = [...users].sort();
    const at = places.reading(type) ?? places.at(actions[0] ?? "");
    changes.push({ kind: "compatible", path: `${model.name} ${path}`, message, at, actions });
  };
  const fieldsOf = (schema: GraphQLSchema, name: string) => {
    const type = schema.getType(name);
    return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
  };
  for (const [type, actions] of types) {
    const known = fieldsOf(old, type);
    for (const name of Object.keys(fieldsOf(now, type)))
      if (!Object.hasOwn(known, name)) add(type, `${type}.${name}`, "new field of the platform", actions);
  }
  for (const [path, actions] of fields) {
    const [type = "", name = ""] = path.split(".");
    const known = new Set(fieldsOf(old, type)[name]?.args.map((one) => one.name));
    for (const one of fieldsOf(now, type)[name]?.args ?? [])
      if (!known.has(one.name)) add(type, `${path}(${one.name}:)`, "new argument of the platform", actions);
  }
  return changes;
}

/** The actions that read each type, and each field as `Type.field`. The types of a query's own fields are no records. */
function usersOf(model: ConnectorModel, schema: GraphQLSchema) {
  const types = new Map<string, Set<string>>();
  const fields = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, key: string, action: string) =>
    map.set(key, (map.get(key) ?? new Set()).add(action));
  const roots = new Set([schema.getQueryType()?.name, schema.getMutationType()?.name]);
  for (const { action, text } of usedByModel(model).documents) {
    const info = new TypeInfo(schema);
    visit(
      parse(text, { noLocation: true }),
      visitWithTypeInfo(info, {
        Field: (node) => {
          const parent = info.getParentType();
          if (!parent || node.name.value.startsWith("__")) return;
          add(fields, `${parent.name}.${node.name.value}`, action);
          if (!roots.has(parent.name)) add(types, parent.name, action);
        },
      }),
    );
  }
  return { types, fields };
}
