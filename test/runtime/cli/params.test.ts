import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readJson, readParams } from "../../../runtime/cli/request/params.ts";

describe("the value of a flag in JSON", () => {
  it("may be a file, and one that cannot be read is refused with the reason", async () => {
    expect(await readJson(`@${import.meta.dirname}/../../../package.json`, "--filter")).toMatchObject({ name: "tenon" });
    await expect(readJson("@/nowhere/filter.json", "--filter")).rejects.toMatchObject({
      exit: 64,
      message: "--filter: /nowhere/filter.json cannot be read (ENOENT)",
    });
  });

  it("may be a file that begins with a byte order mark", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-params-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "params.json");
    writeFileSync(file, '\uFEFF{"owner":"octocat"}');
    expect(await readParams(`@${file}`)).toEqual({ owner: "octocat" });
  });

  it("has each member of an object once", async () => {
    await expect(readParams('{"owner":"octocat","repo":{"a":1,"a":2}}')).rejects.toMatchObject({
      code: "invalid_json",
      message: '/repo/a: --params has the member "a" twice.',
    });
    expect(await readJson('[{"a":1},{"a":2}]', "--filter")).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it.each(["[]", "null", "1"])("of --params must be an object, and not %s", async (text) => {
    await expect(readParams(text)).rejects.toMatchObject({
      exit: 64,
      message: expect.stringMatching(/^--params must be a JSON object/),
    });
  });
});
