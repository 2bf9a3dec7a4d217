import type { Relation } from "../../runtime/contract/index.ts";
import { fieldType } from "../diagnostic/diagnostic.ts";
import type { EntitySpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import type { EntityModel } from "./types.ts";

/** The entities, each with how its table joins with others. */
export function withRelations(entities: readonly EntityModel[], context: BuildContext): EntityModel[] {
  const named = namingFields(entities, context);
  return entities.map((entity) => {
    const relations = [...parentRelations(entity, entities), ...scopeRelations(entity, named)];
    return { ...entity, relations: relations.filter(({ on }, index) => relations.findIndex((one) => one.on === on) === index) };
  });
}

/** A field whose value names a scope. */
type NamingField = readonly [entity: string, field: string];

/** The fields that the spec names for its kinds of scopes. */
function namingFields(
  entities: readonly EntityModel[],
  { connector: { spec, source, complete, entities: written }, diagnostics }: BuildContext,
): ReadonlyMap<string, NamingField> {
  const named = new Map<string, NamingField>();
  for (const [scope, { field: place = "" }] of Object.entries(spec.scopes ?? {})) {
    const [entity = "", field = ""] = place.split(".");
    if (place === "") continue;
    const found = entities.find(({ name }) => name === entity)?.store.fields;
    if (found !== undefined && Object.hasOwn(found, field)) named.set(scope, [entity, field]);
    // An entity or a field that is written but wrong has diagnostics of its own.
    else if (written.some((one) => one.spec.entity === entity && isLost(one.spec, field, entities))) continue;
    else if (found !== undefined || (complete && !written.some((one) => one.spec.entity === entity)))
      diagnostics.error(
        source.at(["scopes", scope, "field"]),
        "SPEC003",
        `"${place}" is not a searchable field of an entity, such as "repositories.nameWithOwner"`,
        undefined,
        { lacks: found === undefined ? [{ kind: "entity", name: entity }] : [{ kind: "field", name: field }, fieldType(field)] },
      );
  }
  return named;
}

function scopeRelations({ name, store }: EntityModel, named: ReadonlyMap<string, NamingField>): Relation[] {
  return Object.entries(store.fields).flatMap(([own, { list }]) => {
    const [table, field] = named.get(own) ?? [];
    if (table === undefined || table === name) return [];
    const column = `${name}.${own}`;
    return [{ table, on: `${table}.${field} = ${list === undefined ? column : `ANY(${column})`}` }];
  });
}

/**
 * How an entity belongs to those for whose records a sync reads it: by the fields with the values of the parameters, or else by the key.
 */
function parentRelations({ name, record, store, sync }: EntityModel, entities: readonly EntityModel[]): Relation[] {
  return sync.flatMap(({ each }) => {
    const parent = entities.find((one) => one.name === each?.entity);
    if (each === undefined || parent === undefined) return [];
    const table = parent.name;
    const pairs = Object.entries(each.params).map(([param, of]) => {
      const filled = record.fields.find(({ plan }) => plan.param === param)?.name;
      return { own: filled ?? param, of };
    });
    const scopes = Object.entries(store.fields).flatMap(([own, { scope, list }]) =>
      scope === true && list === undefined && parent.store.fields[own]?.scope === true ? [{ own, of: own }] : [],
    );
    const isPlain =
      table !== name && pairs.every(({ own, of }) => Object.hasOwn(store.fields, own) && Object.hasOwn(parent.store.fields, of));
    const on = isPlain
      ? [...scopes, ...pairs].map(({ own, of }) => `${table}.${of} = ${name}.${own}`).join(" AND ")
      : `${table}.key = ANY(${name}.parent)`;
    return [{ table, on }];
  });
}

/** Whether a field is written that the entity does not have, because something is wrong with it. */
function isLost({ entity, fields = {} }: EntitySpec, field: string, entities: readonly EntityModel[]): boolean {
  const record = entities.find(({ name }) => name === entity)?.record;
  return Object.hasOwn(fields, field) && record?.fields.every(({ name }) => name !== field) === true;
}
