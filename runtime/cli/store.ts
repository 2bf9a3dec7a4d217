import { backupFiles, connectors } from "../main/index.ts";
import { readSettings } from "../main/settings.ts";

/** `tenon store backup`: copies the files of the data directory, while a service may be using them. */
export const backup = {
  run: async ([folder = ""]: readonly string[], { config }: { readonly config: string | undefined }): Promise<number> => {
    const { settings } = readSettings(process.env, connectors, config);
    for (const { file, bytes } of await backupFiles(settings.dataDir, folder))
      process.stdout.write(process.stdout.isTTY ? `Copied ${file} (${bytes} bytes).\n` : `${JSON.stringify({ file, bytes })}\n`);
    return 0;
  },
};
