import { commands } from "./commands.ts";
import { runCommandLine } from "./program.ts";

// Whoever reads standard error may go away before the service does.
process.stderr.on("error", () => undefined);

const status = await runCommandLine(commands, process.argv.slice(2)).catch(async (thrown: unknown) => {
  // Loaded only now: help and version need neither settings nor the table of error codes.
  const { failureOf } = await import("./failure.ts");
  const { text, exit } = failureOf(thrown);
  console.error(`tenon: ${text}`);
  return exit;
});
// Whatever is still open (a call to a platform that hangs) must not keep a service alive that has stopped.
process.exit(status);
