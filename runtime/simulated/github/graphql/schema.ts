import type { GraphQLSchema } from "graphql";
import { schemaOf } from "../../../simulator/graphql/schema.ts";
import { installedText } from "../../../simulator/installed-file.ts";

let built: GraphQLSchema | undefined;

/** GitHub's public schema. */
export function publicSchema(): GraphQLSchema {
  built ??= schemaOf(installedText("@octokit/graphql-schema/schema.graphql", import.meta.url), {
    GitObjectID: (text) => /^[0-9a-f]{40}$/i.test(text),
    DateTime: (text) => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
  });
  return built;
}
