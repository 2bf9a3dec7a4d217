import { parse } from "yaml";
import { arrowSvg, type Drawing, framed } from "./frame.ts";
import { escapeHtml } from "./html.ts";

interface Box {
  readonly name: string;
  readonly text: string;
}

/** What goes in, what is made of it, and the ways out. */
export interface Fan {
  readonly from: Box;
  readonly through: Box;
  readonly to: readonly Box[];
}

const box = { width: 212, height: 62, gapX: 84, gapY: 14 } as const;
const edge = 8;

/**
 * Draws a picture that is written in YAML as SVG: two boxes in a row, and an arrow from the second to each of those in a column. A narrow
 * screen shows all boxes in one column instead, because its texts would be too small otherwise.
 */
export function fanSvg(yaml: string): string {
  const { from, through, to } = parse(yaml) as Fan;
  const label = `${[from, through].map(({ name, text }) => `${name} (${text})`).join(" to ")} to ${to.map(({ name, text }) => `${name} (${text})`).join(", ")}.`;
  return [wide, narrow].map((draw) => framed({ ...draw({ from, through, to }), label })).join("");
}

type Shapes = Omit<Drawing, "label">;

function wide({ from, through, to }: Fan): Shapes {
  const id = "fan-wide";
  const left = (column: number) => edge + column * (box.width + box.gapX);
  const height = to.length * (box.height + box.gapY) - box.gapY;
  const middle = edge + height / 2;
  const shapes = [
    boxSvg(from, left(0), middle - box.height / 2),
    arrowSvg(id, `M${left(0) + box.width} ${middle}H${left(1)}`),
    boxSvg(through, left(1), middle - box.height / 2),
    ...to.flatMap((one, row) => {
      const y = top(row) + box.height / 2;
      const bend = left(1) + box.width + box.gapX / 2;
      const path = `M${left(1) + box.width} ${middle}C${bend} ${middle} ${bend} ${y} ${left(2)} ${y}`;
      return [arrowSvg(id, path), boxSvg(one, left(2), top(row))];
    }),
  ];
  return { id, width: left(2) + box.width + edge, height: height + 2 * edge, shapes };
}

function narrow({ from, through, to }: Fan): Shapes {
  const id = "fan-narrow";
  const spine = edge + 8;
  const left = spine + 28;
  const middle = (row: number) => top(row) + box.height / 2;
  const shapes = [from, through, ...to].flatMap((one, row) => {
    const arrow =
      row === 1
        ? `M${left + box.width / 2} ${top(1) - box.gapY}V${top(1)}`
        : `M${left} ${middle(1)}H${spine}V${middle(row)}H${left}`;
    return [...(row === 0 ? [] : [arrowSvg(id, arrow)]), boxSvg(one, left, top(row))];
  });
  return { id, width: left + box.width + edge, height: top(to.length + 2) - box.gapY + edge, shapes };
}

const top = (row: number) => edge + row * (box.height + box.gapY);

function boxSvg({ name, text }: Box, x: number, y: number): string {
  const center = x + box.width / 2;
  return (
    `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="8"/>` +
    `<text class="state" x="${center}" y="${y + 22}">${escapeHtml(name)}</text>` +
    `<text class="note" x="${center}" y="${y + 45}">${escapeHtml(text)}</text>`
  );
}
