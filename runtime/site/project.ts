import { readFileSync } from "node:fs";
import packageFile from "../../package.json" with { type: "json" };

/** What every page says of the project. */
export interface ProjectFacts {
  readonly version: string;
  readonly license: string;
  /** Address of the repository, to whose files the pages then lead; undefined where `package.json` names none. */
  readonly repository: string | undefined;
  /** Address at which the site will be, with a slash at its end; undefined where it is not known. */
  readonly url: string | undefined;
}

export interface Project extends ProjectFacts {
  readonly changelog: string;
  readonly licenseText: string;
}

/** @throws TypeError for a `url` that is none */
export function readProject(url?: string): Project {
  const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
  return {
    ...ownFacts(),
    repository: repositoryOf(packageFile),
    changelog: read("CHANGELOG.md"),
    licenseText: read("LICENSE"),
    url: url === undefined ? undefined : new URL(url.replace(/\/*$/, "/")).href,
  };
}

/** What pages about connectors of another repository say: nobody knows its address, or that of its pages. */
export function ownFacts(): ProjectFacts {
  const { version, license } = packageFile;
  return { version, license, repository: undefined, url: undefined };
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
