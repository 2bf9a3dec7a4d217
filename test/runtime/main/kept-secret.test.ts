import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { keptSecret, keptSecretFile, makeSecret } from "../../../runtime/main/settings/kept-secret.ts";

const dataDir = mkdtempSync(join(tmpdir(), "tenon-kept-secret-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

it("a secret key is made once, is the only file that is left, and is refused where it cannot be stored", () => {
  expect(keptSecret(dataDir)).toEqual([]);
  const made = makeSecret(dataDir);
  expect(made).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  expect(makeSecret(dataDir)).toEqual(made);
  expect(readdirSync(dataDir)).toEqual(["secret-key"]);
  expect(statSync(keptSecretFile(dataDir)).mode & 0o777).toBe(0o600);
  expect(() => makeSecret(join(dataDir, "nowhere"))).toThrow("secret-key cannot be made (ENOENT)");
});
