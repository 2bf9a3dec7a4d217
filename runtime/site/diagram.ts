import { arrowSvg, framed } from "./frame.ts";
import { escapeHtml } from "./html.ts";

/** A transition between two states, and what stands at its arrow. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

const id = "states";
const box = { width: 132, height: 44, gap: 150 } as const;
/** Height of an arc for each state that it passes over. */
const rise = 46;

/** A state diagram as SVG: the states in a row in the order of their first mention, arrows forward above and backward below. */
export function stateDiagram(arrows: readonly Arrow[]): string {
  const states = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))];
  const place = (state: string) => 20 + states.indexOf(state) * (box.width + box.gap);
  const reach = Math.max(1, ...arrows.map(({ from, to }) => Math.abs(states.indexOf(to) - states.indexOf(from))));
  const middle = 30 + reach * rise;
  const width = 40 + states.length * box.width + (states.length - 1) * box.gap;
  const height = middle * 2 + box.height;
  const boxes = states.map(
    (state) =>
      `<rect x="${place(state)}" y="${middle}" width="${box.width}" height="${box.height}" rx="22"/>` +
      `<text class="state" x="${place(state) + box.width / 2}" y="${middle + box.height / 2}">${escapeHtml(state)}</text>`,
  );
  const lines = arrows.map((arrow) => transitionSvg(arrow, states, place, middle));
  const label = `States: ${arrows.map(({ from, to, label: how }) => `${from} to ${to} by ${how}`).join("; ")}`;
  return framed({ id, label, width, height, shapes: [...lines, ...boxes] });
}

function transitionSvg(
  { from, to, label }: Arrow,
  states: readonly string[],
  place: (state: string) => number,
  middle: number,
): string {
  const distance = states.indexOf(to) - states.indexOf(from);
  const forward = distance > 0;
  const edge = forward ? middle : middle + box.height;
  const height = (forward ? -1 : 1) * Math.max(1, Math.abs(distance)) * rise;
  const start = place(from) + (forward ? box.width * 0.7 : box.width * 0.3);
  const end = place(to) + (forward ? box.width * 0.3 : box.width * 0.7);
  const top = edge + height;
  const textY = edge + height * 0.75 + (forward ? -8 : 16);
  return (
    arrowSvg(id, `M${start} ${edge}C${start} ${top} ${end} ${top} ${end} ${edge}`) +
    `<text class="label" x="${(start + end) / 2}" y="${textY}">${escapeHtml(label)}</text>`
  );
}
