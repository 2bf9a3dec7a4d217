import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";

/** Milliseconds to wait for further changes, because editors write a file in several steps. */
const pause = 20;
/** Milliseconds after which a folder is looked for again that is not there, as while a branch is checked out. */
const absence = 250;
/** Folders below that of the specs: one for each connector, and what is in it, such as a simulator. */
const deepest = 2;

interface Watched {
  readonly id: string;
  readonly watcher: FSWatcher;
}

/**
 * Calls `changed` after each save of a spec or a description in a folder or in the folders below it. Folders are watched instead of files,
 * because many editors save by putting a new file in the place of the old one.
 */
export function watchFolder(folder: string, changed: () => void): void {
  const watched = new Map<string, Watched>();
  let timer: NodeJS.Timeout | undefined;
  const later = (wait: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => (watchAll() ? changed() : later(absence)), wait);
  };
  /** Watches the folders that are there now, and no longer those that are gone. @returns whether the folder itself is there */
  const watchAll = (): boolean => {
    const found = new Map(foldersBelow(folder, 0));
    for (const [path, { id, watcher }] of watched)
      if (found.get(path) !== id) {
        watcher.close();
        watched.delete(path);
      }
    for (const [path, id] of found) if (!watched.has(path)) watchOne(path, id);
    return watched.has(folder);
  };
  const watchOne = (path: string, id: string) => {
    try {
      const watcher = watch(path, (_event, file) => {
        // What has no ending may be a folder.
        if (file === null || /\.(ya?ml|json|graphqls?|gql)$/.test(file) || !file.includes(".")) later(pause);
      });
      watcher.on("error", () => later(absence));
      watched.set(path, { id, watcher });
    } catch {
      // It was removed after it had been listed.
    }
  };
  watchAll();
}

/** The paths of a folder and of those below it, each with what tells it from another folder that took its place. */
function foldersBelow(path: string, depth: number): (readonly [path: string, id: string])[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  const here = [path, `${found.ino} ${found.birthtimeMs}`] as const;
  if (depth === deepest) return [here];
  try {
    const below = readdirSync(path, { withFileTypes: true }).filter((one) => one.isDirectory() && !one.name.startsWith("."));
    return [here, ...below.flatMap(({ name }) => foldersBelow(join(path, name), depth + 1))];
  } catch {
    return [];
  }
}
