import { GraphQLError } from "graphql";

/** An error of the platform, raised while a document runs. `type` becomes a member of the answered error. */
export function refusal(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

/** A cursor that its list did not write. The platform says which error this is. */
export class BadCursor extends Error {
  readonly cursor: string;

  constructor(cursor: string) {
    super(`this list did not write the cursor ${cursor}`);
    this.name = "BadCursor";
    this.cursor = cursor;
  }
}

/** The simulation has no data for a field. It is never answered as null: the request fails with a status that no platform uses. */
export class DataGap extends Error {
  constructor(type: string, field: string) {
    super(`the simulated platform has no data for ${type}.${field}`);
    this.name = "DataGap";
  }
}
