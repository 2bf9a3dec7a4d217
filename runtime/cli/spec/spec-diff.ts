import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { diffSpecs, type SpecDiff, type SpecFolder, specFolders } from "../../../generator/index.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { printChanges } from "./changes.ts";
import { writeDiagnostics } from "./diagnostics.ts";

interface DiffFlags {
  readonly spec: string | undefined;
  readonly json: boolean;
  readonly check: boolean;
}

/**
 * `tenon spec diff`: lists what differs between two versions of the specs. Each is a folder or a revision of git; the second one is by
 * default the folder of the specs as it is.
 *
 * @returns 0; 1 when a version has problems or, with `--check`, when a change is breaking
 */
export async function run([before = "", after]: readonly string[], { spec = "spec", json, check }: DiffFlags): Promise<number> {
  const { changes, diagnostics } = withVersion(before, spec, (old) =>
    withVersion(after ?? spec, spec, (now) => diffSpecs(old, now)),
  );
  writeDiagnostics(diagnostics);
  if (diagnostics.length > 0) return 1;
  printChanges(changes, json);
  return check && changes.some(({ kind }) => kind === "breaking") ? 1 : 0;
}

/** Reads a version of the specs and uses it. A revision is written to a folder for as long as it is used. */
function withVersion(version: string, spec: string, use: (folders: SpecFolder[]) => SpecDiff): SpecDiff {
  if (statSync(version, { throwIfNoEntry: false })?.isDirectory() === true) return use(specFolders(version, "generated"));
  const revision = commitOf(version);
  const top = resolve(git(["rev-parse", "--show-cdup"]).toString().trim());
  const path = pathInRepository(spec, top);
  // Below this folder, so that the packages that a spec refers to are found in the folders above.
  const place = resolve(".cache");
  mkdirSync(place, { recursive: true });
  const folder = mkdtempSync(`${place}/spec-diff-`);
  try {
    execFileSync("tar", ["-x", "-C", folder], { input: archiveOf({ revision, version, top, path }) });
    const { changes, diagnostics } = use(specFolders(join(folder, path), "generated"));
    // The folder is gone when the problems are read, so that they name their files as git does.
    const named = (file: string) => (file.startsWith(`${folder}/`) ? `${version}:${file.slice(folder.length + 1)}` : file);
    return { changes, diagnostics: diagnostics.map((one) => ({ ...one, file: named(one.file) })) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The commit of a revision. @throws CommandError when there is none of this name */
function commitOf(version: string): string {
  try {
    return git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${version}^{commit}`])
      .toString()
      .trim();
  } catch {
    throw new CommandError(`"${version}" is neither a folder with specs nor a revision of git`, exitStatus.usage);
  }
}

/** The path of the specs in the repository, whose folder is `top`. @throws CommandError when they are outside of it */
function pathInRepository(spec: string, top: string): string {
  const path = relative(realPath(top), realPath(resolve(spec))) || ".";
  if (path.split(sep)[0] !== ".." && !isAbsolute(path)) return path;
  throw new CommandError(
    `the folder "${spec}" of --spec is outside of the repository ${top}, so no revision has it; compare two folders instead`,
    exitStatus.usage,
  );
}

/** A path without symbolic links. What is at its end may be in another revision only. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(above), basename(path));
  }
}

interface Archived {
  readonly revision: string;
  /** As the user calls the revision. */
  readonly version: string;
  readonly top: string;
  readonly path: string;
}

function archiveOf({ revision, version, top, path }: Archived): Buffer {
  try {
    return git(["-C", top, "archive", "--format=tar", revision, "--", path]);
  } catch {
    throw new CommandError(`the revision "${version}" has no folder "${path}"; name it with --spec`, exitStatus.usage);
  }
}

function git(args: readonly string[]): Buffer {
  return execFileSync("git", args, { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 28 });
}
