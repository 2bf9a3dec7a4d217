// Reads command lines as JSON from standard input and runs them. For each it prints a line of JSON: its exit status and its output.
import { text as textOf } from "node:stream/consumers";
import { commands } from "../../runtime/cli/commands.ts";
import { runCommandLine } from "../../runtime/cli/program.ts";

const lines = JSON.parse(await textOf(process.stdin)) as string[][];
const { stdout, stderr } = process;
const write = stdout.write.bind(stdout);
const complain = stderr.write.bind(stderr);
for (const args of lines) {
  const printed = { answer: "", error: "" };
  const into = (kind: keyof typeof printed) => (part: string | Uint8Array) => {
    printed[kind] += Buffer.from(part).toString();
    return true;
  };
  stdout.write = into("answer");
  stderr.write = into("error");
  const status = await runCommandLine(commands, args);
  stdout.write = write;
  stderr.write = complain;
  write(`${JSON.stringify([status, printed.answer || printed.error])}\n`);
}
