import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { openCredential, type StoredInstance } from "../../accounts/index.ts";
import { type CommandAccounts, withAccounts } from "../../main/accounts.ts";
import { mustAuthorize, startAuthorization } from "../../main/authorization.ts";
import { connectors } from "../../main/connectors.ts";
import { addConnector, addedConnector, rotateCredential } from "../../main/operator/added-connectors.ts";
import { runRemove } from "../../main/operator/sync-run.ts";
import { readSettings, type Settings } from "../../main/settings/settings.ts";
import { CommandError } from "../command-error.ts";
import { endSignal } from "../end-signal.ts";
import { type OutputRow, printRows, time } from "../output/output.ts";
import { out } from "../output/standard-output.ts";

/** EX_USAGE and EX_NOINPUT of sysexits.h. */
const exit = { usage: 64, noInput: 66 } as const;

interface ConfigFlags {
  readonly config: string | undefined;
}

interface CredentialFlags extends ConfigFlags {
  readonly "credential-kind": string | undefined;
  readonly authorize: boolean;
  readonly "credential-file": string | undefined;
}

interface AddFlags extends CredentialFlags {
  readonly id: string | undefined;
  readonly workspace: string | undefined;
  readonly organization: string | undefined;
  readonly "base-url": string | undefined;
  readonly "graphql-url": string | undefined;
  readonly variable: readonly string[];
  readonly scope: readonly string[];
  readonly "sync-minutes": string | undefined;
}

const settingsOf = ({ config }: ConfigFlags): Settings => readSettings(process.env, connectors, config).settings;

/** `tenon connector add`: prints the id. */
export const add = {
  run: async ([connector = ""]: readonly string[], flags: AddFlags): Promise<number> => {
    const settings = settingsOf(flags);
    const minutes = minutesOf(flags["sync-minutes"] ?? "60");
    const credential = await credentialOf(flags);
    const { id, page } = await withAccounts(settings, async (accounts) => {
      const added = await addConnector(
        { ...accounts, connectors, allowPrivate: settings.allowPrivateAddresses, platforms: settings.platforms },
        {
          ...flags,
          connector,
          rest: flags["base-url"],
          graphql: flags["graphql-url"],
          variables: flags.variable,
          scopes: flags.scope,
          minutes,
          credential,
        },
      );
      await accounts.note("connector.add", added);
      return { id: added, page: flags.authorize ? await pageOf(settings, accounts, added) : undefined };
    });
    out.line(id);
    if (page !== undefined) console.error(`A user has ten minutes to authorize the connector on this page:\n${page}`);
    return 0;
  },
};

/** `tenon connector list`. */
export const list = {
  run: async (_args: readonly string[], flags: ConfigFlags): Promise<number> => {
    const settings = settingsOf(flags);
    const { platforms } = settings;
    const rows = await withAccounts(settings, async ({ store, keys }) =>
      Promise.all((await store.instances()).map((instance) => rowOf({ store, keys, connectors, platforms }, instance))),
    );
    printRows(rows, 'No connector was added yet: see "tenon connector add --help".');
    return 0;
  },
};

/** `tenon connector show`. */
export const show = {
  run: async ([id = ""]: readonly string[], flags: ConfigFlags): Promise<number> => {
    const settings = settingsOf(flags);
    const { platforms } = settings;
    const row = await withAccounts(settings, async ({ store, keys }) =>
      rowOf({ store, keys, connectors, platforms }, await addedConnector(store, id)),
    );
    out.line(JSON.stringify(row, undefined, 2));
    return 0;
  },
};

/** `tenon connector rotate`. */
export const rotate = {
  run: async ([id = ""]: readonly string[], flags: CredentialFlags): Promise<number> => {
    const settings = settingsOf(flags);
    const credential = await credentialOf(flags);
    const page = await withAccounts(settings, async (accounts) => {
      const { store, keys, note } = accounts;
      await rotateCredential({ store, keys, connectors, platforms: settings.platforms }, id, credential);
      await note("connector.rotate", id);
      return flags.authorize ? pageOf(settings, accounts, id) : undefined;
    });
    if (page !== undefined) {
      console.error("A user has ten minutes to authorize the connector on this page:");
      out.line(page);
    } else console.error(`The connector ${id} uses the new credential from its next request on.`);
    return 0;
  },
};

/** `tenon connector authorize`: prints the address of the platform's page. */
export const authorize = {
  run: async ([id = ""]: readonly string[], flags: ConfigFlags): Promise<number> => {
    const settings = settingsOf(flags);
    const page = await withAccounts(settings, async (accounts) => {
      const begun = await pageOf(settings, accounts, id);
      await accounts.note("connector.authorize", id);
      return begun;
    });
    console.error("A user has ten minutes to authorize the connector on this page:");
    out.line(page);
    return 0;
  },
};

/** The page of the platform on which a user authorizes a connector. The service has to run, because the user comes back to it. */
async function pageOf(settings: Settings, { store, keys }: CommandAccounts, id: string): Promise<string> {
  const { platforms, host, port, allowPrivateAddresses: allowPrivate } = settings;
  const publicUrl = settings.publicUrl || `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const options = { store, keys, connectors, platforms, allowPrivate, publicUrl, redact: (text: string) => text };
  return (await startAuthorization(options, id, "command line")).url;
}

/** `tenon connector remove`. */
export const remove = {
  run: async ([id = ""]: readonly string[], flags: ConfigFlags): Promise<number> => {
    const settings = settingsOf(flags);
    const signal = endSignal();
    await withAccounts(settings, async ({ store, note }) => {
      await addedConnector(store, id);
      await runRemove(settings, { connectorId: id, signal }, { write: () => undefined });
      await note("connector.remove", id);
    });
    console.error(`The connector ${id} is removed, with its credential and its cached records.`);
    return 0;
  },
};

/** Reads a credential, which never stands on the command line: other users of the machine see that. @throws CommandError */
async function credentialOf({ "credential-file": file, "credential-kind": kind, authorize: later }: CredentialFlags) {
  if (file !== undefined) return { text: fileText(file), kind, later };
  if (later) return { text: "", kind, later };
  if (process.stdin.isTTY) console.error("Paste the credential, then press Enter and Ctrl-D:");
  return { text: await text(process.stdin), kind, later };
}

function fileText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
    throw new CommandError(`${file} cannot be read (${code})`, exit.noInput, thrown);
  }
}

function minutesOf(given: string): number {
  const minutes = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (minutes < 1 || minutes > 10_080)
    throw new CommandError("--sync-minutes must be a whole number from 1 to 10080", exit.usage);
  return minutes;
}

/** An instance without the values of its credential. */
async function rowOf(options: Parameters<typeof mustAuthorize>[0], instance: StoredInstance): Promise<OutputRow> {
  const { id, connector, workspace, organization, rest, graphql, variables, scopes, minutes, createdAt } = instance;
  return {
    id,
    connector,
    credential_kind: openCredential(options.keys, instance).kind,
    status: (await mustAuthorize(options, instance)) === true ? "authorization_required" : "ready",
    workspace_name: workspace,
    organization_id: organization,
    base_url: rest,
    graphql_url: graphql,
    variables: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    sync_scopes: scopes,
    sync_minutes: minutes,
    created_at: time(createdAt),
  };
}
