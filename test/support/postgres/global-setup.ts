import { existsSync, globSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { findPrograms, stopCluster } from "./cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the test file that needs a PostgreSQL server first makes the one that all test files of this run share. */
    readonly postgresFolder: string;
  }
}

/** Names the folder, and removes the server after the tests. Nothing is started here: most runs of single files need no server. */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = join(tmpdir(), `tenon-postgres-${process.pid}`);
  project.provide("postgresFolder", folder);
  return async () => {
    for (const one of [folder, ...abandoned()]) await remove(one);
  };
}

/** The folders of runs that were killed. */
function abandoned(): string[] {
  return globSync(join(tmpdir(), "tenon-postgres-*")).filter((folder) => !isAlive(Number(/(\d+)$/.exec(folder)?.[1])));
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
