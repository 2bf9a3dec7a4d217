import { existsSync, globSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { findPrograms, stopCluster } from "./postgres/cluster.ts";
import { memoryFolder } from "./temporary.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the test file that needs a PostgreSQL server first makes the one that all test files of this run share. */
    readonly postgresFolder: string;
    /** The same for the packed package, and for the documentation. */
    readonly packageFolder: string;
    readonly siteFolder: string;
    /** The same for the command with its modules joined. It is in the repository, because packages are found from there. */
    readonly commandFolder: string;
  }
}

const places = {
  postgres: tmpdir(),
  package: tmpdir(),
  site: tmpdir(),
  command: fileURLToPath(new URL("../../dist", import.meta.url)),
};
const made = { recursive: true, force: true };
const kinds = ["postgres", "package", "site", "command"] as const;

/** Names the folders, and removes what is in them after the tests. Nothing is made here: most runs of single files need none of it. */
export default function setup(project: TestProject): () => Promise<void> {
  const folders = kinds.map((kind) => {
    const folder = join(places[kind], `tenon-${kind}-${process.pid}`);
    project.provide(`${kind}Folder`, folder);
    return folder;
  });
  // The server of PostgreSQL, which may have another user, has to come through.
  if (memoryFolder !== undefined) mkdirSync(memoryFolder, { recursive: true, mode: 0o755 });
  // A change of the sources while tests are watched is a change of what is made of them.
  project.onTestsRerun(() => {
    for (const kind of ["package", "site", "command"] as const) rmSync(project.getProvidedContext()[`${kind}Folder`], made);
  });
  return async () => {
    for (const one of [...folders, ...abandoned()]) await remove(one);
    if (memoryFolder !== undefined) rmSync(memoryFolder, made);
  };
}

/** The folders of runs that were killed. */
function abandoned(): string[] {
  const all = [
    ...kinds.flatMap((kind) => globSync(join(places[kind], `tenon-${kind}-*`))),
    ...(memoryFolder === undefined ? [] : globSync(join(dirname(memoryFolder), "tenon-tests-*"))),
  ];
  return all.filter((folder) => !isAlive(Number(/-(\d+)$/.exec(folder)?.[1])));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function remove(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const programs = findPrograms();
  if (programs !== undefined) await stopCluster(programs, folder);
  rmSync(folder, { recursive: true, force: true });
}
