import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apiKeyFile, keptApiKey } from "../../../runtime/server/callers/api-key.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-key-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the file of the API key", () => {
  it("is read again after it was written", () => {
    const made = keptApiKey(folder);
    made.keep?.();
    expect(keptApiKey(folder)).toEqual({ hash: made.hash, shown: undefined });
  });

  it.each(["", "null", "[]", "{junk", '{"sha256":5}', '{"sha256":"short"}'])(
    "that holds %j is refused by its name",
    (content) => {
      writeFileSync(apiKeyFile(folder), content);
      expect(() => keptApiKey(folder)).toThrow(`${apiKeyFile(folder)} does not hold the hash of a key`);
    },
  );

  it("of a process that starts at the same time is kept, and the other process says why it ends", () => {
    const [first, second] = [keptApiKey(folder), keptApiKey(folder)];
    first.keep?.();
    expect(() => second.keep?.()).toThrow(`${apiKeyFile(folder)} was made by another process in the meantime; start again`);
    expect(keptApiKey(folder)).toEqual({ hash: first.hash, shown: undefined });
  });

  it("that cannot be written is refused by its name", () => {
    const made = keptApiKey(folder);
    rmSync(folder, { recursive: true });
    expect(() => made.keep?.()).toThrow(`${apiKeyFile(folder)} cannot be written (ENOENT)`);
  });

  it("that is a folder is refused by its name", () => {
    mkdirSync(apiKeyFile(folder));
    expect(() => keptApiKey(folder)).toThrow(`${apiKeyFile(folder)} cannot be read (EISDIR)`);
  });
});
