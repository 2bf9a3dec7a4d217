// Every text that leaves for logs and messages passes here, so that no token leaves with it.

const marker = "[redacted]";

/** A shorter secret would be found by chance in other text. */
const shortest = 8;

export type Redact = (text: string) => string;

/**
 * A function that removes tokens from text: what matches the patterns of the connectors' tokens, bearer credentials, and the
 * given secrets, as they are and as they look when encoded.
 *
 * @param patterns sources of regular expressions
 * @param secrets those shorter than 8 characters are left out
 */
export function redactor(patterns: readonly string[], secrets: readonly string[] = []): Redact {
  const literal = secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf);
  const all = new RegExp(
    // The longest form comes first: a form may begin with another one.
    [
      ...[...new Set(literal)].sort((a, b) => b.length - a.length),
      ...patterns.map((pattern) => `(?:${pattern})`),
      "(?<=[Bb]earer )[A-Za-z0-9._~+/=-]{8,}",
    ].join("|"),
    "g",
  );
  return (text) => text.replace(all, marker);
}

/** A secret as a pattern: word for word, escaped in JSON once or twice, percent-encoded, and within base64 or base64url. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(json).slice(1, -1);
  const percent = escaped(encodeURIComponent(secret)).replace(/%[0-9A-F]{2}/g, anyCase);
  // A form of a query, too, which also encodes what encodeURIComponent leaves as it is.
  const query = escaped(new URLSearchParams({ "": secret }).toString().slice(1)).replace(/%[0-9A-F]{2}/g, anyCase);
  return [
    escaped(secret),
    escaped(json),
    escaped(twice),
    percent,
    query,
    ...[0, 1, 2].flatMap((before) => inBase64(secret, before)),
  ];
}

/**
 * The characters of base64 that a secret alone decides when it stands in a longer text, which is encoded in groups of three bytes.
 *
 * @param before how many bytes of the secret's first group come before it
 */
function inBase64(secret: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  // A character holds six bits; those that hold a bit of a neighbour are left out.
  const start = Math.ceil((before * 8) / 6);
  const end = Math.floor((bytes.length * 8) / 6);
  return (["base64", "base64url"] as const).map((encoding) => escaped(bytes.toString(encoding).slice(start, end)));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** Hexadecimal digits are written in both cases. */
function anyCase(percent: string): string {
  return percent.replace(/[A-F]/g, (letter) => `[${letter}${letter.toLowerCase()}]`);
}
