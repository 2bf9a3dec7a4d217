import { entityNameProblem } from "../model/names.ts";
import type { OpenApi } from "../model/open-api.ts";
import { describePlatform } from "../model/platform-description.ts";
import { type Draft, type DraftConnector, docOf, pageParams, snake, typeName } from "./draft.ts";
import { exampleCall } from "./example.ts";
import { factored, withOwnTypes } from "./factor.ts";
import { OpenApiDraft } from "./open-api-entities.ts";
import { envelopeCheck, errorsOf } from "./open-api-errors.ts";
import { extraCalls } from "./open-api-extra.ts";
import { authOf, serverOf } from "./open-api-platform.ts";
import { resourceAt, resourcesOf, wantedOf } from "./open-api-resources.ts";
import { addSyncs } from "./open-api-sync.ts";

/** Lets entities with the same records as another have its fields. */
function likeOthers(entities: ReadonlyMap<string, Draft>): void {
  const known = new Map<string, string>();
  for (const [name, entity] of entities) {
    const { record, key, fields, hit } = entity;
    if (record === undefined) continue;
    const text = JSON.stringify([key, fields, hit]);
    const first = known.get(text);
    known.set(text, first ?? name);
    if (first === undefined) continue;
    for (const own of ["record", "key", "fields"]) delete entity[own];
    entity["like"] = first;
  }
}

/**
 * Drafts a connector of an OpenAPI description: entities are the lists, with the calls of the same path and of the path of one record.
 *
 * @param only names of the entities to take, each alone or with the call of its list: `notes=POST /notes/query`; all when empty
 * @param from where the description is from: an address, or anything else
 */
export function draftOpenApi(name: string, api: OpenApi, only: readonly string[], from = ""): DraftConnector {
  const platform = describePlatform({ key: "", graphql: undefined, scalars: {}, rest: api });
  const draft = new OpenApiDraft(api, platform);
  const omitted: string[] = [];
  const all = resourcesOf(platform, api, omitted).map((one) =>
    entityNameProblem(one.name, name) === undefined ? one : { ...one, name: `${one.name}_records` },
  );
  const found =
    only.length === 0
      ? all
      : only.map(wantedOf).flatMap((wanted) => {
          const one =
            wanted.path === undefined ? all.find((other) => other.name === wanted.name) : resourceAt(wanted, platform, api);
          return one ?? [];
        });
  draft.nameRecords(found);
  const extra = extraCalls(found, platform, api);
  const entities = new Map(found.map((one) => [one.name, draft.entity(one, extra.get(one.name) ?? new Map())]));
  likeOthers(entities);
  const { fields, params } = factored(entities, pageParams);
  const scopes = addSyncs(found, entities, params);
  const { types, enums } = withOwnTypes(entities, { types: draft.types.types, enums: draft.types.enums }, { fields, params });
  const first = found.find((one) => one.isList);
  const prefix = snake(name).toUpperCase();
  const server = serverOf(api, prefix, from);
  const connector: Draft = {
    connector: name,
    title: typeName(name),
    doc: docOf(api.at(["info", "description"])),
    example: {},
    platform: { auth: authOf(api, prefix), ...server.platform },
    ...errorsOf(api, platform, entities.values()),
    scopes,
    params,
    fields,
    types,
    enums,
  };
  connector["example"] = exampleCall({ connector, entities }, first?.name ?? "", "list");
  return {
    connector,
    entities,
    omitted: [...(only.length === 0 ? omitted : []), ...draft.omitted, ...draft.types.omitted],
    open: [...server.open, ...draft.open, ...envelopeCheck(connector)],
  };
}
