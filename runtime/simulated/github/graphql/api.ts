import { json } from "../../../simulator/answer.ts";
import { GraphqlEngine } from "../../../simulator/graphql/engine.ts";
import type { Viewer } from "../access.ts";
import { graphqlDocs, refuse } from "../refuse.ts";
import { resolverTables, sharedTables } from "../resolve/tables.ts";
import { graphqlPath } from "../tokens.ts";
import type { World } from "../world/world.ts";
import { costOf, limitErrors } from "./limits.ts";
import { publicSchema } from "./schema.ts";
import { schemaError, syntaxError } from "./schema-error.ts";
import { scopeErrors } from "./scopes.ts";

/** GitHub's GraphQL API. */
export const graphqlApi = new GraphqlEngine<World, Viewer>({
  path: graphqlPath,
  schema: publicSchema,
  resolvers: resolverTables,
  shared: sharedTables,
  check: (fields, { token }) => {
    const scopes = scopeErrors(fields, token);
    return scopes.length > 0 ? scopes : limitErrors(fields);
  },
  cost: costOf,
  refusals: {
    method: refuse(404, "Not Found", graphqlDocs),
    body: refuse(400, "Problems parsing JSON", graphqlDocs),
    query: json(200, { errors: [{ message: "A query attribute must be specified and must be a string." }] }),
    variables: refuse(400, "Variables must be a Hash"),
    syntax: syntaxError,
    document: schemaError,
    operation: { message: "An operation name is required" },
    variable: ({ name, type, value, error }) => ({
      message: `Variable $${name} of type ${type} was provided invalid value`,
      locations: error.locations ?? [],
      extensions: { value, problems: [{ path: [], explanation: error.message }] },
    }),
    cursor: (cursor) => ({
      type: "INVALID_CURSOR_ARGUMENTS",
      message: `\`${cursor}\` does not appear to be a valid cursor.`,
    }),
  },
});
