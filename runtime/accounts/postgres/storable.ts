/** A text as PostgreSQL can hold it: the character U+0000 and halves of surrogate pairs are replaced by U+FFFD. */
export function storable<Text extends string | null>(text: Text): Text | string {
  return text === null ? text : text.replaceAll("\0", "\uFFFD").toWellFormed();
}
