import { readFile } from "node:fs/promises";
import type { Connector } from "../contract/index.ts";

/** The reference page of an entity in Markdown, as the generator wrote it; undefined where there is none. */
export async function referencePage({ openapi, entities }: Connector, entity: string): Promise<string | undefined> {
  if (!Object.hasOwn(entities, entity)) return undefined;
  return readFile(new URL(`reference/${entity}.md`, openapi), "utf8").catch(() => undefined);
}
