import { limitNames, rights } from "../../accounts/grant.ts";
import type { CompletionTable, ConnectorNames } from "./completion-names.ts";

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
export function flagValues(table: CompletionTable, flag: string, named: Named, word: string): readonly string[] {
  const connector = memberOf(table, named.connector);
  const entity = memberOf(connector?.entities, named.entity);
  const all = connector === undefined ? Object.values(table) : [connector];
  switch (flag) {
    case "connector":
    case "instance":
      return Object.keys(table);
    case "right":
      return rights;
    case "limit":
      return named.connector === "" ? limitNames.map((name) => `${name}=`) : [];
    case "scope":
    case "forget":
      return [...new Set(all.flatMap(({ scopes }) => scopes))];
    case "entity":
      return [...new Set(all.flatMap((one) => entityNames(one, named)))];
    case "fields":
    case "group-by":
      return listed(word, (path) => fieldNames(connector?.types, entity?.record, path));
    case "sort":
      return entity?.searchable ?? [];
    case "semantic-field":
      return entity?.semantic ?? [];
    default:
      return [];
  }
}

/** The member of this name, which a user may have typed. */
export function memberOf<Member>(members: Readonly<Record<string, Member>> | undefined, name: string): Member | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** All entities of a connector; those that a sync reads, where the command names the connector. */
function entityNames({ entities }: ConnectorNames, { connector }: Named): string[] {
  const all = Object.entries(entities);
  return (connector === "" ? all : all.filter(([, { synced }]) => synced)).map(([name]) => name);
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

/** Fields of a type, or of the objects at a path in it. */
function fieldNames(
  types: ConnectorNames["types"] | undefined,
  type: string | undefined,
  [name, ...rest]: readonly string[],
): readonly string[] {
  const fields = memberOf(types, type ?? "") ?? {};
  return name === undefined ? Object.keys(fields) : fieldNames(types, memberOf(fields, name), rest);
}
