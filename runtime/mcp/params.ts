import type { StandardSchemaV1 } from "@modelcontextprotocol/server";
import { isObject } from "../base/is-object.ts";

export type Params = Readonly<Record<string, unknown>>;

/**
 * The params of a method of which some have to be texts, in the form in which the library of the protocol takes a check. For its own checks
 * it returns an internal error, as if the service were to blame.
 *
 * @param paths names of params, and of their members: `argument.name`
 */
export function withTexts<const Path extends string>(
  ...paths: readonly Path[]
): StandardSchemaV1<Params & Readonly<Record<Path, string>>> {
  const validate = (given: unknown) => {
    const texts: [Path, string][] = [];
    const issues = [];
    for (const path of paths) {
      const value = path.split(".").reduce<unknown>((holder, name) => (isObject(holder) ? holder[name] : undefined), given);
      if (typeof value === "string") texts.push([path, value]);
      else issues.push({ message: `${path} ${value === undefined ? "is required" : "must be a string"}` });
    }
    if (issues.length > 0 || !isObject(given)) return { issues };
    return { value: { ...given, ...(Object.fromEntries(texts) as Record<Path, string>) } };
  };
  return { "~standard": { version: 1, vendor: "tenon", validate } };
}
