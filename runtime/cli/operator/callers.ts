import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type CallerKind,
  checkFreeName,
  createCaller,
  type Grant,
  type InstanceIdentity,
  type MadeCaller,
  revokeCaller,
  rotateSecret,
  type SecretKeys,
  type StoredCaller,
  type StoredSecret,
  secretKeyUse,
} from "../../accounts/index.ts";
import { shown } from "../../base/errors.ts";
import { withAccounts } from "../../main/accounts.ts";
import { connectors } from "../../main/connectors.ts";
import { type GivenGrant, readGrant } from "../../main/operator/read-grant.ts";
import { readSettings, type Settings } from "../../main/settings/settings.ts";
import { workspace } from "../../main/workspace.ts";
import { type OutputRow, printRows, time } from "../output/output.ts";
import { out } from "../output/standard-output.ts";
import { milliseconds } from "./duration.ts";

interface ConfigFlags {
  readonly config: string | undefined;
}

interface GrantFlags extends ConfigFlags, GivenGrant {
  readonly "expires-in": string | undefined;
}

type Run<Given> = { run(args: readonly string[], flags: Given): Promise<number> };

function settingsOf({ config }: ConfigFlags): Settings {
  return readSettings(process.env, connectors, config).settings;
}

/** `tenon key create` and `tenon client create`. */
export function create(kind: CallerKind): Run<GrantFlags> {
  return {
    run: async ([name = ""], flags) => {
      const { "expires-in": expiresIn = "365d" } = flags;
      const expiresAt = expiresIn === "never" ? null : Date.now() + milliseconds(expiresIn, "expires-in");
      const settings = settingsOf(flags);
      const isNew = settings.databaseUrl === "" && settings.accountsDatabaseUrl === "" && !existsSync(settings.dataDir);
      const made = await withAccounts(settings, async ({ store, keys, note }) => {
        await checkFreeName(store, name);
        const added = await store.instances();
        const ids = added.map(({ id }) => id);
        const grant = readGrant(connectors, ids, flags);
        tellOfMissingPlaces(grant, added);
        const created = await createCaller(store, keys, { kind, name, grant, expiresAt });
        await note(`${kind}.create`, created.caller.id);
        return created;
      });
      show(made);
      // Only a service with the same settings knows the key.
      if (isNew) console.error(`The data folder ${resolve(settings.dataDir)} is new. A service has to use the same one.`);
      return 0;
    },
  };
}

/** A workspace or an organization is there once it has a connector, which may be added later. */
function tellOfMissingPlaces({ workspaces, organization }: Grant, added: readonly InstanceIdentity[]): void {
  // Connectors of the settings are in this one, and belong to no organization.
  const known = new Set([workspace, ...added.map((one) => one.workspace)]);
  for (const name of workspaces ?? [])
    if (!known.has(name)) console.error(`No connector is in the workspace "${shown(name)}" yet.`);
  if (organization !== null && !added.some((one) => one.organization === organization))
    console.error(`No connector belongs to the organization "${shown(organization)}" yet.`);
}

/** `tenon key list` and `tenon client list`. */
export function list(kind: CallerKind): Run<ConfigFlags> {
  return {
    run: async (_args, flags) => {
      const now = Date.now();
      const rows = await withAccounts(settingsOf(flags), async ({ store, keys }) => {
        const secrets = Map.groupBy(await store.liveSecrets(now), ({ caller }) => caller);
        return (await store.callers(kind)).map((caller) => rowOf(caller, secrets.get(caller.id) ?? [], keys, now));
      });
      printRows(rows, `There is no ${kind} yet: see "tenon ${kind} create --help".`);
      return 0;
    },
  };
}

/** `tenon key rotate` and `tenon client rotate`. */
export function rotate(kind: CallerKind): Run<ConfigFlags & { readonly overlap: string | undefined }> {
  return {
    run: async ([given = ""], flags) => {
      // Without an overlap the former secret ends at once.
      const overlap = /^0[mhd]?$/.test(flags.overlap ?? "") ? 0 : milliseconds(flags.overlap ?? "24h", "overlap");
      const made = await withAccounts(settingsOf(flags), async ({ store, keys, note }) => {
        const rotated = await rotateSecret(store, keys, kind, given, overlap);
        await note(`${kind}.rotate`, rotated.caller.id);
        return rotated;
      });
      show(made);
      console.error(
        overlap === 0 ? "The former one is refused from now on." : `The former one is valid until ${time(Date.now() + overlap)}.`,
      );
      return 0;
    },
  };
}

/** `tenon key revoke` and `tenon client revoke`. */
export function revoke(kind: CallerKind): Run<ConfigFlags> {
  return {
    run: async ([given = ""], flags) => {
      const id = await withAccounts(settingsOf(flags), async ({ store, note }) => {
        const revoked = await revokeCaller(store, kind, given);
        await note(`${kind}.revoke`, revoked.id);
        return revoked.id;
      });
      console.error(`The ${kind} ${id} is refused from now on.`);
      return 0;
    },
  };
}

/** The secret goes to standard output, so that a program can take it; what a person needs beside it goes to standard error. */
function show({ caller, secret }: MadeCaller): void {
  const { id, kind } = caller;
  console.error(`This is the only time that the secret of the ${kind} ${id} is shown. Keep it.`);
  out.line(kind === "key" ? secret : JSON.stringify({ client_id: id, client_secret: secret }));
}

/** @param secrets those of the caller that have not ended, the oldest first */
function rowOf(caller: StoredCaller, secrets: readonly StoredSecret[], keys: SecretKeys, now: number): OutputRow {
  const { id, name, grant, createdAt, expiresAt, revokedAt, lastUsedAt } = caller;
  const newest = secrets.at(-1);
  const secretKey = newest === undefined ? null : secretKeyUse(newest, keys);
  const ended = revokedAt !== null ? "revoked" : expiresAt !== null && expiresAt <= now ? "expired" : undefined;
  const state = ended ?? (secretKey === "missing" ? "refused" : "active");
  return {
    id,
    name,
    state,
    rights: grant.rights,
    instances: grant.instances,
    workspaces: grant.workspaces,
    organization: grant.organization,
    entities: grant.entities,
    limits: Object.entries(grant.limits ?? {}).map(([limit, value]) => `${limit}=${value}`),
    created_at: time(createdAt),
    expires_at: time(expiresAt),
    last_used_at: time(lastUsedAt),
    secret_key: secretKey,
    former_until: time(secrets.at(-2)?.expiresAt ?? null),
  };
}
