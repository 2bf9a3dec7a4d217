import { parse } from "yaml";
import { withoutMark } from "./byte-order-mark.ts";

/**
 * Reads a description of a REST API. JSON is YAML too, but its own parser is many times faster. YAML 1.2, which OpenAPI is written in, has
 * no merge keys (`<<`), but published descriptions do.
 *
 * @throws Error when it is neither JSON nor YAML
 */
export function descriptionIn(text: string): unknown {
  const marked = withoutMark(text);
  return /^\s*[{[]/.test(marked) ? JSON.parse(marked) : parse(marked, { maxAliasCount: 10_000, merge: true });
}
