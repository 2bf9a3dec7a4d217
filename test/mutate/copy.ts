import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findMutants, type Mutant, plant } from "./mutants.ts";
import { copyConfig, copySetup, recordReached, type SwitchedOn, someMutants, switchModule } from "./switch.ts";

/** The root of the project. */
export const root = join(import.meta.dirname, "../..");

export const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 })
    .split("\n")
    .filter(Boolean);

/** All files of the project as they are now, changes that are not committed included. */
export function projectFiles(): string[] {
  return git("ls-files", "--cached", "--others", "--exclude-standard").filter((file) => existsSync(join(root, file)));
}

/** The files in which mutants are planted. */
export const isMutated = (file: string) =>
  /^(runtime|generator)\/.*\.ts$/.test(file) && !file.endsWith(".d.ts") && !file.includes("/assets/");

export function treeHash(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex").slice(0, 16);
}

export function allMutants(files: readonly string[]): Mutant[] {
  return files.filter(isMutated).flatMap((file) => findMutants(file, readFileSync(join(root, file), "utf8")));
}

/** A copy of the project in which mutants are planted. */
export interface Copy {
  readonly folder: string;
  /** Switches mutants on, and all others off. */
  switchOn(on: SwitchedOn): void;
  remove(): void;
}

/**
 * Copies the project with switches for mutants.
 * @param mutants The ones to plant, with their numbers.
 * @param log Where to append which mutants are reached. Without it, mutants can be switched on.
 */
export function copyWith(files: readonly string[], mutants: ReadonlyMap<number, Mutant>, log?: string): Copy {
  const folder = mkdtempSync(join(tmpdir(), "tenon-mutants-"));
  const byFile = Map.groupBy(mutants, ([, { file }]) => file);
  for (const file of files) {
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true });
    const planted = byFile.get(file);
    if (planted === undefined) cpSync(join(root, file), target);
    else writeFileSync(target, plant(file, readFileSync(join(root, file), "utf8"), new Map(planted), pathTo(file)));
  }
  for (const shared of ["node_modules", ".node"])
    if (existsSync(join(root, shared))) symlinkSync(join(root, shared), join(folder, shared));
  const onFile = join(folder, "mutants-on");
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write(switchModule, log === undefined ? someMutants(onFile) : recordReached(log));
  write("test/mutants.config.ts", copyConfig);
  write("test/mutant-setup.ts", copySetup);
  write("mutants-on", "{}");
  // Some tests ask Git which files belong to the project.
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-qm", "copy"],
  ]) {
    execFileSync("git", args, { cwd: folder });
  }
  return {
    folder,
    switchOn: (on) => write("mutants-on", JSON.stringify(on)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function pathTo(file: string): string {
  const up = "../".repeat(file.split("/").length - 1);
  return `${up === "" ? "./" : up}${switchModule}`;
}
