import { parse } from "yaml";
import { escapeHtml } from "./html.ts";

/** Boxes on a grid of columns and rows, and straight arrows between boxes that stand side by side or one above the other. */
export interface Picture {
  /** Headings of the columns. */
  readonly columns: readonly string[];
  /** Boxes by name. `at` is the column and the row, from 0. */
  readonly boxes: Readonly<Record<string, { readonly at: readonly [column: number, row: number]; readonly text: string }>>;
  readonly arrows: readonly { readonly from: string; readonly to: string; readonly text?: string }[];
}

const box = { width: 200, height: 62 } as const;
const gap = { x: 36, y: 40 } as const;
const edge = 8;
const head = 34;

/** Draws a picture that is written in YAML as SVG, when the site is built. @throws Error for an arrow that leads nowhere */
export function pictureSvg(yaml: string): string {
  const { columns, boxes, arrows } = parse(yaml) as Picture;
  const placed = Object.entries(boxes).map(([name, { at, text }]) => ({ name, text, ...corner(at) }));
  const find = (name: string) => {
    const found = placed.find((one) => one.name === name);
    if (found === undefined) throw new Error(`the picture has no box "${name}"`);
    return found;
  };
  const width = Math.max(...placed.map(({ x }) => x + box.width)) + edge;
  const height = Math.max(...placed.map(({ y }) => y + box.height)) + edge;
  const heads = columns.map((title, column) => {
    const { x } = corner([column, 0]);
    return `<text class="head" x="${x + box.width / 2}" y="${edge + 8}">${escapeHtml(title)}</text>`;
  });
  const shapes = placed.map(
    ({ name, text, x, y }) =>
      `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="8"/>` +
      `<text class="state" x="${x + box.width / 2}" y="${y + 22}">${escapeHtml(name)}</text>` +
      `<text class="note" x="${x + box.width / 2}" y="${y + 46}">${escapeHtml(text)}</text>`,
  );
  const lines = arrows.map(({ from, to, text = "" }) => arrowSvg(find(from), find(to), text));
  const said = arrows.map(({ from, to, text }) => `${from} to ${to}${text === undefined ? "" : ` (${text})`}`).join("; ");
  const label = `${columns.join(", ")}. ${placed.map(({ name, text }) => `${name}: ${text}`).join("; ")}. Arrows: ${said}.`;
  return `<figure class="states" tabindex="0"><svg role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>${heads.join("")}${shapes.join("")}${lines.join("")}</svg></figure>\n`;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The upper left corner of a box. */
function corner([column, row]: readonly [number, number]): Point {
  return { x: edge + column * (box.width + gap.x), y: edge + head + row * (box.height + gap.y) };
}

/** From the side of one box that faces the other to the side of the other. Its text stands beside its middle. */
function arrowSvg(from: Point, to: Point, text: string): string {
  const across = from.y === to.y;
  const right = to.x > from.x;
  const down = to.y > from.y;
  const start = across
    ? { x: from.x + (right ? box.width : 0), y: from.y + box.height / 2 }
    : { x: from.x + box.width / 2, y: from.y + (down ? box.height : 0) };
  const end = across ? { x: to.x + (right ? 0 : box.width), y: start.y } : { x: start.x, y: to.y + (down ? 0 : box.height) };
  const path = `<path class="arrow" d="M${start.x} ${start.y}L${end.x} ${end.y}" marker-end="url(#tip)"/>`;
  if (text === "") return path;
  return `${path}<text class="beside" x="${start.x + 10}" y="${(start.y + end.y) / 2}">${escapeHtml(text)}</text>`;
}
