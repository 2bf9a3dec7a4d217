import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { Generator, generateAndWatch, generateOnce, specFolders } from "../../../generator/index.ts";
import packageFile from "../../../package.json" with { type: "json" };
import { CommandError } from "../command-error.ts";
import { endSignal } from "../end-signal.ts";
import { exitStatus } from "../exit-status.ts";
import { noBar, openProgressBar } from "../output/progress-bar.ts";
import { writeDiagnostics } from "./diagnostics.ts";
import { generateReport } from "./generate-report.ts";

interface GenerateFlags {
  readonly spec: string | undefined;
  readonly out: string | undefined;
  readonly check: boolean;
  readonly watch: boolean;
}

/** `tenon generate`: 0, or 1 when a spec is wrong or, with `--check`, when a generated file differs. */
export const generate = {
  run: async (_args: readonly string[], { spec = "spec", out = "generated", check, watch }: GenerateFlags): Promise<number> => {
    requireFolder(spec);
    const bar = watch ? noBar : await openProgressBar();
    const options = { spec, out, check, ...library(), report: generateReport(bar) };
    if (!watch) return generateOnce(options).finally(() => bar.end());
    await generateAndWatch(options);
    const signal = endSignal();
    if (!signal.aborted) await once(signal, "abort");
    return 0;
  },
};

/**
 * `tenon spec check`: 0 when nothing is wrong, otherwise 1 and one line per problem on standard error, as JSON where that is no terminal.
 */
export const specCheck = {
  run: async (_args: readonly string[], { spec = "spec" }: { readonly spec: string | undefined }): Promise<number> => {
    requireFolder(spec);
    const { diagnostics } = await new Generator().generate(specFolders(spec, "generated"));
    writeDiagnostics(diagnostics);
    if (process.stderr.isTTY) console.error(diagnostics.length === 0 ? "No problems." : `Problems: ${diagnostics.length}.`);
    return diagnostics.length === 0 ? 0 : 1;
  },
};

/** @throws CommandError */
function requireFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new CommandError(`there is no folder "${path}" with specs; name it with --spec`, exitStatus.usage);
}

/** Code that is generated in this package's own repository imports its sources; elsewhere it imports the package. */
function library(): { readonly library?: string } {
  const own = existsSync("package.json")
    ? (JSON.parse(readFileSync("package.json", "utf8")) as { name?: unknown }).name
    : undefined;
  return own === packageFile.name ? {} : { library: packageFile.name };
}
