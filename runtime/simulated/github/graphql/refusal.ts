import type { GraphQLError } from "graphql";
import { refusal } from "../../../simulator/graphql/refusal.ts";

/** GitHub's error for a thing that is not there, or that the viewer may not see. */
export function notFound(message: string): GraphQLError {
  return refusal("NOT_FOUND", message);
}
