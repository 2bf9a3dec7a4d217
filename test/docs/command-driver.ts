// Runs the command lines that stand on standard input as JSON, and prints what each of them prints as one line of JSON.
import { text } from "node:stream/consumers";
import { commands } from "../../runtime/cli/commands.ts";
import { runCommandLine } from "../../runtime/cli/program.ts";

const lines = JSON.parse(await text(process.stdin)) as string[][];
const write = process.stdout.write.bind(process.stdout);
for (const args of lines) {
  let printed = "";
  process.stdout.write = ((part: string | Uint8Array) => {
    printed += Buffer.from(part).toString();
    return true;
  }) as typeof process.stdout.write;
  await runCommandLine(commands, args);
  process.stdout.write = write;
  write(`${JSON.stringify(printed === "" ? null : JSON.parse(printed))}\n`);
}
