/** An error of the command line itself, with the exit status that it leads to. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exit: number;

  constructor(message: string, exit: number, cause?: unknown) {
    super(message, { cause });
    this.exit = exit;
  }
}

/** What becomes of an error that the command line should end with: one with a status of its own. */
export function refuse(exit: number): (thrown: unknown) => never {
  return (thrown) => {
    throw new CommandError(thrown instanceof Error ? thrown.message : String(thrown), exit);
  };
}

/** What a command has to say cannot be written to standard output, as on a full disk. */
export class OutputError extends CommandError {}
