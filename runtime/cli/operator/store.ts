import { existsSync } from "node:fs";
import { shown } from "../../base/errors.ts";
import { connectors } from "../../main/connectors.ts";
import { backupFiles } from "../../main/operator/backup.ts";
import { copiedStores, copyStore } from "../../main/operator/copy.ts";
import { migrateStore } from "../../main/operator/migrate.ts";
import { keptSecretFile } from "../../main/settings/kept-secret.ts";
import { readSettings } from "../../main/settings/settings.ts";
import { CommandError } from "../command-error.ts";
import { endSignal } from "../end-signal.ts";
import { exitStatus } from "../exit-status.ts";
import { out } from "../output/standard-output.ts";

/** `tenon store backup`: copies the files of the data directory, while a service may be using them. */
export const backup = {
  run: async ([folder = ""]: readonly string[], { config }: { readonly config: string | undefined }): Promise<number> => {
    const { settings } = readSettings(process.env, connectors, config);
    for (const { file, bytes } of await backupFiles(settings.dataDir, folder))
      out.write(out.isTTY ? `Copied ${file} (${bytes} bytes).\n` : `${JSON.stringify({ file, bytes })}\n`);
    const secret = keptSecretFile(settings.dataDir);
    if (existsSync(secret))
      console.error(
        `Not copied: ${secret}, without which nobody can use the copied keys and credentials. Keep a copy of it elsewhere.`,
      );
    return 0;
  },
};

interface CopyFlags {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly only: string | undefined;
}

/**
 * `tenon store copy`: copies the accounts and the records, or only one of these, and compares both places in the end. The progress is on
 * standard error; on standard output is a line of JSON for each table. The exit status is 70 when a table of the two places differs in the
 * end.
 */
export const copy = {
  run: async (_args: readonly string[], { from, to, only: wanted }: CopyFlags): Promise<number> => {
    if (from === undefined || to === undefined) throw new CommandError("--from and --to are both required", exitStatus.usage);
    const only = copiedStores.find((store) => store === wanted);
    if (wanted !== undefined && only === undefined)
      throw new CommandError(`--only takes ${copiedStores.join(" or ")}, not "${shown(wanted)}"`, exitStatus.usage);
    const results = await copyStore(
      { from, to, only },
      connectors,
      (table, rows) => process.stderr.write(`${table}: ${rows} rows\n`),
      (text) => console.error(text),
    );
    let status = 0;
    for (const one of results) {
      const same = one.from.rows === one.to.rows && one.from.checksum === one.to.checksum;
      if (!same) status = exitStatus.failed;
      const { table, rows, checksum } = one.to;
      out.write(`${JSON.stringify({ table, rows, written: one.written, checksum, same })}\n`);
    }
    if (status !== 0)
      process.stderr.write(
        "tenon: the two places differ: stop the services that change them, use an empty target, and copy again\n",
      );
    const secret = keptSecretFile(from);
    if (only !== "records" && existsSync(secret))
      console.error(
        `The copied keys and credentials need the secret key of ${from}. Start the service with it: export TENON_SECRET_KEY=$(cat ${secret})`,
      );
    return status;
  },
};

interface MigrateFlags {
  readonly config: string | undefined;
  readonly "replace-newer": boolean;
  readonly "drop-old": boolean;
}

/**
 * `tenon store migrate`: brings the tables of the database to this version, while services of another version go on. Progress is on
 * standard error; on standard output is a line of JSON for each entity. When it is ended by a signal, it goes on there the next time.
 */
export const migrate = {
  run: async (_args: readonly string[], flags: MigrateFlags): Promise<number> => {
    const { settings } = readSettings(process.env, connectors, flags.config);
    const options = {
      replaceNewer: flags["replace-newer"],
      dropOld: flags["drop-old"],
      signal: endSignal(),
      tell: (text: string) => void process.stderr.write(`${text}\n`),
    };
    for (const one of await migrateStore(settings, connectors, options)) out.write(`${JSON.stringify(one)}\n`);
    return 0;
  },
};
