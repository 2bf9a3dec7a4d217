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
