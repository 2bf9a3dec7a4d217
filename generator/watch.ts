import { watch } from "node:fs";

/** Editors write a file in several steps; changes within this many milliseconds are one. */
const settle = 20;

/** Calls `changed` after each save of a YAML or JSON file below a folder. */
export function watchFolder(folder: string, changed: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  watch(folder, { recursive: true }, (_event, file) => {
    if (file !== null && !/\.(ya?ml|json)$/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, settle);
  });
}
