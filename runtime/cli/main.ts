import { parseArgs } from "node:util";
import { nearest } from "../contract/index.ts";
import { serve } from "./serve.ts";

const usage = `tenon: connectors from specs

  tenon serve [--port N] [--host ADDRESS] [--config FILE]   start the execute endpoint
  tenon settings                                            list every setting
  tenon --version                                           print the version
  tenon --help                                              print this
`;

/** Exit status for a command line that makes no sense (sysexits.h EX_USAGE). */
const usageError = 64;

async function main(args: readonly string[]): Promise<number> {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (thrown) {
    return complain(thrown instanceof Error ? thrown.message : String(thrown));
  }
  const { values, positionals } = parsed;
  const [command, ...more] = positionals;
  if (values.version) {
    const { version } = await import("../main.ts");
    console.log(version);
    return 0;
  }
  if (values.help || command === "help") {
    console.log(usage);
    return 0;
  }
  if (command === undefined) return complain("say what to do");
  if (more.length > 0) return complain(`"${command}" takes no further argument "${more[0]}"`);
  if (command === "serve") return serve(values);
  if (command === "settings") {
    const { printSettings } = await import("./settings.ts");
    printSettings();
    return 0;
  }
  const near = nearest(command, ["serve", "settings", "help"]);
  return complain(`unknown command "${command}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      port: { type: "string" },
      host: { type: "string" },
      config: { type: "string" },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
    },
  });
}

function complain(message: string): number {
  console.error(`tenon: ${message}\n\n${usage}`);
  return usageError;
}

// Whatever is still open (a call to a platform that hangs) must not keep a service alive that has stopped.
process.exit(await main(process.argv.slice(2)));
