import { storeAction } from "../../contract/index.ts";
import type { ActionAccess } from "../../main/access.ts";
import { connectors } from "../../main/connectors.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { names, readJson, wholeNumber } from "./params.ts";
import { runRequest } from "./request.ts";
import type { SearchFlags } from "./search-flags.ts";

/** `tenon search`: searches the records that a sync has stored. */
export async function run([connector = "", entity = ""]: readonly string[], flags: SearchFlags): Promise<number> {
  const { filter, semantic, count } = flags;
  const conditions = filter === undefined ? {} : { filter: await readJson(filter, "--filter") };
  const sort = flags.sort.map((one) => {
    const [field = "", ...direction] = one.split(":");
    return { [field]: direction.length === 0 ? "asc" : direction.join(":") };
  });
  const groupBy = names(flags["group-by"]);
  const limit = wholeNumber(flags.limit, "limit");
  if (semantic !== undefined && (sort.length > 0 || groupBy.length > 0 || count))
    throw new CommandError("--semantic can be combined only with --filter, --limit and --fields", exitStatus.usage);
  const params = async (access: ActionAccess) => ({
    ...(semantic === undefined
      ? { query: { ...conditions, ...(sort.length === 0 ? {} : { sort }) } }
      : { semantic: { ...(await fieldOf(access)), prompt: semantic, ...conditions } }),
    ...(groupBy.length === 0 ? {} : { groupBy }),
    ...(count ? { count } : {}),
    ...(limit === undefined ? {} : { limit }),
  });
  /** The field to search by meaning. Where the entity has none or is not known here, the action says what is wrong. */
  const fieldOf = async (access: ActionAccess): Promise<{ readonly field?: string }> => {
    const given = flags["semantic-field"];
    if (given !== undefined) return { field: given };
    return onlyField(await semanticFields(access, flags.connector ?? connector, entity));
  };
  return runRequest({ connector, entity, action: storeAction, params }, flags);
}

/** The only one of some fields; nothing where there is none. @throws CommandError where a choice is needed */
export function onlyField([field, ...others]: readonly string[]): { readonly field?: string } {
  if (others.length > 0)
    throw new CommandError(`choose one of the fields with --semantic-field: ${[field, ...others].join(", ")}`, exitStatus.usage);
  return field === undefined ? {} : { field };
}

/** The fields of an entity that can be searched by meaning. @param id name of a connector, or id of an instance */
async function semanticFields(access: ActionAccess, id: string, entity: string): Promise<readonly string[]> {
  const named = (wanted: string | undefined) => connectors.find(({ name }) => name === wanted);
  const connector = named(id) ?? named((await access.instances()).find((one) => one.id === id)?.connector);
  const entities = connector?.entities ?? {};
  return Object.keys((Object.hasOwn(entities, entity) ? entities[entity]?.store.semantic?.fields : undefined) ?? {});
}
