import { commands } from "./commands.ts";
import { leave, watchThreads } from "./leave.ts";
import { outputGone, outputStatus } from "./output/standard-output.ts";

watchThreads();
// The reader of standard error may go away before the service ends; that must not end the service.
process.stderr.on("error", () => undefined);

async function report(thrown: unknown): Promise<number> {
  // Loaded only now: help and version need neither settings nor the table of error codes.
  const { reportProblem } = await import("./problem.ts");
  return reportProblem(thrown);
}

async function run(args: readonly string[]): Promise<number> {
  // A shell waits for these words at each press of the tab key, so not even the parser is loaded for them.
  if (args[0] === "completion" && args[1] === "words")
    return (await import("./completion/completion.ts")).completionOf(commands).run(["words"]);
  return (await import("./program.ts")).runCommandLine(commands, args);
}

const status = await run(process.argv.slice(2))
  // A command that ends because nobody reads its output has nothing more to say.
  .catch((thrown: unknown) => (outputGone.aborted ? 0 : report(thrown)))
  .then(outputStatus)
  .catch(report);
await leave(status);
