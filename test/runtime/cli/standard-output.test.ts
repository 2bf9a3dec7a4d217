import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";

const record = JSON.stringify({ title: "a\u009b31mb\u202ec\u{e0041}\td" });
const program = `
  const { out } = await import(${JSON.stringify(new URL("../../../runtime/cli/output/standard-output.ts", import.meta.url).href)});
  out.line(${JSON.stringify(record)});
`;
const run = (file: string, args: readonly string[]) =>
  execFileSync(file, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

it.runIf(process.platform === "linux" && existsSync("/usr/bin/script"))("gives a terminal only visible characters", () => {
  const command = `"${process.execPath}" --input-type=module -e "$PROGRAM"`;
  process.env["PROGRAM"] = program;
  expect(run("/usr/bin/script", ["-qec", command, "/dev/null"])).toBe('{"title":"a31mbc\\td"}\r\n');
});

it("gives a program the text as it is", () => {
  expect(run(process.execPath, ["--input-type=module", "-e", program])).toBe(`${record}\n`);
});
