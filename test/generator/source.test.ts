import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { readDescribed } from "../../generator/extract/source.ts";

it("a description's source has nothing of its address that may be secret, and messages neither", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.statusCode = url?.startsWith("/none") === true ? 404 : 200;
    response.end("{}");
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
  } finally {
    server.close();
  }
});

it("a file of a package is read, and nothing outside the package", async () => {
  const own = mkdtempSync(join(tmpdir(), "tenon-source-"));
  mkdirSync(join(own, "package"));
  writeFileSync(join(own, "package/api.json"), "{}");
  writeFileSync(join(own, "beside.json"), "{}");
  // Stands for npm, which would ask the registry.
  const pack = '[ "$5" = @acme/api@1.0.0 ] && tar czf "$4/api.tgz" -C "$(dirname "$0")" package beside.json && echo api.tgz';
  writeFileSync(join(own, "npm"), `#!/bin/sh\n${pack}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${own}:${process.env["PATH"]}`);
  try {
    expect(await readDescribed("@acme/api@1.0.0/api.json")).toEqual({ text: "{}", source: "@acme/api@1.0.0/api.json" });
    for (const path of ["none.json", "../beside.json"])
      await expect(readDescribed(`@acme/api@1.0.0/${path}`)).rejects.toThrow(`@acme/api@1.0.0 has no file "${path}"`);
  } finally {
    vi.unstubAllEnvs();
    rmSync(own, { recursive: true });
  }
});
