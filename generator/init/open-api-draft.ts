import { entityNameProblem } from "../model/names.ts";
import type { OpenApi } from "../model/open-api.ts";
import { describePlatform } from "../model/platform-description.ts";
import { camel, type Draft, type DraftConnector, docOf, pageParams, snake, todo, typeName } from "./draft.ts";
import { factored } from "./factor.ts";
import { OpenApiDraft } from "./open-api-entities.ts";
import { authOf, envelopeCheck, errorsOf, serverOf } from "./open-api-platform.ts";
import { placesOf, resourcesOf, scopeOf } from "./open-api-resources.ts";

/**
 * Drafts a connector of an OpenAPI description: entities are the lists, with the calls of the same path and of the path of one record.
 *
 * @param only names of the entities to take; all when empty
 */
export function draftOpenApi(name: string, api: OpenApi, only: readonly string[]): DraftConnector {
  const platform = describePlatform({ key: "", graphql: undefined, scalars: {}, rest: api });
  const draft = new OpenApiDraft(api, platform);
  const omitted: string[] = [];
  const found = resourcesOf(platform, api, omitted)
    .map((one) => (entityNameProblem(one.name, name) === undefined ? one : { ...one, name: `${one.name}_records` }))
    .filter((one) => only.length === 0 || only.includes(one.name));
  draft.nameRecords(found);
  const entities = new Map(found.map((one) => [one.name, draft.entity(one)]));
  const { fields, params } = factored(entities, pageParams);
  const scopes = Object.fromEntries(
    found.map(({ path }) => {
      const own = placesOf(path).map(camel);
      return [
        scopeOf(path),
        {
          params: own,
          doc: own.length === 0 ? "Everything that the credential sees." : todo,
          ...(own.length === 0 ? {} : { example: own.map(() => "example").join("/") }),
        },
      ];
    }),
  );
  const [first] = found;
  const example = Object.fromEntries(placesOf(first?.path ?? "").map((place) => [camel(place), "example"]));
  const connector: Draft = {
    connector: name,
    title: typeName(name),
    doc: docOf(api.at(["info", "description"])),
    example: { entity: first?.name ?? "", action: "list", params: example },
    platform: {
      auth: authOf(api, snake(name).toUpperCase()),
      ...serverOf(api, snake(name).toUpperCase()),
    },
    ...errorsOf(api, platform, entities.values()),
    scopes,
    params,
    fields,
    types: draft.types,
    enums: draft.enums,
  };
  return {
    connector,
    entities,
    omitted: only.length === 0 ? [...omitted, ...draft.omitted] : draft.omitted,
    open: [...draft.open, ...envelopeCheck(connector)],
  };
}
