import { expect } from "vitest";
import { parse } from "yaml";
import { draftOpenApi } from "../../generator/init/open-api-draft.ts";
import { repaired } from "../../generator/init/repair.ts";
import { OpenApi } from "../../generator/model/open-api.ts";

export interface Drafted {
  readonly connector: Record<string, unknown>;
  readonly entities: Record<string, Record<string, Record<string, unknown>>>;
  readonly left: readonly string[];
}

/** A draft of an OpenAPI description as the generator accepts it: with nothing that is wrong in it. */
export function drafted(description: string, only: readonly string[] = []): Drafted {
  const draft = draftOpenApi("draft", new OpenApi(parse(description)), only);
  const { files, left, diagnostics } = repaired("draft", draft, () => description);
  expect(diagnostics).toEqual([]);
  const read = (file: string) => parse(files.get(`${file}.yaml`) ?? "") as Record<string, Record<string, unknown>>;
  return {
    connector: read("connector"),
    entities: Object.fromEntries([...draft.entities.keys()].map((name) => [name, read(name)])),
    left: [...draft.omitted, ...left],
  };
}

/** Entries with what they take from the shared ones of their names. */
export function spelled(own: object | undefined, shared: unknown): object {
  return Object.fromEntries(
    Object.entries(own ?? {}).map(([name, entry]) => [name, entry ?? (shared as Record<string, unknown>)[name]]),
  );
}
