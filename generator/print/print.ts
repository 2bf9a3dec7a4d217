import type { Content } from "./content.ts";

/** The text of a file. ts-morph and ajv are loaded only for what they print. */
export async function print(content: Content): Promise<string> {
  return content.of === "module"
    ? (await import("./print-module.ts")).printModule(content)
    : (await import("./print-validators.ts")).printValidators(content);
}
