import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";

/** Starts two processes that only wait, and ends the first one. The other one shares the output, which closes when it has ended too. */
const tests = `
  import { spawn } from "node:child_process";
  import { once } from "node:events";
  import { endsWithTests } from ${JSON.stringify(new URL("./ends-with-tests.ts", import.meta.url).href)};
  const start = () => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: ["ignore", "inherit", "ignore"] });
  const [one, other] = [start(), start()].map(endsWithTests);
  one.kill();
  await once(one, "exit");
  console.log(other.exitCode);
  await once(other, "exit");
`;

it.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)("what tests have started ends when %s ends the tests", async (signal) => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", tests], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = await once(child.stdout, "data");
  expect(String(said)).toBe("null\n");
  child.kill(signal);
  await once(child, "close");
});
