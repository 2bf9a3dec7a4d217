import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import type { ClientConfig } from "pg";

/** What a URL of a database says. */
export interface DatabaseAddress {
  /** For messages: the server and the name of the database, without user and password. */
  readonly shown: string;
  readonly config: Pick<
    ClientConfig,
    "host" | "port" | "user" | "password" | "database" | "ssl" | "application_name" | "enableChannelBinding"
  > & {
    readonly connectionTimeoutMillis: number;
  };
}

/** What is wrong with a URL. The message never has a part of the URL in which the password may stand. */
export class AddressError extends Error {}

const tlsModes = ["disable", "require", "verify-ca", "verify-full", "no-verify"] as const;
type TlsMode = (typeof tlsModes)[number];

const parameters = [
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "host",
  "application_name",
  "connect_timeout",
  "channel_binding",
];
const tlsFiles = ["sslrootcert", "sslcert", "sslkey"] as const;

/**
 * Reads the URL of a database: `postgres://user:password@host:5432/name?sslmode=…`; a folder as `host=` is one of a Unix socket.
 *
 * `sslmode` decides about TLS. `verify-full` and `require`: the certificate must be good and made for this host (PostgreSQL's own programs
 * do not check it with `require`). `verify-ca`: it must be good. `no-verify`: TLS without a check. `disable`: no TLS. Without `sslmode`,
 * `verify-full` holds for other machines, and `disable` for this one. `allow` and `prefer` are refused: whoever stands between the two
 * machines could turn TLS off.
 *
 * @throws AddressError
 */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "postgres:" && url.protocol !== "postgresql:"))
    throw new AddressError(
      "is not a URL of PostgreSQL: write postgres://user:password@host:5432/database, and percent-encode special characters of the password",
    );
  const given = Object.fromEntries(url.searchParams);
  for (const name of Object.keys(given))
    if (!parameters.includes(name))
      throw new AddressError(`has a parameter that is not known; allowed are ${parameters.join(", ")}`);
  const host = given["host"] ?? (decoded(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost");
  const database = decoded(url.pathname.slice(1));
  if (database === "")
    throw new AddressError("names no database: write its name after the host, as in postgres://host:5432/database");
  const port = url.port === "" ? 5432 : Number(url.port);
  return {
    shown: `${host}${host.startsWith("/") ? "" : `:${port}`}/${database}`,
    config: {
      host,
      port,
      database,
      ...(url.username === "" ? {} : { user: decoded(url.username) }),
      ...(url.password === "" ? {} : { password: decoded(url.password) }),
      ssl: tlsOf(host, given),
      application_name: given["application_name"] ?? "tenon",
      // It adds to the check of the certificate, where the server offers it.
      enableChannelBinding: ["prefer", "require"].includes(given["channel_binding"] ?? ""),
      connectionTimeoutMillis: seconds(given["connect_timeout"]) * 1000,
    },
  };
}

function tlsOf(host: string, given: Readonly<Record<string, string>>): false | ConnectionOptions {
  const mode = given["sslmode"] ?? (isThisMachine(host) ? "disable" : "verify-full");
  if (!isTlsMode(mode)) throw new AddressError(`has an unknown sslmode; allowed are ${tlsModes.join(", ")}`);
  if (mode === "disable") return false;
  const [ca, cert, key] = tlsFiles.map((name) =>
    given[name] === undefined || given[name] === "system" ? {} : { file: read(name, given[name]) },
  );
  const files = {
    ...(ca?.file === undefined ? {} : { ca: ca.file }),
    ...(cert?.file === undefined ? {} : { cert: cert.file }),
    ...(key?.file === undefined ? {} : { key: key.file }),
  };
  switch (mode) {
    case "no-verify":
      return { ...files, rejectUnauthorized: false };
    case "verify-ca":
      return { ...files, checkServerIdentity: () => undefined };
    case "require":
    case "verify-full":
      return files;
  }
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new AddressError(`names a file by ${name} that cannot be read`);
  }
}

function seconds(text: string | undefined): number {
  const value = Number(text ?? "5");
  if (!(value >= 1 && value <= 60)) throw new AddressError("has a connect_timeout that is not a number of seconds from 1 to 60");
  return value;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressError("has a % that is not followed by two hexadecimal digits: write %25 for it");
  }
}

function isTlsMode(text: string): text is TlsMode {
  return tlsModes.some((mode) => mode === text);
}

function isThisMachine(host: string): boolean {
  return host.startsWith("/") || host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
