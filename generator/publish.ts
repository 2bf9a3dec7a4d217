// `make publish` checks everything and publishes nothing; `make publish YES=1` publishes both packages when nothing is wrong.

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Release, releaseFaults } from "./release-faults.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const isMeant = process.argv.includes("--yes");

/** What a command prints; undefined where it fails, as `npm view` does for a name that nobody has. */
function output(command: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function run(command: string, args: readonly string[], cwd = root): void {
  execFileSync(command, args, { cwd, stdio: "inherit" });
}

const packageFile = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as Release["packageFile"];
const owner = output("npm", "whoami");
const names = [packageFile.name, `${packageFile.name}-client`];
const faults = releaseFaults({
  packageFile,
  changelog: readFileSync(`${root}/CHANGELOG.md`, "utf8"),
  branch: output("git", "rev-parse", "--abbrev-ref", "HEAD") ?? "",
  changed: (output("git", "status", "--porcelain") ?? "").split("\n").filter((line) => line !== ""),
  user: owner,
  registry: names.map((name) => ({
    name,
    owners: output("npm", "view", name, "maintainers")?.match(/[\w.-]+(?= <)/g) ?? undefined,
    hasVersion: (output("npm", "view", `${name}@${packageFile.version}`, "version") ?? "") !== "",
  })),
});
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`${faults.length === 1 ? "1 problem" : `${faults.length} problems`}; nothing was published`);
  process.exit(1);
}
run("make", ["test"]);
run("make", ["build", "docs"]);
for (const cwd of [root, `${root}/dist/client-package`])
  run("npm", ["publish", "--ignore-scripts", ...(isMeant ? [] : ["--dry-run"])], cwd);
console.log(
  isMeant ? `Published ${names.join(" and ")} ${packageFile.version}.` : "All checks passed. `make publish YES=1` publishes.",
);
