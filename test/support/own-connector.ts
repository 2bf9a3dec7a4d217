import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { formatDiagnostic } from "../../generator/diagnostic/diagnostic.ts";
import { Generator } from "../../generator/generate.ts";
import { specFolders } from "../../generator/spec-folders.ts";
import type { Connector } from "../../runtime/contract/index.ts";

const root = join(import.meta.dirname, "../..");

/** A connector that was generated for a test. */
export interface OwnConnector {
  readonly connector: Connector;
  remove(): void;
}

/**
 * Generates and loads a connector that is no part of this repository.
 *
 * @param specs folder with a folder for each connector, `name` among them
 */
export async function ownConnector(specs: string, name: string): Promise<OwnConnector> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/own-"));
  const out = join(folder, "generated");
  symlinkSync(join(root, "runtime"), join(folder, "runtime"));
  const { files, diagnostics } = await new Generator().generate(specFolders(specs, out, name));
  if (diagnostics.length > 0) throw new Error(diagnostics.map(formatDiagnostic).join("\n"));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  }
  const module = (await import(pathToFileURL(join(out, name, "index.ts")).href)) as Readonly<Record<string, Connector>>;
  const connector = module[name];
  if (connector === undefined) throw new Error(`${name} exports no connector`);
  return { connector, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
