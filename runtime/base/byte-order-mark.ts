/** The bytes of a text in UTF-8 without the byte order mark at its beginning. No JSON text has one (RFC 8259, 8.1), but some send it. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** The same for a text that was decoded already. Editors put the mark at the beginning of files. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
