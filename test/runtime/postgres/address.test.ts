import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AddressError, readDatabaseUrl } from "../../../runtime/postgres/index.ts";

describe("the URL of a database", () => {
  it("names server, user and database", () => {
    const { config, shown } = readDatabaseUrl("postgres://u%40x:p%2Fw@db.example:6543/main?sslmode=disable&application_name=a");
    expect(config).toMatchObject({ host: "db.example", port: 6543, user: "u@x", password: "p/w", database: "main", ssl: false });
    expect(config.application_name).toBe("a");
    expect(shown).toBe("db.example:6543/main");
    const socket = readDatabaseUrl("postgresql:///main?host=/run/postgresql");
    expect(socket.config).toMatchObject({ host: "/run/postgresql", database: "main", ssl: false });
    expect(readDatabaseUrl("postgres://[::1]/main").config).toMatchObject({ host: "::1", ssl: false });
  });

  it.each([
    ["", {}],
    ["?sslmode=require", {}],
    ["?sslmode=verify-full", {}],
    ["?sslmode=require&sslrootcert=system", {}],
    ["?sslmode=no-verify", { rejectUnauthorized: false }],
    ["?sslmode=disable", false],
  ])("of another machine with %j decides about TLS", (query, ssl) => {
    expect(readDatabaseUrl(`postgres://db.example/main${query}`).config.ssl).toEqual(ssl);
  });

  it("names the files of an authority, and of the certificate and the key by which the server knows this service", () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-address-"));
    const file = (name: string) => {
      writeFileSync(join(folder, name), `the ${name}`);
      return join(folder, name);
    };
    const own = `sslcert=${file("certificate")}&sslkey=${file("key")}`;
    const sslOf = (query: string) => readDatabaseUrl(`postgres://db.example/main?${query}`).config.ssl;
    expect(sslOf(own)).toEqual({ cert: "the certificate", key: "the key" });
    // Whatever the certificate is named for, as long as it is of this authority.
    expect(sslOf(`sslmode=verify-ca&sslrootcert=${file("authority")}&${own}`)).toEqual({
      ca: "the authority",
      cert: "the certificate",
      key: "the key",
      checkServerIdentity: expect.any(Function),
    });
    rmSync(folder, { recursive: true });
  });

  it.each([
    ["mysql://u:hidden@h/d", /is not a URL of PostgreSQL/],
    ["postgres://u:hid den#@h:x/d", /is not a URL of PostgreSQL/],
    ["postgres://u:hidden@h", /names no database/],
    ["postgres://u:hidden@h/d?sslmode=prefer", /unknown sslmode; allowed are disable, require/],
    ["postgres://u:hidden@h/d?ssl=hidden", /parameter that is not known; allowed are sslmode/],
    ["postgres://u:hidden@h/d?sslmode=require&sslrootcert=/none", /file by sslrootcert that cannot be read/],
    ["postgres://u:hidden@h/d?connect_timeout=0", /connect_timeout/],
    ["postgres://u:hidden%zz@h/d", /write %25/],
  ])("is refused without a word of its secrets: %s", (url, message) => {
    expect(() => readDatabaseUrl(url)).toThrow(message);
    expect(() => readDatabaseUrl(url)).toThrow(AddressError);
    expect(() => readDatabaseUrl(url)).not.toThrow(/hid/);
  });
});
