import type { AuthKind, Connector, PlatformPlan } from "../../contract/index.ts";
import { missingVariables } from "../../execute/missing-variables.ts";
import type { Credential } from "../../platform/credential.ts";
import { isPrivateKey } from "../../platform/private-key.ts";
import { isPlaceholder, placeholderProblem } from "./placeholder.ts";

/** What an operator sets for the default instance of a connector. */
export interface PlatformSettings {
  readonly credential: Credential | undefined;
  /** By kind of credential: values that the credentials of all instances have in common, where they have none of their own. */
  readonly shared?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly rest: string | undefined;
  readonly graphql: string | undefined;
  /** Values of the platform's variables, by name. */
  readonly variables?: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;
type PlatformValues = Readonly<Record<string, unknown>>;

/** One setting of a connector, as its spec declares it. */
export interface PlatformSetting {
  readonly env: string;
  /** Its key below `platforms.<connector>` in the file of settings. */
  readonly key: string;
  readonly doc: string;
  readonly default?: string;
  /** It is a part of a credential. */
  readonly secret?: true;
}

/** Every setting of a platform: the values of its credentials, its addresses, its variables. */
export function platformTable({ auth, rest, graphql, variables = {} }: PlatformPlan): PlatformSetting[] {
  const several = auth.kinds.length > 1;
  const values = auth.kinds.flatMap((kind) =>
    Object.entries(kind.values).map(([key, env]): PlatformSetting => {
      const doc = `${several ? `with \`auth: ${kind.name}\` in the file: ` : ""}${key === "token" ? "credential" : `${key} of the credential`}`;
      return { env, key, doc, secret: true };
    }),
  );
  const address = (
    api: { readonly url: string; readonly env?: string } | undefined,
    key: string,
    doc: string,
  ): PlatformSetting[] => (api?.env === undefined ? [] : [{ env: api.env, key, doc, default: api.url }]);
  // Where only the REST address is set, the other one follows from it.
  const derived = graphql?.derive === undefined || rest?.env === undefined ? "" : `, or what follows from ${rest.env}`;
  return [
    ...values,
    ...address(rest, "rest", "address of the REST API"),
    ...address(graphql && { ...graphql, url: `${graphql.url}${derived}` }, "graphql", "address of the GraphQL API"),
    ...Object.entries(variables).map(
      ([key, one]): PlatformSetting => ({
        env: one.env,
        key,
        doc: one.doc.replace(/\.$/, ""),
        ...(one.default === undefined ? {} : { default: one.default }),
      }),
    ),
  ];
}

/** The environment variables of a credential, for messages: those of the named kind, or one of each kind. */
export function credentialEnv({ auth }: PlatformPlan, kind?: string): string {
  const kinds = kind === undefined ? auth.kinds : auth.kinds.filter(({ name }) => name === kind);
  return kinds.map(({ values }) => Object.values(values).join(" and ")).join(", or ");
}

/** The key `platforms` of the file: the credential, addresses and variables of each connector. */
export function readPlatforms(
  given: unknown,
  connectors: readonly Connector[],
  path: string,
  problems: string[],
): Readonly<Record<string, PlatformValues>> {
  if (given === undefined) return {};
  const names = connectors.map(({ name }) => name);
  if (!isMapping(given)) {
    problems.push(`${path}: platforms must be a mapping of connectors (${names.join(", ")})`);
    return {};
  }
  for (const [name, values] of Object.entries(given)) {
    const at = `${path}: platforms.${name}`;
    const connector = connectors.find((one) => one.name === name);
    if (connector === undefined) {
      problems.push(`${path}: platforms: unknown connector "${name}" (allowed: ${names.join(", ")})`);
      continue;
    }
    const allowed = [...new Set(platformTable(connector.platform).map(({ key }) => key))];
    if (connector.platform.auth.kinds.length > 1) allowed.unshift("auth");
    if (!isMapping(values)) problems.push(`${at} must be a mapping (allowed: ${allowed.join(", ")})`);
    else
      for (const key of Object.keys(values))
        if (!allowed.includes(key)) problems.push(`${at}: unknown setting "${shownName(key)}" (allowed: ${allowed.join(", ")})`);
  }
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, PlatformValues] => isMapping(entry[1])));
}

/** The beginning of a name in the file: a secret that was written in the place of a name is not shown whole. */
export function shownName(name: string): string {
  return name.length <= 24 ? name : `${name.slice(0, 12)}…`;
}

function isMapping(value: unknown): value is PlatformValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Given {
  readonly value: string | undefined;
  /** Names the place that the value comes from. */
  readonly where: string;
}

/** Reads the settings of one connector. What is wrong is added to `problems`, without the values, which may be secrets. */
export function platformSettings(
  connector: Connector,
  environment: Environment,
  file: { readonly path: string; readonly values: PlatformValues },
  problems: string[],
): PlatformSettings {
  const { rest, graphql } = connector.platform;
  const inFile = (key: string): Given => {
    const value = file.values[key];
    const where = `${file.path}: platforms.${connector.name}.${key}`;
    if (value === undefined || typeof value === "string") return { value: value?.trim() || undefined, where };
    problems.push(`${where} must be a string`);
    return { value: undefined, where };
  };
  /** The value from the environment or else from the file. */
  const pick = (env: string | undefined, key: string, fromFile = true): Given => {
    const given = env === undefined ? undefined : environment[env]?.trim() || undefined;
    if (given !== undefined) return { value: given, where: String(env) };
    return fromFile ? inFile(key) : { value: undefined, where: String(env) };
  };
  const address = (env: string | undefined, key: string) => {
    const { value, where } = pick(env, key);
    if (value !== undefined) problems.push(...addressProblems(value, where));
    return value;
  };
  const variables = Object.entries(connector.platform.variables ?? {}).flatMap(([key, { env }]) => {
    const { value, where } = pick(env, key);
    if (value !== undefined && !isVariable(value)) problems.push(`${where} ${variableRule}`);
    return value === undefined ? [] : [[key, value] as const];
  });
  const found = {
    ...credentialOf(connector, inFile("auth"), pick, problems),
    rest: address(rest?.env, "rest"),
    graphql: address(graphql?.env, "graphql"),
    ...(variables.length === 0 ? {} : { variables: Object.fromEntries(variables) }),
  };
  // With only one of the two addresses, reads would go to one server, and writes with the same token to another.
  if (rest !== undefined && found.graphql !== undefined && found.rest === undefined)
    problems.push(`${graphql?.env} is set, so ${rest.env} must be set too`);
  if (found.credential !== undefined)
    for (const missing of missingVariables(connector, found.variables ?? {}))
      problems.push(`${connector.platform.variables?.[missing]?.env} must be set for the connector "${connector.name}"`);
  return found;
}

/** The credential of the kind that the settings name, or of the one kind whose values are set. */
function credentialOf(
  { name, platform }: Connector,
  wanted: Given,
  pick: (env: string, key: string, fromFile: boolean) => Given,
  problems: string[],
): Pick<PlatformSettings, "credential" | "shared"> {
  const { kinds } = platform.auth;
  const names = kinds.map((kind) => kind.name);
  if (wanted.value !== undefined && !names.includes(wanted.value)) {
    problems.push(`${wanted.where}: unknown kind "${shownName(wanted.value)}" (allowed: ${names.join(", ")})`);
    return { credential: undefined };
  }
  const complete: Credential[] = [];
  const shared: Record<string, Readonly<Record<string, string>>> = {};
  for (const kind of kinds) {
    const fromFile = kind.name === (wanted.value ?? names[0]);
    const given = Object.entries(kind.values).map(([key, env]) => [key, pick(env, key, fromFile)] as const);
    for (const [key, { value, where }] of given) {
      const problem = value === undefined ? undefined : valueProblem(kind, key, value);
      if (problem !== undefined) problems.push(`${where} ${problem}`);
    }
    const values = Object.fromEntries(given.flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value] as const])));
    const common = Object.fromEntries(Object.entries(values).filter(([name]) => sharedNames(kind).includes(name)));
    const isShared = Object.keys(common).length > 0 && Object.keys(common).length === sharedNames(kind).length;
    if (isShared) shared[kind.name] = common;
    const missing = given.filter(([, { value }]) => value === undefined);
    if (missing.length === 0) complete.push({ kind: kind.name, values });
    // An app or a client alone is for the instances that are stored, each with its own account.
    else if (missing.length < given.length && !isShared)
      problems.push(`${missing.map(([, { where }]) => where).join(" and ")} must be set too for the credential of "${name}"`);
  }
  if (complete.length > 1) problems.push(`"${name}" has several credentials; set only one of ${credentialEnv(platform)}`);
  return { credential: complete[0], ...(Object.keys(shared).length === 0 ? {} : { shared }) };
}

/** Values that belong to the app which the operator has registered with the platform, and not to one account. */
export function sharedNames({ grant }: AuthKind): readonly string[] {
  switch (grant?.by) {
    case "oauth":
      return ["client_id", "client_secret"];
    case "app":
      return ["app_id", "private_key"];
    case undefined:
      return [];
  }
}

/** What is wrong with a value of a credential, or undefined: it has to be visible ASCII, so that it can stand in a header. */
export function valueProblem({ grant }: AuthKind, name: string, value: string): string | undefined {
  if (isPlaceholder(value)) return placeholderProblem;
  if (grant?.by === "app" && name === "private_key")
    return isPrivateKey(value)
      ? undefined
      : "must be a private RSA key in PEM (-----BEGIN …), with line breaks or `\\n` in their places";
  return /^[\x21-\x7e]{1,4096}$/.test(value) ? undefined : "must be one token without spaces or line breaks";
}

/** Whether a text can be the value of a variable: it must not change the host of an address, or end a header. */
export function isVariable(value: string): boolean {
  return /^[\w.@+-]{1,200}$/.test(value) && !/^\.+$/.test(value);
}

export const variableRule = "may have only letters, digits and . _ @ + -";

function addressProblems(value: string, where: string): string[] {
  if (!(URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return [`${where} must be an http or https address`];
  return /[@?#]/.test(value) ? [`${where} must be an address without user, query and fragment`] : [];
}
