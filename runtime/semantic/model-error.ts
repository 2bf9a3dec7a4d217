/** A model that cannot be used. The message is one line for the operator. */
export class ModelError extends Error {
  override readonly name = "ModelError";

  constructor(problem: string) {
    super(`the model for search by meaning cannot be used: ${problem}`);
  }
}
