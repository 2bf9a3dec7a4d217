/**
 * Removes characters that a person does not see but a model reads: control characters except for line breaks and tabs, directions of
 * writing, zero-width characters, tags, and variation selectors that no emoji has. Zero-width joiners stay within emoji.
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(invisible, "");
}

const invisible = new RegExp(
  [
    "(?![\\t\\n\\r])\\p{Cc}",
    "(?<!\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\u{FE0F})\\u{200D}",
    "(?!\\u{200D})\\p{Cf}",
    "[\\u{E0100}-\\u{E01EF}]",
    "[\\u{FE00}-\\u{FE0D}]",
    "[\\u{2028}\\u{2029}\\u{115F}\\u{1160}\\u{3164}\\u{FFA0}]",
  ].join("|"),
  "gu",
);

/** The same value with every text in it clean, names of members too. */
export function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [cleanText(name), clean(inner)]));
}
