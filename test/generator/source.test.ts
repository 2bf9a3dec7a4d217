import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { readDescribed } from "../../generator/extract/source.ts";

/** A byte order mark. */
const mark = "\uFEFF";

it("a description's source has nothing of its address that may be secret, and messages neither", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.statusCode = url?.startsWith("/none") === true ? 404 : 200;
    if (url?.startsWith("/cut") === true) response.writeHead(200, { "content-length": 9 }).write("{", () => response.destroy());
    else response.setHeader("connection", "close").end(`${url === "/marked.json" ? mark : ""}{}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    expect(await readDescribed(`http://${host}/api.json?token=canary`)).toEqual({
      text: "{}",
      source: `http://${host}/api.json`,
    });
    const failed = async (address: string) => String(await readDescribed(address).catch((thrown: unknown) => thrown));
    expect(await failed(`http://${host}/none?token=canary`)).toBe(
      `Error: cannot read "http://${host}/none": the response has status 404`,
    );
    const named = await failed(`http://me:canary@${host}/api.json`);
    expect(named).toContain("without a user");
    expect(named).not.toContain("canary");
    expect(asked).toEqual(["/api.json?token=canary", "/none?token=canary"]);
    expect(await failed(`ftp://me:canary@${host}/api.json?token=canary`)).toMatch(
      `Error: cannot read "ftp://${host}/api.json": it is not an http or https address; allowed: `,
    );
    for (const address of ["https://me:canary/@example.com/?token=canary", "example.com/api.json?token=canary"]) {
      const message = await failed(address);
      expect(message).toContain("; allowed: a file, an http or https address");
      expect(message).not.toContain("canary");
    }
    expect(await readDescribed(`HTTP://${host}/marked.json`)).toEqual({ text: "{}", source: `http://${host}/marked.json` });
    expect(await failed(`http://${host}/cut.json?token=canary`)).toMatch(
      `Error: cannot read "http://${host}/cut.json": terminated: `,
    );
    server.close();
    expect(await failed(`http://${host}/api.json?token=canary`)).toBe(
      `Error: cannot read "http://${host}/api.json": fetch failed: connect ECONNREFUSED ${host}`,
    );
  } finally {
    server.close();
  }
});

it("a file of a package is read, and nothing outside the package", async () => {
  const own = mkdtempSync(join(tmpdir(), "tenon-source-"));
  mkdirSync(join(own, "package/inner"), { recursive: true });
  mkdirSync(join(own, "other"));
  writeFileSync(join(own, "package/api.json"), `${mark}{}`);
  // npm takes any name for the top folder of a package.
  writeFileSync(join(own, "other/more.json"), "[]");
  writeFileSync(join(own, "beside.json"), "{}");
  symlinkSync("../beside.json", join(own, "package/link.json"));
  // Stands for npm, which would ask the registry.
  const pack =
    '[ "$5" = @acme/api@1.0.0 ] && tar czf "$4/api.tgz" -C "$(dirname "$0")" package other beside.json && echo api.tgz';
  writeFileSync(join(own, "npm"), `#!/bin/sh\n${pack}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${own}:${process.env["PATH"]}`);
  try {
    expect(await readDescribed("@acme/api@1.0.0/api.json")).toEqual({ text: "{}", source: "@acme/api@1.0.0/api.json" });
    expect(await readDescribed("@acme/api@1.0.0/more.json")).toEqual({ text: "[]", source: "@acme/api@1.0.0/more.json" });
    for (const path of ["none.json", "../beside.json", "link.json", "inner", "api.json/none", "beside.json"])
      await expect(readDescribed(`@acme/api@1.0.0/${path}`)).rejects.toThrow(`@acme/api@1.0.0 has no file "${path}"`);
  } finally {
    vi.unstubAllEnvs();
    rmSync(own, { recursive: true });
  }
});

it("a file is read without a byte order mark; a folder and what is not text in UTF-8 are refused", async () => {
  const own = mkdtempSync(join(tmpdir(), "tenon-source-"));
  const file = join(own, "schema.graphql");
  writeFileSync(file, `${mark}type Query`);
  try {
    expect(await readDescribed(file)).toEqual({ text: "type Query", source: "schema.graphql" });
    for (const [bytes, why] of [
      [Buffer.from("gr\u00f6\u00dfe", "latin1"), "it is not text in UTF-8"],
      [Buffer.from("\ufefftype Query", "utf16le"), "it is not text in UTF-8"],
      [Buffer.alloc(0), "it is empty"],
    ] as const) {
      writeFileSync(file, bytes);
      await expect(readDescribed(file)).rejects.toThrow(`cannot read "schema.graphql": ${why}`);
    }
    await expect(readDescribed(own)).rejects.toThrow(`cannot read "${own}": it is a folder; allowed: a file, `);
    await expect(readDescribed(join(own, "none"))).rejects.toThrow(`cannot read "${own}/none": there is no such file; allowed: `);
  } finally {
    rmSync(own, { recursive: true });
  }
});
