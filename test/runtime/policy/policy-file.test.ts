import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import type { Logger } from "../../../runtime/base/logger.ts";
import { PolicyFile } from "../../../runtime/policy/index.ts";
import { standIn } from "../../support/shaped.ts";

const folder = mkdtempSync(join(tmpdir(), "tenon-policy-file-"));
const path = join(folder, "policy.yaml");
afterAll(() => rmSync(folder, { recursive: true }));

it("a file that cannot be used allows no write, is logged with what is wrong, and is read again", async () => {
  const file = new PolicyFile(path, []);
  const error = vi.fn();
  const log = standIn<Logger>({ error });
  const refused = { code: "policy_unusable" };
  await expect(file.forWrite(log)).rejects.toMatchObject(refused);
  const rules = "rules: [{effect: reject}]\n#";
  writeFileSync(path, rules.padEnd(256 * 1024 + 1, "a"));
  await expect(file.forWrite(log)).rejects.toMatchObject(refused);
  expect(error.mock.calls).toEqual([
    [{ policy: `${path} cannot be read: ENOENT` }, "the policy cannot be used: writes are refused"],
    [{ policy: `${path} must have at most 262144 bytes` }, "the policy cannot be used: writes are refused"],
  ]);
  writeFileSync(path, rules.padEnd(256 * 1024, "a"));
  expect(await file.forWrite(log)).toEqual([{ effect: "reject" }]);
  expect(error).toHaveBeenCalledTimes(2);
});
