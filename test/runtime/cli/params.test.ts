import { describe, expect, it } from "vitest";
import { readJson, readParams } from "../../../runtime/cli/request/params.ts";

describe("the value of a flag in JSON", () => {
  it("may be a file, and one that cannot be read is refused with the reason", async () => {
    expect(await readJson(`@${import.meta.dirname}/../../../package.json`, "--filter")).toMatchObject({ name: "tenon" });
    await expect(readJson("@/nowhere/filter.json", "--filter")).rejects.toMatchObject({
      exit: 64,
      message: "--filter: /nowhere/filter.json cannot be read (ENOENT)",
    });
  });

  it.each(["[]", "null", "1"])("of --params must be an object, and not %s", async (text) => {
    await expect(readParams(text)).rejects.toMatchObject({
      exit: 64,
      message: expect.stringMatching(/^--params must be a JSON object/),
    });
  });
});
