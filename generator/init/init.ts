import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suggestion } from "../../runtime/base/suggestion.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { extractOpenApi } from "../extract/open-api-extract.ts";
import { readDescribed } from "../extract/source.ts";
import { isJsonObject, isReadable, OpenApi, openApiVersion } from "../model/open-api.ts";
import { buildGraphqlSchema, parseDescription } from "../model/read-platform.ts";
import type { Draft } from "./draft.ts";
import { extractGraphql } from "./extract-graphql.ts";
import { draftGraphql } from "./graphql-draft.ts";
import { wantedName } from "./graphql-places.ts";
import { brokenReferences, whyNoLists } from "./no-lists.ts";
import { draftOpenApi } from "./open-api-draft.ts";
import { type Ask, addressChecks, askQuestions } from "./questions.ts";
import { repaired } from "./repair.ts";
import { parsed } from "./wrong-text.ts";

export interface InitOptions {
  readonly name: string;
  /** A schema or description: a file, an address, or a package of npm with version and path. */
  readonly graphql?: string | undefined;
  readonly openApi?: string | undefined;
  /** Entities to take, each alone or with its list (`tags=repository.refs`, `posts=POST /posts/query`); all when empty. */
  readonly only: readonly string[];
  /** Folder of the specs. */
  readonly spec: string;
  /** Asks the author what the description cannot tell. Without it, the draft has usual values. */
  readonly ask?: Ask | undefined;
}

export interface Initialized {
  readonly folder: string;
  readonly entities: number;
  readonly fields: number;
  readonly actions: number;
  /** Texts that the author has to write. */
  readonly todos: number;
  /** What could not be drafted, in words. */
  readonly left: readonly string[];
  /** What the author has to decide or check, in words. */
  readonly open: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Drafts a connector and writes it with the part of the description that it uses.
 *
 * @throws Error when the description cannot be read, has none of the entities, or the folder has files already
 */
export async function initSpec({ name, graphql, openApi, only, spec, ask }: InitOptions): Promise<Initialized> {
  const folder = join(spec, name);
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`the folder "${folder}" has files already`);
  const from = graphql ?? openApi ?? "";
  const { text, source } = await readDescribed(from);
  const api = graphql === undefined ? openApiOf(text, from) : undefined;
  const drafted = (wanted: readonly string[]) =>
    api === undefined
      ? draftGraphql(name, parsed(text, from, buildGraphqlSchema), wanted)
      : draftOpenApi(name, api, wanted, source);
  const draft = drafted(only);
  const [missing] = only.filter((entity) => !draft.entities.has(wantedName(entity)));
  if (missing !== undefined) {
    const hint = suggestion(wantedName(missing), drafted([]).entities.keys());
    throw new Error(`${from}: the description has no list for ${missing}${hint === undefined ? "" : `; ${hint}`}`);
  }
  if (draft.entities.size === 0)
    throw new Error(
      `${from}: the description has no lists of records${api === undefined ? "" : `: ${draft.omitted[0] ?? whyNoLists(api)}`}`,
    );
  if (ask !== undefined) await askQuestions(draft, ask);
  const { files, left, diagnostics } = repaired(name, draft, () => text);
  mkdirSync(folder, { recursive: true });
  for (const [file, yaml] of files) writeFileSync(join(folder, file), yaml);
  const actions = [...draft.entities.values()].flatMap((entity) => Object.values((entity["actions"] ?? {}) as Draft) as Draft[]);
  if (diagnostics.length === 0) {
    if (graphql === undefined) {
      const calls = actions.flatMap((action) => (typeof action["rest"] === "string" ? [action["rest"]] : []));
      const extract = extractOpenApi(parseDescription(text), calls, source);
      writeFileSync(join(folder, "description.json"), `${JSON.stringify(extract, null, 1)}\n`);
    } else writeFileSync(join(folder, "schema.graphql"), extractGraphql(`spec/${name}`, files, text, source));
  } else writeFileSync(join(folder, graphql === undefined ? "description.json" : "schema.graphql"), text);
  const fields = [...draft.entities.values()].reduce(
    (sum, entity) => sum + Object.keys((entity["fields"] ?? {}) as Draft).length,
    0,
  );
  const todos = [...files.values()].reduce((sum, yaml) => sum + (yaml.match(/\bTODO\b/g)?.length ?? 0), 0);
  const omitted = [...(api === undefined ? [] : brokenReferences(api)), ...draft.omitted, ...left];
  const open = [...addressChecks(draft), ...draft.open];
  return { folder, entities: draft.entities.size, fields, actions: actions.length, todos, left: omitted, open, diagnostics };
}

/** @throws Error for a description of another version */
function openApiOf(text: string, from: string): OpenApi {
  const root = parsed(text, from, parseDescription);
  const version = openApiVersion(root);
  if (isReadable(version)) return new OpenApi(root);
  const swagger = isJsonObject(root) ? root["swagger"] : undefined;
  const found = swagger === undefined ? "has no version in its key `openapi`" : `is Swagger ${swagger}`;
  const what = version === undefined ? found : `is OpenAPI ${version}`;
  throw new Error(`${from} ${what}; allowed: OpenAPI 3.0 and 3.1. Converters write OpenAPI 3.0 from Swagger 2.0.`);
}
