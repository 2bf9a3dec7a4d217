import type { Done } from "../../admin/index.ts";

/** Something that was done, in one sentence. @param back where the viewer goes next */
export function done(text: string, back: string, more: Partial<Done> = {}): Done {
  return { text, secrets: [], links: [{ href: back, text: "Back" }], ...more };
}

/** The page of an instance. */
export function instancePagePath(id: string): string {
  return `/admin/instances/${encodeURIComponent(id)}`;
}

/** Values of a field that has one on each line. */
export function linesOf(text = ""): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
