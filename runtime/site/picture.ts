import { parse } from "yaml";
import { arrowSvg, framed } from "./frame.ts";
import { escapeHtml } from "./html.ts";
import { rooms } from "./rooms.ts";

/** Boxes on a grid of columns and rows, and straight arrows between boxes that stand side by side or one above the other. */
export interface Picture {
  /** Headings of the columns. */
  readonly columns: readonly string[];
  /** Boxes by name. `at` is the column and the row, from 0. */
  readonly boxes: Readonly<Record<string, { readonly at: readonly [column: number, row: number]; readonly text: string }>>;
  readonly arrows: readonly { readonly from: string; readonly to: string; readonly text?: string }[];
}

const id = "flow";
const box = { width: 200, height: 62 } as const;
const gap = { x: 36, y: 40 } as const;
const edge = 8;
const head = 34;

/**
 * Draws a picture that is written in YAML as SVG.
 *
 * @throws Error for an arrow that leads nowhere, and for what the table of rooms has not
 */
export function pictureSvg(yaml: string): string {
  const picture = parse(yaml) as Picture;
  checkRooms(picture);
  const { columns, boxes, arrows } = picture;
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
  const lines = arrows.map(({ from, to, text = "" }) => flowSvg(find(from), find(to), text));
  const said = arrows.map(({ from, to, text }) => `${from} to ${to}${text === undefined ? "" : ` (${text})`}`).join("; ");
  const label = `${columns.join(", ")}. ${placed.map(({ name, text }) => `${name}: ${text}`).join("; ")}. Arrows: ${said}.`;
  return framed({ id, label, width, height, shapes: [...heads, ...shapes, ...lines] });
}

/** @throws Error for a room that there is not, and for an arrow between rooms of which none knows the other */
function checkRooms({ boxes, arrows }: Picture): void {
  const isRoom = (name: string) => /^(runtime|generator)\b/.test(name);
  const unknown = Object.keys(boxes).filter((name) => isRoom(name) && !Object.hasOwn(rooms, name));
  if (unknown.length > 0) throw new Error(`the picture has rooms that there are not: ${unknown.join(", ")}`);
  const knows = (from: string, to: string) => rooms[from]?.imports.includes(to) === true;
  const strange = arrows.filter(({ from, to }) => isRoom(from) && isRoom(to) && !knows(from, to) && !knows(to, from));
  if (strange.length > 0)
    throw new Error(
      `the picture has arrows between rooms that do not know each other: ${strange.map(({ from, to }) => `${from} to ${to}`).join(", ")}`,
    );
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
function flowSvg(from: Point, to: Point, text: string): string {
  const across = from.y === to.y;
  const right = to.x > from.x;
  const down = to.y > from.y;
  const start = across
    ? { x: from.x + (right ? box.width : 0), y: from.y + box.height / 2 }
    : { x: from.x + box.width / 2, y: from.y + (down ? box.height : 0) };
  const end = across ? { x: to.x + (right ? 0 : box.width), y: start.y } : { x: start.x, y: to.y + (down ? 0 : box.height) };
  const path = arrowSvg(id, `M${start.x} ${start.y}L${end.x} ${end.y}`);
  if (text === "") return path;
  return `${path}<text class="beside" x="${start.x + 10}" y="${(start.y + end.y) / 2}">${escapeHtml(text)}</text>`;
}
