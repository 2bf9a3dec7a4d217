import { writeFileSync } from "node:fs";
import {
  type Described,
  type Extracted,
  extractDescription,
  readDescribed,
  type SpecFolder,
  specFolders,
} from "../../../generator/index.ts";
import { CommandError, refuse } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { out } from "../output/standard-output.ts";
import { writeDiagnostics } from "./diagnostics.ts";

interface ExtractFlags {
  readonly as: string | undefined;
  readonly spec: string | undefined;
}

/**
 * `tenon spec extract`: writes the part of a platform's description that a spec uses to the file that the spec names.
 *
 * @returns 0; 1 when the spec has problems
 */
export async function run([name = "", from = ""]: readonly string[], { as, spec = "spec" }: ExtractFlags): Promise<number> {
  const [folder] = specFolders(spec, "generated", name);
  if (folder === undefined) throw new CommandError(`there is no folder ${spec}/${name}`, exitStatus.usage);
  const { text, source } = await readDescribed(from).catch(refuse(exitStatus.unavailable));
  const made = extracted(folder, { text, source: as ?? source });
  writeDiagnostics(made.diagnostics);
  if (made.file === undefined) return 1;
  writeFileSync(made.file, made.text);
  const [lines, of] = [made.text, text].map((one) => one.split("\n").length);
  if (out.isTTY) out.line(`wrote ${made.file}: ${lines} lines of ${of}`);
  else out.line(JSON.stringify({ event: "extracted", file: made.file, lines, of }));
  return 0;
}

function extracted(folder: SpecFolder, described: Described): Extracted {
  try {
    return extractDescription(folder, described);
  } catch (thrown) {
    return refuse(exitStatus.usage)(thrown);
  }
}
