/**
 * A number of so many digits, or with such an exponent, that JavaScript may have another one in its place. Inside a text it does no harm.
 */
const maybeInexact = /(?:^|[[:,\s])-?(?:\d[\d.]{15}|\d[\d.]*[eE]\+?\d{3})/;

/**
 * Parses JSON. An integer that no JavaScript number has exactly becomes the text of its digits, and so does a number that is too large for
 * any: rounded, an id would be that of another record.
 *
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  return maybeInexact.test(text)
    ? (JSON.parse(text, exactOrText as (key: string, value: unknown) => unknown) as unknown)
    : JSON.parse(text);
}

function exactOrText(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  if (typeof value !== "number" || source === undefined) return value;
  if (!Number.isFinite(value)) return source;
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(source) || BigInt(source) === BigInt(value) ? value : source;
}
