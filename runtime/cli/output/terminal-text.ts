// How much room texts take on a terminal, where a character fills no, one or two columns.

let segmenter: Intl.Segmenter | undefined;
/** It is made when it is needed: that takes 10 ms, and most commands print nothing but ASCII. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Characters that fill two columns: East Asian Wide and Fullwidth (Unicode Standard Annex 11), and emoji. */
const wide = new RegExp(
  [
    "\\p{Emoji_Presentation}",
    "[\\u{1100}-\\u{115F}\\u{2329}\\u{232A}\\u{2E80}-\\u{303E}\\u{3041}-\\u{4DBF}\\u{4E00}-\\u{A4CF}]",
    "[\\u{A960}-\\u{A97C}\\u{AC00}-\\u{D7A3}\\u{F900}-\\u{FAFF}\\u{FE10}-\\u{FE19}\\u{FE30}-\\u{FE6F}\\u{FF01}-\\u{FF60}\\u{FFE0}-\\u{FFE6}]",
    "[\\u{16FE0}-\\u{18DFF}\\u{1B000}-\\u{1B2FF}\\u{20000}-\\u{3FFFD}]",
    // This selector asks for the form of an emoji.
    ".\\u{FE0F}",
  ]
    .map((one) => `^${one}`)
    .join("|"),
  "v",
);
const noRoom = /^[\p{M}\p{Cc}\p{Cf}]/u;
const ascii = /^[\x20-\x7e]*$/;

/** Columns that a text fills. */
export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** Cuts a text to a number of columns. A text that was cut ends with an ellipsis. */
export function cut(text: string, most: number): string {
  if (textWidth(text) <= most) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemesOf(text)) {
    width += graphemeWidth(segment);
    if (width > most - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines whose cells stand below each other. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, textWidth(cell));
  const padded = (cell: string, at: number) => cell + " ".repeat((widths[at] ?? 0) - textWidth(cell));
  return rows.map((row) => row.map(padded).join("  ").trimEnd());
}

function graphemeWidth(grapheme: string): number {
  if (noRoom.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}
