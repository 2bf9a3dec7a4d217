// What a reader of a text skips is not embedded: it would draw a passage towards the words of an address or of a stack trace. Noise is
// replaced by as many spaces, so that offsets into the text stay what they are.

const htmlNames =
  "a|b|br|center|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|ins|kbd|li|ol|p|picture|pre|s|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|ul|video";

/** Each pattern names its first character once and excludes it further on, so that the time grows with the length of the text only. */
const inlineNoise: readonly RegExp[] = [
  /!\[[^[\]\n]{0,500}\]\([^()\n]{0,2000}\)/g,
  // Of a link, the text stays and the address goes.
  /\]\([^()\n]{1,2000}\)/g,
  new RegExp(`</?(?:${htmlNames})(?:\\s[^<>]{0,2000})?/?>`, "gi"),
  // Addresses with a path. A short one, such as that of a site, stays.
  /\b[a-z][a-z+.-]{1,10}:\/\/[^\s<>()"'`]{24,}/gi,
  // Hashes, keys, encoded data.
  /[A-Za-z0-9+/=_-]{48,}/g,
];

const quotedReply = /^ {0,3}>|^On .{1,200} wrote:\s*$/;
const stackFrames: readonly RegExp[] = [
  /^\s*at\s+(?:async\s+)?\S.{0,300}[:(].{0,300}\)?\s*$/,
  /^\s*File ".{1,300}", line \d+/,
  /^\s*\.\.\. \d+ (?:more|common frames omitted)\s*$/,
  /^\s*from \S{1,300}:\d+:in /,
  /^\s+\S{1,300}\.go:\d+(?: \+0x[0-9a-f]+)?\s*$/,
  /^\s*#?\d{1,3}:?\s+0x[0-9a-f]{4,}\b/,
  /^\s*goroutine \d+ \[/,
];
/** A longer line is not looked at as a whole. */
const longestFrame = 700;

/** The text with noise replaced by spaces. When nothing but noise would be left, the text itself. */
export function withoutNoise(text: string): string {
  let left = withoutComments(text);
  for (const pattern of inlineNoise) left = left.replace(pattern, blank);
  left = left.replace(/^.*$/gm, (line) => (isNoise(line) ? blank(line) : line));
  return /[\p{L}\p{N}]/u.test(left) ? left : text;
}

function isNoise(line: string): boolean {
  if (quotedReply.test(line)) return true;
  return line.length <= longestFrame && stackFrames.some((frame) => frame.test(line));
}

/** Line ends stay, because they separate paragraphs. */
function blank(noise: string): string {
  return noise.replace(/[^\n]/g, " ");
}

/** A comment of HTML that has no end reaches to the end of the text. */
function withoutComments(text: string): string {
  let left = "";
  for (let at = 0; ; ) {
    const begin = text.indexOf("<!--", at);
    if (begin < 0) return left + text.slice(at);
    const close = text.indexOf("-->", begin + 4);
    const end = close < 0 ? text.length : close + 3;
    left += text.slice(at, begin) + blank(text.slice(begin, end));
    at = end;
  }
}
