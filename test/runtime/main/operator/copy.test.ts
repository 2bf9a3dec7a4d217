import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { copyStore } from "../../../../runtime/main/operator/copy.ts";

const folder = mkdtempSync(join(tmpdir(), "tenon-copy-"));
const link = `${folder}-link`;
symlinkSync(folder, link);
afterAll(() => {
  rmSync(link);
  rmSync(folder, { recursive: true });
});

const copied = (from: string, to: string) => {
  const nothing = () => undefined;
  return copyStore({ from, to }, [], nothing, nothing);
};

describe("a copy of a store", () => {
  it.each([
    [folder, `${folder}/`],
    [folder, relative(process.cwd(), folder)],
    [link, folder],
    [`${folder}/none`, `${folder}/./none`],
    ["postgres://a:b@db/tenon", "postgresql://c@DB:5432/tenon?sslmode=require"],
    ["postgres:///tenon", "postgres://127.0.0.1/tenon"],
    ["postgres:///tenon?host=/run/pg", "postgres:///%74enon?host=/run/pg"],
  ])("from %s to %s is refused, because these are the same place", async (from, to) => {
    await expect(copied(from, to)).rejects.toThrow("--from and --to name the same place");
  });

  it.each([
    [folder, `${folder}/copy`, /^--from: the folder .* has neither/],
    ["postgres://db/tenon", "postgres://db/", /^--to names no database/],
    ["postgres://db/tenon?x=1", "postgres://db/tenon", /^--from has a parameter/],
  ])("from %s to %s is refused for another reason", async (from, to, message) => {
    await expect(copied(from, to)).rejects.toThrow(message);
  });
});
