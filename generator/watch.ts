import { type FSWatcher, readdirSync, watch } from "node:fs";
import { join } from "node:path";

/** Editors write a file in several steps; changes within this many milliseconds are one. */
const settle = 20;

/**
 * Calls `changed` after each save of a YAML or JSON file in a folder or the folders right below it. Folders are watched, not files:
 * many editors save by putting a new file in the place of the old one.
 */
export function watchFolder(folder: string, changed: () => void): void {
  const watched = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  const look = (path: string) => {
    if (watched.has(path)) return;
    const watcher = watch(path, (_event, file) => {
      if (path === folder) lookBelow();
      if (path !== folder && file !== null && !/\.(ya?ml|json)$/.test(file)) return;
      clearTimeout(timer);
      timer = setTimeout(changed, settle);
    });
    watcher.on("error", () => {
      watcher.close();
      watched.delete(path);
    });
    watched.set(path, watcher);
  };
  const lookBelow = () => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) look(join(folder, entry.name));
  };
  look(folder);
  lookBelow();
}
