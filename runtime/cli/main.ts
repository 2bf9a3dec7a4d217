import { commands } from "./commands.ts";
import { leave, watchThreads } from "./leave.ts";
import { runCommandLine } from "./program.ts";

watchThreads();
// The reader of standard error may go away before the service ends; that must not end the service.
process.stderr.on("error", () => undefined);

const status = await runCommandLine(commands, process.argv.slice(2)).catch(async (thrown: unknown) => {
  // Loaded only now: help and version need neither settings nor the table of error codes.
  const { reportProblem } = await import("./problem.ts");
  return reportProblem(thrown);
});
await leave(status);
