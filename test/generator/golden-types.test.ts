import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

// Apart from golden.test.ts, which says what is generated: this can only fail where the types of the runtime are as they are written.

it("the expected files of all golden cases pass the type check", () => {
  const root = join(import.meta.dirname, "../golden");
  const cases = readdirSync(root).filter((name) => existsSync(join(root, name, "expected")));
  expect(cases.length).toBeGreaterThanOrEqual(4);
  const folder = join(root, "../../.cache/golden");
  rmSync(folder, { recursive: true, force: true });
  for (const name of cases) {
    cpSync(join(root, name, "expected"), join(folder, name), { recursive: true });
    rmSync(join(folder, name, "index.ts"), { force: true });
  }
  for (const name of ["runtime", "package.json"]) symlinkSync(`../../${name}`, join(folder, name));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../tsconfig.json", include: cases.map((name) => `${name}/*/*.ts`), exclude: [] }),
  );
  const tsc = join(root, "../../node_modules/.bin/tsc");
  expect(() => execFileSync(tsc, ["-p", folder], { encoding: "utf8" })).not.toThrow();
});
