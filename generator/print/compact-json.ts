/**
 * JSON with one entry on each line, for files that programs read: a change of one entry stays one line of a diff, and the files stay short.
 *
 * @param depth how many levels of objects and arrays are opened; a deeper value stays on the line of its key
 */
export function compactJson(value: unknown, depth: number): string {
  return `${print(value, depth, "")}\n`;
}

function print(value: unknown, depth: number, indent: string): string {
  if (depth === 0 || typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((one) => inner + print(one, depth - 1, inner))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${inner}${JSON.stringify(key)}: ${print(one, depth - 1, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}
