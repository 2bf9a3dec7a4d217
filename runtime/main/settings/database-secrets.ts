import { readDatabaseUrl } from "../../postgres/address.ts";
import type { Settings } from "./settings.ts";

/** What must not stand in a log: the URLs of databases, and the passwords in them. */
export function databaseSecrets(settings: Pick<Settings, "databaseUrl" | "databaseReadUrl" | "accountsDatabaseUrl">): string[] {
  return [settings.databaseUrl, settings.databaseReadUrl, settings.accountsDatabaseUrl]
    .filter((url) => url !== "")
    .flatMap((url) => {
      const { password } = readDatabaseUrl(url).config;
      return typeof password === "string" ? [url, password] : [url];
    });
}
