import { GraphQLError } from "graphql";
import type { GraphqlFile } from "./platform-file.ts";

/** The platform's error for a mistake of the caller. */
export function invalid({ invalidCode }: GraphqlFile, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type: "invalid input", code: invalidCode, userError: true } });
}

/** The platform's error for a record that is not there. */
export function missing(graphql: GraphqlFile, type: string): GraphQLError {
  return invalid(graphql, `Entity not found: ${type} - Could not find referenced ${type}.`);
}
