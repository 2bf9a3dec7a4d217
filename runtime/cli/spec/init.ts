import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { scaffold } from "../../../generator/index.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { out } from "../output/standard-output.ts";
import { checkConnectorName } from "./connector-name.ts";
import { packOwn } from "./own-package.ts";
import { specInit } from "./spec-init.ts";

interface InitFlags {
  readonly graphql: string | undefined;
  readonly openapi: string | undefined;
  readonly only: readonly string[];
}

/**
 * `tenon init`: makes a folder with a connector that generates, tests and serves: a small one, or one that is drafted from the platform's
 * own description.
 *
 * @returns 0, or 1 when something in a draft is left to mend
 * @throws CommandError
 */
export async function run([folder = ""]: readonly string[], flags: InitFlags, words: readonly string[]): Promise<number> {
  const place = resolve(folder);
  const name = basename(place);
  checkConnectorName(name, words);
  const isNew = !existsSync(place);
  if (!isNew && readdirSync(place).length > 0)
    throw new CommandError(`${folder} is not empty; name a new folder`, exitStatus.usage);
  const drafts = flags.graphql !== undefined || flags.openapi !== undefined;
  if (!drafts && flags.only.length > 0)
    throw new CommandError("--only chooses entities of a description: give it with --graphql or --openapi", exitStatus.usage);
  const status = drafts ? await specInit.run([name], { ...flags, spec: join(place, "spec") }, words) : 0;
  mkdirSync(place, { recursive: true });
  const tarball = packOwn(place);
  for (const template of [scaffold.common, drafts ? scaffold.drafted : scaffold.small])
    write(fileURLToPath(template), place, { name, tarball });
  const next = ["npm install", "npm run generate", "npm test"];
  out.line(
    out.isTTY
      ? `Made ${folder}. Next:\n\n${[`cd ${folder}`, ...next].map((line) => `  ${line}`).join("\n")}`
      : JSON.stringify({ event: "made", folder, next }),
  );
  return status;
}

/** Writes the files of a template into the folder of a new connector. */
function write(template: string, place: string, { name, tarball }: { name: string; tarball: string }): void {
  for (const file of readdirSync(template, { recursive: true, encoding: "utf8" }).filter((one) => one.endsWith(".tmpl"))) {
    const target = join(place, targetOf(file.replaceAll("\\", "/"), name));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, filled(readFileSync(join(template, file), "utf8"), name, tarball));
  }
}

/** Path of a file in the new folder. The spec stands in a folder with the connector's name. */
function targetOf(template: string, name: string): string {
  const path = template.replace(/\.tmpl$/, "").replace(/^gitignore$/, ".gitignore");
  return path.replace(/^spec\//, `spec/${name}/`);
}

function filled(text: string, name: string, tarball: string): string {
  const words = name.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const values: Readonly<Record<string, string>> = {
    name,
    title: words.join(" "),
    Class: words.join(""),
    NAME: name.toUpperCase().replaceAll("-", "_"),
    tarball,
  };
  return text.replace(/\{\{(\w+)\}\}/g, (found, key: string) => values[key] ?? found);
}
