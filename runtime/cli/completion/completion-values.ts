import { limitNames, rights } from "../../accounts/grant.ts";
import type { Connector, Entity, RecordPlan } from "../../contract/index.ts";
import { connectors } from "../../main/connectors.ts";

/** Names of the connectors. */
export const connectorNames: readonly string[] = connectors.map(({ name }) => name);

/** What the words before a flag have named. */
export interface Named {
  readonly connector: string;
  readonly entity: string;
}

/**
 * What can be the value of a flag of the table of commands.
 *
 * @param word the word that is completed, as far as it was typed
 * @returns nothing for a value that is not known, such as the name of a file
 */
export function flagValues(flag: string, named: Named, word: string): readonly string[] {
  const connector = connectors.find(({ name }) => name === named.connector);
  const entity = entityOf(connector, named.entity);
  switch (flag) {
    case "connector":
    case "instance":
      return connectorNames;
    case "right":
      return rights;
    case "limit":
      return named.connector === "" ? limitNames.map((name) => `${name}=`) : [];
    case "scope":
    case "forget":
      return scopeKinds(connector);
    case "entity":
      return [...new Set((connector === undefined ? connectors : [connector]).flatMap((one) => entityNames(one, named)))];
    case "fields":
    case "group-by":
      return listed(word, (path) => fieldNames(entity?.record, path));
    case "sort":
      return Object.keys(entity?.store.fields ?? {});
    case "semantic-field":
      return Object.keys(entity?.store.semantic?.fields ?? {});
    default:
      return [];
  }
}

function entityOf(connector: Connector | undefined, name: string): Entity | undefined {
  return connector !== undefined && Object.hasOwn(connector.entities, name) ? connector.entities[name] : undefined;
}

/** All entities of a connector; those that a sync reads, where the command names the connector. */
function entityNames({ entities }: Connector, named: Named): string[] {
  const all = Object.entries(entities);
  return (named.connector === "" ? all : all.filter(([, { sync }]) => sync.length > 0)).map(([name]) => name);
}

/** `repository=`, and `account` for a scope that takes no value. */
function scopeKinds(connector: Connector | undefined): string[] {
  const scopes = (connector === undefined ? connectors : [connector]).flatMap((one) => Object.entries(one.scopes));
  return [...new Set(scopes.map(([kind, { params }]) => (params.length === 0 ? kind : `${kind}=`)))];
}

/** The names of a list between commas, of which the last is completed. */
function listed(word: string, names: (path: readonly string[]) => readonly string[]): string[] {
  const given = word.split(",");
  const path = (given.pop() ?? "").split(".").slice(0, -1);
  const before = given.map((one) => `${one},`).join("") + path.map((one) => `${one}.`).join("");
  return names(path)
    .filter((name) => !given.includes([...path, name].join(".")))
    .map((name) => before + name);
}

/** Fields of a record, or of the object at a path in it. */
function fieldNames(plan: RecordPlan | undefined, [name, ...rest]: readonly string[]): readonly string[] {
  if (name === undefined) return Object.keys(plan?.fields ?? {});
  const field = plan !== undefined && Object.hasOwn(plan.fields, name) ? plan.fields[name] : undefined;
  return fieldNames(field?.of?.(), rest);
}
