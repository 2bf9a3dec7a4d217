import { TenonError } from "../base/errors.ts";

/** The path. Every value is percent-encoded, so that a value cannot lead to another address. */
export function filledPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{([\w-]+)\}/g, (_, name: string) => segment(String(values[name] ?? "")));
}

/** Encodes a part of the path. `.` and `..` are refused: percent-encoding does not change them, and the URL parser removes them. */
function segment(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TenonError("not_found", `The platform has nothing called "${value}".`);
  return encodeURIComponent(value);
}
