// PostgreSQL's text cannot hold U+0000. It and three more control characters are stored as three characters each. The order of texts and
// their parts stays the same: U+0001 stands only at the beginning of such a group, and no other character is smaller than U+0004.

const groups: readonly string[] = ["\x01\x02\x02", "\x01\x02\x03", "\x01\x03\x02", "\x01\x03\x03"];

const controls: readonly string[] = groups.map((_, code) => String.fromCharCode(code));

/** A text as it is stored, and as an operand is compared with what is stored. The text must have no lone surrogates. */
export function storedText(text: string): string {
  // Looking for each of them takes much less time than the expression does.
  if (!controls.some((char) => text.includes(char))) return text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what has to be found
  return text.replace(/[\0-\x03]/g, (char) => groups[char.charCodeAt(0)] ?? char);
}

/** The text that `storedText` was given. */
export function givenText(stored: string): string {
  if (!stored.includes("\x01")) return stored;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what has to be found
  return stored.replace(/\x01[\x02\x03]{2}/g, (group) => String.fromCharCode(groups.indexOf(group)));
}
