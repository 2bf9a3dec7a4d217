import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { connectorsModule } from "../../main/connectors-module.ts";
import type { CompletionTable } from "./completion-names.ts";

// Loading the connectors takes far longer than a person wants to wait at each press of a key, so their names are kept in a file, as what
// Node compiles is.

const generated = new URL("../../../generated/", import.meta.url);
const folder = new URL("../../../.cache/", import.meta.url);

/**
 * The names of all connectors. They are made anew where a file of `generated/` has changed since they were kept. They are not kept where
 * a module of the user's has connectors, which may change without notice, or where the folder cannot be written.
 */
export async function completionTable(): Promise<CompletionTable> {
  const stamp = connectorsModule() === undefined ? stampOf() : undefined;
  const kept = stamp === undefined ? undefined : read();
  if (kept !== undefined && kept.stamp === stamp) return kept.table;
  const [{ connectors }, { tableOf }] = await Promise.all([import("../../main/connectors.ts"), import("./completion-table.ts")]);
  const table = await tableOf(connectors);
  if (stamp !== undefined) keep({ stamp, table });
  return table;
}

interface Kept {
  /** What the names were made from: size and time of each file. */
  readonly stamp: string;
  readonly table: CompletionTable;
}

/** The module that makes the names, compiled or not. */
const maker = new URL(import.meta.url.replace("-cache.", "-table."));

/** Undefined where the files cannot be listed. */
function stampOf(): string | undefined {
  try {
    const folders = readdirSync(generated, { withFileTypes: true }).flatMap((one) =>
      one.isDirectory() ? [new URL(`${one.name}/`, generated)] : [],
    );
    const files = [generated, ...folders].flatMap((at) =>
      readdirSync(at, { withFileTypes: true }).flatMap((one) => (one.isFile() ? [new URL(one.name, at)] : [])),
    );
    return [new URL(import.meta.url), maker, ...files]
      .map((file) => {
        const { size, mtimeMs } = statSync(file);
        return `${size} ${mtimeMs}`;
      })
      .join();
  } catch {
    return undefined;
  }
}

function read(): Kept | undefined {
  try {
    return JSON.parse(readFileSync(new URL("completion.json", folder), "utf8")) as Kept;
  } catch {
    return undefined;
  }
}

/** The file appears whole, because other processes may read it meanwhile. */
function keep(kept: Kept): void {
  const made = new URL(`completion.${process.pid}.json`, folder);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(made, JSON.stringify(kept));
    renameSync(made, new URL("completion.json", folder));
  } catch {
    // The next press of the key makes the names anew.
  }
}
