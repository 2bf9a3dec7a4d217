import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";

/** Milliseconds to wait for further changes, because editors write a file in several steps. */
const pause = 20;

/**
 * Calls `changed` after each save of a YAML or JSON file in a folder or in the folders directly below it. Folders are watched
 * instead of files, because many editors save by putting a new file in the place of the old one.
 */
export function watchFolder(folder: string, changed: () => void): void {
  const watched = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  const watchOne = (path: string) => {
    if (watched.has(path)) return;
    const watcher = watch(path, (_event, file) => {
      if (path === folder) watchBelow();
      if (path !== folder && file !== null && !/\.(ya?ml|json)$/.test(file)) return;
      clearTimeout(timer);
      timer = setTimeout(changed, pause);
    });
    watcher.on("error", () => {
      watcher.close();
      watched.delete(path);
    });
    watched.set(path, watcher);
  };
  const watchBelow = () => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) watchOne(join(folder, entry.name));
  };
  watchOne(folder);
  watchBelow();
}
