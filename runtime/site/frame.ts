import { escapeHtml } from "./html.ts";

/** A picture before it is framed. */
export interface Drawing {
  /** Tells the pictures of a page apart. */
  readonly id: string;
  /** What the picture shows, for those who do not see it. */
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly string[];
}

/** A picture as a part of a page. It is drawn when the site is built, so that a page needs no script to show it. */
export function framed({ id, label, width, height, shapes }: Drawing): string {
  const tip = `<marker id="${tipOf(id)}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker>`;
  return `<figure class="${[...new Set(["states", id])].join(" ")}" tabindex="0"><svg role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><defs>${tip}</defs>${shapes.join("")}</svg></figure>\n`;
}

/** An arrow along a path of SVG, in the picture with this id. */
export function arrowSvg(id: string, path: string): string {
  return `<path class="arrow" d="${path}" marker-end="url(#${tipOf(id)})"/>`;
}

function tipOf(id: string): string {
  return `tip-${id}`;
}
