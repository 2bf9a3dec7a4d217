import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { shellWord } from "../../base/shell-word.ts";
import type { Connector } from "../../contract/index.ts";
import { connectors } from "../../main/connectors.ts";
import { connectorsModule, connectorsVariable } from "../../main/connectors-module.ts";
import { requireConnector } from "../../main/known-connector.ts";
import { ownCommand, program } from "../../main/own-command.ts";
import { policyOf } from "../../main/policy.ts";
import { platformTable } from "../../main/settings/platform-settings.ts";
import { readSettings, type Settings } from "../../main/settings/settings.ts";
import { settingsTable } from "../../main/settings/settings-table.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import type { LocalServer } from "./mcp-clients.ts";

/** Settings that are the same wherever the client starts the server. Those with paths are passed on for themselves. */
const plain = ["simulate", "approvalHours", "embeddings", "embeddingsModel", "embeddingsDimensions"] as const;
const secret = ["databaseUrl", "databaseReadUrl", "accountsDatabaseUrl", "secretKey", "embeddingsKey"] as const;

interface ServerFlags {
  readonly write: boolean;
  readonly connector: string | undefined;
  readonly url: string | undefined;
  readonly config: string | undefined;
}

/**
 * How a client starts this program. A client starts it in any folder, and with no variables but those of its file: so all paths are
 * absolute, and the settings of this shell are passed on, above all a policy, which narrows what the agent may write.
 *
 * @throws SettingsError, CommandError for an address that is none, TenonError `unknown_connector`
 */
export async function localServer({ write, connector, url, config }: ServerFlags): Promise<
  LocalServer & {
    readonly connectors: readonly Connector[];
    /** What to do about an empty cache. */
    readonly emptyCache: string | undefined;
    /** What else the user of the client should know. */
    readonly notes: readonly string[];
  }
> {
  const environment = process.env;
  const file = config ?? (environment["TENON_CONFIG"] || undefined);
  const { settings } = readSettings(environment, connectors, file);
  const address = url === undefined ? undefined : settingsTable.url.read(url);
  if (typeof address === "string") throw new CommandError(`--url ${address}`, exitStatus.usage);
  // A service has connectors of its own.
  if (url === undefined && connector !== undefined) await requireConnector(settings, connector, connectors);
  const wanted = connectors.filter((one) => connector === undefined || one.name === connector);
  const dataDir = dataFolder(settings.dataDir);
  const isSet = (name: string) => Boolean(environment[name]);
  const own = environment[connectorsVariable] ? connectorsModule() : undefined;
  const platforms = wanted.flatMap(({ platform }) => platformTable(platform));
  const names = [
    ...plain.map((name) => settingsTable[name].env),
    ...platforms.flatMap(({ env, secret }) => (secret ? [] : [env])),
  ];
  const flags = [...(write ? ["--write"] : []), ...(connector === undefined ? [] : ["--connector", connector])];
  return {
    command: process.execPath,
    args: [program, "mcp", ...flags, ...(file === undefined ? [] : ["--config", resolve(file)])],
    env: {
      TENON_DATA_DIR: dataDir,
      ...(own === undefined ? {} : { [connectorsVariable]: own }),
      ...(settings.policy === "" ? {} : { TENON_POLICY: resolve(settings.policy) }),
      ...(settings.secretKeyFile === "" ? {} : { TENON_SECRET_KEY_FILE: resolve(settings.secretKeyFile) }),
      ...Object.fromEntries(names.flatMap((name) => (isSet(name) ? [[name, environment[name] ?? ""]] : []))),
    },
    secrets: [
      ...wanted.flatMap(({ platform }) => credentialOf(platform, isSet)),
      ...secret.map((name) => settingsTable[name].env).filter(isSet),
    ],
    connectors: wanted,
    notes: [...otherCacheNotes(settings.dataDir, dataDir), ...(write ? approvalNotes(settings) : [])],
    emptyCache:
      existsSync(dataDir) || settings.databaseUrl !== "" || wanted.length === 0
        ? undefined
        : `The cache in ${dataDir} is empty. Fill it before you ask the agent: ${ownCommand({ ...settings, dataDir })} sync ${exampleSync(wanted)}`,
  };
}

/** Of several kinds of credentials the one that is set, or else the first, which a person has at hand. */
function credentialOf({ auth: { kinds } }: Connector["platform"], isSet: (name: string) => boolean): readonly string[] {
  const kind = kinds.find(({ values }) => Object.values(values).every(isSet)) ?? kinds[0];
  return Object.values(kind?.values ?? {});
}

/**
 * The data folder of the settings. Where they name none and this folder has none, it is the one beside the program, if that is there:
 * people fill the cache in their clone, and connect the agent in the folder of their project.
 */
function dataFolder(dataDir: string): string {
  const here = resolve(dataDir);
  if (dataDir !== settingsTable.dataDir.default || existsSync(here)) return here;
  return besideProgram(dataDir) ?? here;
}

/** The data folder beside the program, if it is there. npm starts the program by a link in `node_modules/.bin` of a project. */
function besideProgram(dataDir: string): string | undefined {
  const beside = [resolve(process.argv[1] ?? ""), program].map((path) => join(dirname(path), "../..", dataDir));
  return beside.find((folder) => existsSync(folder));
}

/** Says which of two caches the agent gets: a sync in the folder of a project makes one there. */
function otherCacheNotes(given: string, used: string): string[] {
  const other = given === settingsTable.dataDir.default ? besideProgram(given) : undefined;
  if (other === undefined || realpathSync(other) === (existsSync(used) ? realpathSync(used) : used)) return [];
  return [
    `There are two caches: the agent uses ${used}, and not ${other}. To use that one, set TENON_DATA_DIR=${shellWord(other)}.`,
  ];
}

/** Says that nobody can approve a write of a process without a service. */
function approvalNotes({ policy }: Pick<Settings, "policy">): string[] {
  const asks = policy !== "" && policyOf({ policy }, connectors).some(({ effect }) => effect === "require_approval");
  if (!asks) return [];
  return [
    "The policy requires approvals, and only a service has them: here, such a write would wait for ever. Start `tenon serve` with this policy, and connect the agent to it with --url.",
  ];
}

function exampleSync([first]: readonly Connector[]): string {
  const [kind, scope] = Object.entries(first?.scopes ?? {}).find(([, { params }]) => params.length > 0) ?? [];
  return `${first?.name} --scope ${kind}=${scope?.example ?? scope?.params.join("/")}`;
}
