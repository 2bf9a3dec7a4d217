import { GraphQLError } from "graphql";

/** An error of the platform, raised while a document runs. `type` becomes a member of the answered error. */
export function refusal(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

/** A cursor that its list did not write. The platform has words of its own for it. */
export class BadCursor extends Error {
  readonly cursor: string;

  constructor(cursor: string) {
    super(`no cursor of this list: ${cursor}`);
    this.name = "BadCursor";
    this.cursor = cursor;
  }
}

/** The simulation itself is incomplete. Never answered as null: the whole request fails loudly. */
export class DataGap extends Error {
  constructor(type: string, field: string) {
    super(`the simulated platform has no data for ${type}.${field}`);
    this.name = "DataGap";
  }
}
