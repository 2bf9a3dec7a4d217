import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { suggestion } from "../../base/suggestion.ts";
import type { Connector } from "../../contract/index.ts";
import { isPlaceholder, placeholderProblem } from "./placeholder.ts";
import { type PlatformSettings, platformSettings, readPlatforms, shownName } from "./platform-settings.ts";
import { type EnvironmentVariables, type GivenSettings, problemsOf, warningsOf } from "./settings-check.ts";
import { codeOf, SettingsError } from "./settings-error.ts";
import { settingsTable } from "./settings-table.ts";

export { SettingsError } from "./settings-error.ts";

const require = createRequire(import.meta.url);

type Table = typeof settingsTable;
type ValueOf<Name extends keyof Table> = Exclude<ReturnType<Table[Name]["read"]>, string>["value"];

export type Settings = { readonly [Name in keyof Table]: ValueOf<Name> } & {
  /** By the name of the connector: values of the environment variables that its spec names, or of the file. */
  readonly platforms: Readonly<Record<string, PlatformSettings>>;
  /** The absolute path of the file that was read; undefined where none was. */
  readonly file?: string | undefined;
};

/**
 * Reads settings from the environment and, where `TENON_CONFIG` (or `file`) names one, a YAML or JSON file.
 *
 * @param connectors those that can have settings under `platforms`
 * @param file path of the file; without it TENON_CONFIG names one, or none is read
 * @returns settings and warnings, which are for the log
 * @throws SettingsError that names each wrong setting, what was wrong, and what is allowed
 */
export function readSettings(
  environment: EnvironmentVariables,
  connectors: readonly Connector[],
  file?: string,
): { settings: Settings; warnings: string[] } {
  const problems: string[] = [];
  const path = file ?? (environment["TENON_CONFIG"] || undefined);
  const fromFile = path === undefined ? {} : readFile(path, problems);
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settingsTable)) {
    const variable = variableOf(setting, environment);
    const [value, where] = variable === undefined ? [fromFile[name], `${path}: ${name}`] : [environment[variable], variable];
    if (value === undefined) {
      values[name] = setting.default;
      continue;
    }
    const read = isPlaceholder(value) ? placeholderProblem : setting.read(value);
    // The message does not hold the value, which may be a secret that was put in the wrong place.
    if (typeof read === "string") problems.push(`${where} ${read}`);
    else values[name] = read.value;
  }
  const inFile = readPlatforms(fromFile["platforms"], connectors, path ?? "", problems);
  const platforms = Object.fromEntries(
    connectors.map((connector) => {
      const file = { path: path ?? "", values: inFile[connector.name] ?? {} };
      return [connector.name, platformSettings(connector, environment, file, problems)];
    }),
  );
  const given: GivenSettings = { environment, path: path ?? "", values, connectors, platforms };
  problems.push(...problemsOf(given));
  if (problems.length > 0) throw new SettingsError(problems.join("\n"));
  return {
    settings: { ...values, platforms, file: path === undefined ? undefined : resolve(path) } as Settings,
    warnings: warningsOf(given),
  };
}

/** The environment variable that gives a setting; undefined where none is set. */
function variableOf({ env, alias }: { readonly env: string; readonly alias?: string }, environment: EnvironmentVariables) {
  // Kubernetes sets this in every container beside a service that is called tenon.
  const isLink = /^(tcp|udp|sctp):\/\//.test(environment[env] ?? "") && alias !== undefined;
  if (environment[env] && !isLink) return env;
  return alias !== undefined && environment[alias] ? alias : undefined;
}

function readFile(path: string, problems: string[]): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (thrown) {
    problems.push(`${path}: cannot be read (${codeOf(thrown)})`);
    return {};
  }
  let content: unknown;
  try {
    // Most starts have no such file, and the parser has more modules than anything else.
    const { parse }: typeof import("yaml") = require("yaml");
    content = parse(text, { maxAliasCount: 10 });
  } catch (thrown) {
    // The first line ends with a colon where the lines of the file follow it.
    const [message = ""] = thrown instanceof Error ? thrown.message.split(/:?\n/) : [];
    problems.push(`${path}: cannot be read as YAML: ${message}`);
    return {};
  }
  if (content === null) return {};
  if (typeof content !== "object" || Array.isArray(content)) {
    problems.push(`${path}: must be a mapping of settings`);
    return {};
  }
  const known = [...Object.keys(settingsTable), "platforms"];
  for (const name of Object.keys(content)) {
    if (known.includes(name)) continue;
    problems.push(`${path}: unknown setting "${shownName(name)}" (${suggestion(name, known) ?? "`tenon settings` lists all"})`);
  }
  return content as Readonly<Record<string, unknown>>;
}
