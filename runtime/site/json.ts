const width = 64;

/** JSON for readers: what fits on a line stands on one line. */
export function readableJson(value: unknown, indent = ""): string {
  const line = oneLine(value);
  if (indent.length + line.length <= width || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((one) => inner + readableJson(one, inner)).join(",\n")}\n${indent}]`;
  const members = Object.entries(value).map(([key, one]) => `${inner}${JSON.stringify(key)}: ${readableJson(one, inner)}`);
  return `{\n${members.join(",\n")}\n${indent}}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${oneLine(one)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
