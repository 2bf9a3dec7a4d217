import { GraphQLError } from "graphql";

/** An error of the platform's own, raised while a document runs. `type` becomes a member of the answered error. */
export function refusal(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

export function notFound(message: string): GraphQLError {
  return refusal("NOT_FOUND", message);
}

/** The simulation itself is incomplete. Never answered as null: the whole request fails loudly. */
export class DataGap extends Error {
  constructor(type: string, field: string) {
    super(`the simulated platform has no data for ${type}.${field}`);
    this.name = "DataGap";
  }
}
