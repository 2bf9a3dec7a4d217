import { parseArgs } from "node:util";
import { nearest } from "../contract/index.ts";
import { serve } from "./serve.ts";
import { syncOnce } from "./sync.ts";

const usage = `tenon: connectors from specs

  tenon serve [--port N] [--host ADDRESS] [--config FILE]   start the execute endpoint
  tenon sync <connector_id> [--scope KIND=VALUE …]          read records of a platform into the context store
             [--entity NAME …] [--full] [--allow-mass-delete] [--config FILE]
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
    const { version } = await import("../main/index.ts");
    console.log(version);
    return 0;
  }
  if (values.help || command === "help") {
    console.log(usage);
    return 0;
  }
  if (command === undefined) return complain("say what to do");
  if (command === "sync") {
    if (more.length !== 1) return complain("say which connector to sync: tenon sync <connector_id> --scope KIND=VALUE");
    return syncOnce(String(more[0]), values);
  }
  if (command !== "serve" && command !== "settings") {
    const near = nearest(command, ["serve", "sync", "settings", "help"]);
    return complain(`unknown command "${command}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
  }
  if (more.length > 0) return complain(`"${command}" takes no further argument "${more[0]}"`);
  if (command === "serve") return serve(values);
  const { printSettings } = await import("./settings.ts");
  printSettings();
  return 0;
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      port: { type: "string" },
      host: { type: "string" },
      config: { type: "string" },
      scope: { type: "string", multiple: true },
      entity: { type: "string", multiple: true },
      full: { type: "boolean" },
      "allow-mass-delete": { type: "boolean" },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" },
    },
  });
}

function complain(message: string): number {
  console.error(`tenon: ${message}\n\n${usage}`);
  return usageError;
}

// The reader of standard error may go away while the service runs; that must not end the service.
process.stderr.on("error", () => undefined);
// A connection that is still open, such as a call to a platform that hangs, must not keep the process alive.
process.exit(await main(process.argv.slice(2)));
