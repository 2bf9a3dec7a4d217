import { Results } from "../cache/results.ts";
import { Diagnostics } from "../diagnostic/diagnostic.ts";
import { extractSchema } from "../extract/graphql-extract.ts";
import { usedByModel } from "../extract/used.ts";
import { connectorModel } from "../model/connector.ts";
import { buildGraphqlSchema } from "../model/read-platform.ts";

/** The part of a schema that a spec uses. @throws Error when the spec has no model */
export function extractGraphql(path: string, files: ReadonlyMap<string, string>, sdl: string, source: string): string {
  const folder = {
    path,
    files: [...files].map(([file, text]) => ({ path: `${path}/${file}`, text })),
    read: () => sdl,
    module: () => undefined,
  };
  const model = connectorModel(folder, new Diagnostics(), new Results());
  if (model === undefined) throw new Error(`${path} has no model`);
  return extractSchema(buildGraphqlSchema(sdl), sdl, usedByModel(model), source);
}
