import {
  assertValidSchema,
  buildSchema,
  type GraphQLSchema,
  parse as parseSdl,
  print,
  stripIgnoredCharacters,
  visit,
} from "graphql";
import { descriptionIn } from "../../runtime/base/description-text.ts";
import { firstLine } from "../../runtime/base/first-line.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { keyOf, type Results } from "../cache/results.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import type { Source } from "../load/source.ts";
import type { PlatformSpec } from "../load/spec.ts";
import { isReadable, type Json, type JsonSchema, OpenApi, openApiVersion, overridden, pointerKeys } from "./open-api.ts";
import { overrideFaults } from "./overrides.ts";
import { describePlatform, type PlatformDescription } from "./platform-description.ts";

interface KnownPlatform {
  readonly sdl: string;
  readonly description: string;
  readonly options: string;
  readonly platform: PlatformDescription;
}

/** The platforms that were read last, so that a watcher reads each schema once. */
const platforms: KnownPlatform[] = [];
const mostPlatforms = 16;

/**
 * Reads the schemas that a spec names.
 *
 * @param read gives the text of a file that the spec refers to; undefined where there is none
 * @param results Schemas that were found valid before; this adds its own.
 * @returns undefined when a file cannot be used; `diagnostics` then say why
 */
export function readPlatform(
  spec: PlatformSpec,
  source: Source,
  read: (reference: string) => string | undefined,
  diagnostics: Diagnostics,
  results: Results,
): PlatformDescription | undefined {
  const textOf = (path: readonly string[], reference: string | undefined): string | undefined => {
    if (reference === undefined) return "";
    const text = read(reference);
    if (text === undefined) diagnostics.error(source.at(path), "SPEC017", `cannot read "${reference}"`);
    return text;
  };
  const sdl = textOf(["platform", "graphql", "schema"], spec.graphql?.schema);
  const description = textOf(["platform", "rest", "description"], spec.rest?.description);
  if (sdl === undefined || description === undefined) return undefined;
  const { scalars = {} } = spec.graphql ?? {};
  const { overrides = {} } = spec.rest ?? {};
  const options = JSON.stringify([scalars, overrides]);
  const known = platforms.find((one) => one.sdl === sdl && one.description === description && one.options === options);
  if (known !== undefined) return known.platform;
  const before = diagnostics.count;
  const graphql = spec.graphql === undefined ? undefined : schemaOf(sdl, source, diagnostics, results);
  const rest = spec.rest === undefined ? undefined : apiOf(description, overrides, source, diagnostics);
  if ((spec.graphql !== undefined && graphql === undefined) || (spec.rest !== undefined && rest === undefined)) return undefined;
  const key = keyOf("platform", sdl, description, options);
  const platform = describePlatform({ key, graphql, scalars, rest });
  // A faulty override is reported whenever the platform is read.
  if (diagnostics.count > before) return platform;
  platforms.push({ sdl, description, options, platform });
  if (platforms.length > mostPlatforms) platforms.shift();
  return platform;
}

/**
 * Builds a schema. Published schemas break rules of SDL that do not matter here (GitHub's 15.26.1 repeats two fields), hence
 * `assumeValidSDL`.
 */
export function buildGraphqlSchema(sdl: string): GraphQLSchema {
  return buildSchema(sdl, { assumeValidSDL: true, noLocation: true });
}

/** Reads an OpenAPI description. @throws Error when it is neither JSON nor YAML */
export function parseDescription(text: string): Json {
  return descriptionIn(text) as Json;
}

function schemaOf(sdl: string, source: Source, diagnostics: Diagnostics, results: Results): GraphQLSchema | undefined {
  const key = keyOf("valid schema", sdl);
  const known = results.find<string>(key);
  if (known !== undefined) return buildSchema(known, { assumeValid: true, assumeValidSDL: true, noLocation: true });
  try {
    const schema = buildGraphqlSchema(sdl);
    // Documents cannot be compared with a schema that breaks the rules of types.
    assertValidSchema(schema);
    results.keep(key, withoutDescriptions(sdl));
    return schema;
  } catch (thrown) {
    const at = source.at(["platform", "graphql", "schema"]);
    diagnostics.error(at, "SPEC017", `the GraphQL schema of the platform cannot be read: ${firstLine(thrown)}`);
    return undefined;
  }
}

/** The same types in a text that is parsed in half of the time. No model has anything from a description. */
function withoutDescriptions(sdl: string): string {
  const { definitions } = parseSdl(sdl, { noLocation: true });
  const bare = definitions.map((one) =>
    visit(one, { enter: (node) => ("description" in node ? { ...node, description: undefined } : undefined) }),
  );
  return stripIgnoredCharacters(bare.map(print).join("\n"));
}

function apiOf(
  text: string,
  overrides: Readonly<Record<string, object>>,
  source: Source,
  diagnostics: Diagnostics,
): OpenApi | undefined {
  const wrong = (message: string, hint?: string) =>
    diagnostics.error(source.at(["platform", "rest", "description"]), "SPEC017", message, hint);
  let api: OpenApi;
  try {
    api = new OpenApi(parseDescription(text));
  } catch (thrown) {
    wrong(`the REST description of the platform cannot be read: ${firstLine(thrown)}`);
    return undefined;
  }
  if (!isReadable(openApiVersion(api.root))) {
    wrong("the REST description of the platform is not OpenAPI 3.0 or 3.1", "its key `openapi` says the version");
    return undefined;
  }
  for (const [place, patch] of Object.entries(overrides)) {
    const [, method, path] = /^([A-Z]+) (.*)$/.exec(place) ?? [];
    const keys = method === undefined || path === undefined ? pointerKeys(place) : ["paths", path, method.toLowerCase()];
    const change = patch as JsonSchema;
    const changed = overridden(api, keys, change);
    const at = (...inner: readonly string[]) => source.at(["platform", "rest", "overrides", place, ...inner]);
    if (changed === undefined) {
      const hint = method === undefined ? undefined : suggestion(place, api.calls);
      diagnostics.error(at(), "SPEC014", `the platform's description has no "${place}"`, hint);
      continue;
    }
    for (const { keys: inner, code, message, hint, facts } of overrideFaults(api, keys, change))
      diagnostics.error(at(...inner), code, message, hint, facts);
    api = changed;
  }
  return api;
}
