/** Code that a literal contains without quotes, such as the name of a constant. */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const width = 120;
const identifier = /^[A-Za-z_$][\w$]*$/;

/** A value as TypeScript source: on one line where it fits, otherwise with a line per member. */
export function literal(value: unknown, indent = 0): string {
  const flat = inline(value);
  if (flat.length + indent <= width || !isContainer(value)) return flat;
  const inner = " ".repeat(indent + 2);
  const close = " ".repeat(indent);
  if (Array.isArray(value)) return `[\n${value.map((one) => `${inner}${literal(one, indent + 2)},\n`).join("")}${close}]`;
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{\n${members.map(([key, one]) => `${inner}${member(key, literal(one, indent + 2))},\n`).join("")}${close}}`;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Code);
}

function inline(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (!isContainer(value)) return JSON.stringify(value) ?? "undefined";
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return members.length === 0 ? "{}" : `{ ${members.map(([key, one]) => member(key, inline(one))).join(", ")} }`;
}

function member(key: string, value: string): string {
  return key === value ? key : `${identifier.test(key) ? key : JSON.stringify(key)}: ${value}`;
}
