import { readFileSync } from "node:fs";
import packageFile from "../../package.json" with { type: "json" };

/** What the pages say of the project itself. */
export interface Project {
  readonly version: string;
  readonly license: string;
  readonly changelog: string;
  readonly licenseText: string;
  /** Address of the repository, to whose files the pages then lead; undefined where `package.json` names none. */
  readonly repository: string | undefined;
  /** Address at which the site will be, with a slash at its end; undefined where it is not known. */
  readonly url: string | undefined;
}

/** @throws TypeError for a `url` that is none */
export function readProject(url?: string): Project {
  const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
  const { version, license } = packageFile;
  return {
    version,
    license,
    changelog: read("CHANGELOG.md"),
    licenseText: read("LICENSE"),
    repository: repositoryOf(packageFile),
    url: url === undefined ? undefined : new URL(url.replace(/\/*$/, "/")).href,
  };
}

/** The address of a page where `repository` in `package.json` is one, or names one for git. */
function repositoryOf(file: {
  readonly name: string;
  readonly repository?: string | { readonly url: string };
}): string | undefined {
  const { repository } = file;
  const address = typeof repository === "object" ? repository.url : repository;
  return address?.replace(/^git\+/, "").replace(/\.git$/, "");
}
