// Decision 17 in runtime/site/text/decisions-service.md says why: invisible characters do not reach models.

// The one rule for characters that a person does not see but a model, a terminal or a program reads. It applies wherever text of a caller
// or a platform reaches a model, a terminal, the log or the operator's page.

const emoji = "\\p{Extended_Pictographic}";

/** Characters that may be invisible. Signs of the Arabic, Syriac and Kaithi scripts are visible although they are format characters. */
const suspicious = [
  "[\\p{Cc}--[\\t\\n\\r]]",
  "[\\p{Cf}--[\\u{600}-\\u{605}\\u{6DD}\\u{70F}\\u{890}\\u{891}\\u{8E2}\\u{110BD}\\u{110CD}]]",
  "\\p{Default_Ignorable_Code_Point}",
  "\\p{Noncharacter_Code_Point}",
  "\\p{Co}",
  "\\u{2028}\\u{2029}",
].join("");

/** Places where such a character changes how an emoji looks: one selector after an emoji or within a keycap, and a joiner between two. */
const visible = [
  "(?<=[\\p{Emoji}--[0-9#*]])\\u{FE0F}",
  "(?<=[0-9#*])\\u{FE0F}\\u{20E3}",
  `(?<=${emoji}\\u{FE0F}?\\p{Emoji_Modifier}?)\\u{200D}${emoji}`,
];

const notAscii = /[^\t\n\r\x20-\x7e]/;
const maybeInvisible = new RegExp(`[${suspicious}]`, "v");
// Each look at the neighbours is bounded, so the time is linear in the length of the text.
const invisible = new RegExp(`(?=[${suspicious}])${visible.map((place) => `(?!${place})`).join("")}[${suspicious}]`, "gv");

/**
 * Removes control characters other than tabs and line breaks, bidirectional controls and other format characters, characters that are
 * ignored by default (variation selectors and tags among them), noncharacters, and characters for private use. The selector U+FE0F stays
 * after an emoji, and a zero-width joiner between two. A half of a surrogate pair becomes U+FFFD.
 */
export function visibleText(text: string): string {
  if (!notAscii.test(text)) return text;
  const whole = text.toWellFormed();
  return maybeInvisible.test(whole) ? whole.replace(invisible, "") : whole;
}

/**
 * The text with a mark such as `\\u{202e}` in the place of each character that {@link visibleText} removes, for a person who has to see all
 * of it.
 */
export function markedText(text: string): string {
  if (!notAscii.test(text)) return text;
  return text.toWellFormed().replace(invisible, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}

/** A value as JSON in which a person sees every character. */
export function markedJson(value: unknown): string {
  return markedText(JSON.stringify(value));
}

/** The visible characters of a text on one line: each run of white space is a space. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/\s+/g, " "));
}

/** Whether a text is one line on which every character is visible. */
export function isVisibleLine(text: string): boolean {
  return !/[\t\n\r]/.test(text) && visibleText(text) === text;
}
