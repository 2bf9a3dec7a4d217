import { nearest } from "../../base/text.ts";
import type { Connector } from "../../contract/index.ts";
import { addressProblem } from "../../platform/address-rules.ts";
import { troubleProblem } from "../../simulator/hook-trouble.ts";
import { credentialEnv, type PlatformSettings } from "./platform-settings.ts";
import { settingsTable } from "./settings-table.ts";

/**
 * The variable with the key that a client sends to a service. TENON_API_KEY is another one: in the shells of operators it has a key that
 * allows everything.
 */
export const agentKey = "TENON_AGENT_KEY";

// Checks of settings that are valid one by one, but not together.

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export interface GivenSettings {
  readonly environment: EnvironmentVariables;
  /** Of the file of settings; empty without one. */
  readonly path: string;
  /** By their names in the table, read or by default. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly connectors: readonly Connector[];
  readonly platforms: Readonly<Record<string, PlatformSettings>>;
}

/** Why the settings cannot be used, one line for each problem. */
export function problemsOf(given: GivenSettings): string[] {
  const { values } = given;
  const problems: string[] = [];
  if ((values["compatClientId"] === "") !== (values["compatClientSecret"] === ""))
    problems.push("TENON_COMPAT_CLIENT_ID and TENON_COMPAT_CLIENT_SECRET belong together; set both or none");
  problems.push(...unkeptProblems(given));
  if (values["databaseReadUrl"] !== "" && values["databaseUrl"] === "")
    problems.push("TENON_DATABASE_READ_URL names a replica of TENON_DATABASE_URL, which is not set");
  const trouble = troubleProblem(given.environment);
  if (trouble !== undefined) problems.push(trouble);
  return [...problems, ...issuerProblems(given), ...simulateProblems(given)];
}

/** What is wrong with the authorization server whose tokens are to be accepted. */
function issuerProblems({ values }: GivenSettings): string[] {
  const { oauthIssuer, oauthJwksUrl, publicUrl } = values;
  if ((oauthIssuer === "") !== (oauthJwksUrl === ""))
    return ["TENON_OAUTH_ISSUER and TENON_OAUTH_JWKS_URL belong together; set both or none"];
  if (oauthIssuer === "" || typeof oauthJwksUrl !== "string") return [];
  const problem = addressProblem(oauthJwksUrl.replace(/\?.*$/, ""), values["allowPrivateAddresses"] === true);
  return [
    ...(problem === undefined ? [] : [`TENON_OAUTH_JWKS_URL ${problem}`]),
    ...(publicUrl === "" ? ["TENON_OAUTH_ISSUER needs TENON_PUBLIC_URL, for which its tokens are"] : []),
  ];
}

/** What the operator should know of the settings, for the log. */
export function warningsOf(given: GivenSettings): string[] {
  return [...unknownSettings(given.environment), ...shortSecrets(given.values), ...unusedAddresses(given)];
}

/** What the operator of a service that takes keys should know of where it listens, for the log. */
export function openWarnings({ host, publicUrl }: { readonly host: string; readonly publicUrl: string }): string[] {
  if (!["0.0.0.0", "::"].includes(host) || publicUrl.startsWith("https://")) return [];
  return [
    `TENON_HOST=${host} listens on all addresses without TLS, so keys cross the network in clear text: for a proxy on this machine leave TENON_HOST out; with a proxy on another one, set TENON_PUBLIC_URL to its https address`,
  ];
}

/** What is wrong with the connectors that are to be simulated. */
function simulateProblems({ environment, path, values, connectors, platforms }: GivenSettings): string[] {
  const names = values["simulate"];
  if (!Array.isArray(names)) return [];
  const where = environment[settingsTable.simulate.env] ? settingsTable.simulate.env : `${path}: simulate`;
  return names.flatMap((name: string) => {
    const connector = connectors.find((one) => one.name === name);
    if (connector === undefined)
      return [`${where}: unknown connector "${name}" (allowed: ${connectors.map((one) => one.name).join(", ")})`];
    const { platform, simulator } = connector;
    if (simulator === undefined) return [`${where}: the connector "${name}" has no simulator`];
    const credential = platforms[name]?.credential;
    return credential === undefined
      ? []
      : [
          `${where}: the connector "${name}" has a credential (${credentialEnv(platform, credential.kind)}); remove one of the two`,
        ];
  });
}

/** A refresh token is good once. Its successor has to be stored, which needs a secret key. */
function unkeptProblems({ values, connectors, platforms }: GivenSettings): string[] {
  const { secretKey, secretKeyFile } = values;
  if (secretKeyFile !== "" || (Array.isArray(secretKey) && secretKey.length > 0)) return [];
  return connectors.flatMap(({ name, platform }) => {
    const kind = platform.auth.kinds.find((one) => one.name === platforms[name]?.credential?.kind);
    if (kind?.grant?.by !== "oauth") return [];
    return [
      `${kind.values["refresh_token"]} needs TENON_SECRET_KEY, because each refresh token is valid once, and the next one has to be stored`,
    ];
  });
}

function unknownSettings(environment: EnvironmentVariables): string[] {
  const known = [...Object.values(settingsTable).map((setting) => setting.env), "TENON_CONFIG", "TENON_CONNECTORS", agentKey];
  const unknown = Object.keys(environment).filter((name) => name.startsWith("TENON_") && !known.includes(name));
  return unknown.map((name) => {
    const near = nearest(name, known);
    return `unknown setting ${name}${near === undefined ? "" : `; did you mean ${near}?`}`;
  });
}

/** Characters that a key or a secret with which callers are admitted has at least. */
const shortestKey = 16;

/**
 * The keys and secrets for callers that somebody could guess, one line for each. They keep a service from starting unless every platform
 * is simulated, so that nothing real is behind them.
 */
export function shortSecrets(values: GivenSettings["values"]): string[] {
  return (["apiKey", "compatClientSecret"] as const).flatMap((name) => {
    const value = values[name];
    const isShort = typeof value === "string" && value !== "" && value.length < shortestKey;
    return isShort ? [`${settingsTable[name].env} must have at least ${shortestKey} characters: 32 random ones are safe`] : [];
  });
}

function unusedAddresses({ connectors, platforms }: GivenSettings): string[] {
  return connectors
    .filter(({ name }) => platforms[name]?.credential === undefined && platforms[name]?.rest !== undefined)
    .map(({ platform }) => `${platform.rest?.env} is set without ${credentialEnv(platform)}, so it is not used`);
}
