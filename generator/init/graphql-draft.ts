import type { GraphQLObjectType, GraphQLSchema } from "graphql";
import { type Draft, type DraftConnector, pageParams, singular, snake, todo, typeName } from "./draft.ts";
import { exampleCall } from "./example.ts";
import { factored } from "./factor.ts";
import { GraphqlDraft } from "./graphql-entities.ts";
import { foundAt, withinOthers } from "./graphql-found.ts";
import { chosenPlaces } from "./graphql-places.ts";
import { unknownUrl } from "./questions.ts";

/**
 * Drafts a connector of a schema: entities are the connections at the root and in objects that the root finds by scalars. Types and
 * nullability are those of the schema.
 *
 * @param only names of the entities to take; all when empty
 */
export function draftGraphql(name: string, schema: GraphQLSchema, only: readonly string[]): DraftConnector {
  const found = withinOthers(chosenPlaces(schema, only).map((one) => foundAt(schema, one)));
  const draft = new GraphqlDraft(schema, (node) => found.find((one) => one.node === node && one.list !== undefined)?.name);
  // Entities of one type share the fields of the one that has the type's name.
  const first = (node: GraphQLObjectType) => {
    const same = found.filter((one) => one.node === node);
    return (same.find(({ name: one }) => singular(one) === snake(node.name)) ?? same[0])?.name ?? "";
  };
  const entities = new Map(found.map((one) => [one.name, draft.entity(one, first(one.node))]));
  const { fields, params } = factored(entities, pageParams);
  const scopes = Object.fromEntries(
    found.map(({ scope, parents, below }) => {
      const own = parents
        .flatMap((place) => Object.keys(place.params))
        .filter((param) => !Object.hasOwn(below?.params ?? {}, param));
      const example = own.length === 0 ? {} : { example: own.map(() => "example").join("/") };
      return [scope, { params: own, doc: own.length === 0 ? "Everything that the credential sees." : todo, ...example }];
    }),
  );
  const shown = found.find(({ list }) => list !== undefined) ?? found[0];
  const connector: Draft = {
    connector: name,
    title: typeName(name),
    doc: todo,
    example: exampleCall({ connector: { params }, entities }, shown?.name ?? "", shown?.list === undefined ? "get" : "list"),
    platform: {
      auth: { env: `${snake(name).toUpperCase()}_TOKEN`, doc: todo },
      graphql: {
        url: `${unknownUrl}/graphql`,
        env: `${snake(name).toUpperCase()}_GRAPHQL_URL`,
        schema: "schema.graphql",
        ...draft.scalars,
      },
    },
    scopes,
    params,
    fields,
    enums: draft.enums,
    types: draft.types,
  };
  return { connector, entities, omitted: [], open: [] };
}
