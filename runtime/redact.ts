// The one sink through which text leaves for logs and messages: tokens never pass it.

const marker = "[redacted]";

export type Redact = (text: string) => string;

/**
 * A function that removes tokens from text: what matches the patterns of the connectors' tokens, bearer credentials, and the
 * given secrets word for word.
 */
export function redactor(patterns: readonly string[], secrets: readonly string[] = []): Redact {
  const literal = secrets.filter((secret) => secret.length >= 8).map((secret) => secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const all = new RegExp(
    [...literal, ...patterns.map((pattern) => `(?:${pattern})`), "(?<=[Bb]earer )[A-Za-z0-9._~+/=-]{8,}"].join("|"),
    "g",
  );
  return (text) => text.replace(all, marker);
}
