/** Length of a text in code points, as JSON Schema counts `minLength` and `maxLength` (RFC 8259 characters). */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    // A high surrogate and the low surrogate after it are one code point.
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) length--;
  }
  return length;
}

/** The nearest offset at or before this one that is not inside a surrogate pair. */
export function characterBoundary(text: string, at: number): number {
  const inside =
    at > 0 && at < text.length && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return inside ? at - 1 : at;
}
