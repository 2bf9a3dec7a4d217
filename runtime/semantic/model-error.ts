/** A model that cannot be used. The message is one line for the operator. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** What is wrong, for a message that says already what it is about. */
  readonly problem: string;

  constructor(problem: string) {
    super(`the model for search by meaning cannot be used: ${problem}`);
    this.problem = problem;
  }
}
