import { json } from "../answer.ts";
import { GraphqlEngine } from "../graphql/engine.ts";
import { schemaOf } from "../graphql/schema.ts";
import { describedResolver } from "./graphql-resolve.ts";
import type { GraphqlFile, PlatformFile } from "./platform-file.ts";
import type { DescribedViewer, DescribedWorld } from "./rest-routes.ts";

/** The GraphQL API of a platform that is simulated from its schema. */
export function graphqlOf(file: PlatformFile, graphql: GraphqlFile, sdl: string): GraphqlEngine<DescribedWorld, DescribedViewer> {
  const wrong = (message: string) => ({ message, extensions: { code: graphql.invalidCode, type: "invalid input" } });
  const answer = (message: string) => json(400, { errors: [wrong(message)] });
  return new GraphqlEngine({
    path: graphql.path,
    schema: () => schemaOf(sdl, {}),
    resolvers: {},
    shared: {},
    resolve: describedResolver(file, graphql),
    check: () => [],
    cost: (fields) => ({ points: 1, nodes: fields.length }),
    refusals: {
      method: answer("The method must be POST"),
      body: answer("The body is not JSON"),
      query: answer("The body has no query"),
      variables: answer("Variables must be an object"),
      syntax: ({ message }) => wrong(message),
      document: ({ message }) => wrong(message),
      operation: wrong("The document has several operations"),
      variable: ({ error }) => wrong(error.message),
      cursor: () => wrong("Argument Validation Error - after is not a valid pagination cursor"),
      thrown: ({ message, extensions }) => ({ message, extensions }),
    },
  });
}
