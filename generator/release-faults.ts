/** What decides whether the packages may be published. */
export interface Release {
  readonly packageFile: {
    readonly name: string;
    readonly version: string;
    readonly private?: boolean;
    readonly repository?: string | { readonly url: string };
  };
  readonly changelog: string;
  readonly branch: string;
  /** Lines of `git status --porcelain`. */
  readonly changed: readonly string[];
  /** Who is logged in at the registry; undefined for nobody. */
  readonly user: string | undefined;
  readonly registry: readonly {
    readonly name: string;
    /** Undefined while nobody has the name. */
    readonly owners: readonly string[] | undefined;
    readonly hasVersion: boolean;
  }[];
}

/** Everything that has to be done before the packages may be published, each with what to do. */
export function releaseFaults({ packageFile, changelog, branch, changed, user, registry }: Release): string[] {
  const { version, repository } = packageFile;
  const faults: (string | false)[] = [
    packageFile.private === true && 'package.json: remove "private": true. It protects against publishing by mistake.',
    repository === undefined && 'package.json: set "repository" to the address of the repository.',
    !changelog.includes(`\n## [${version}]`) && `CHANGELOG.md: rename "[Unreleased]" to "[${version}]" and add the day.`,
    branch !== "main" && `git: switch to main (now on ${branch}).`,
    changed.length > 0 && `git: commit or remove ${changed.length === 1 ? "1 changed file" : `${changed.length} changed files`}.`,
    user === undefined && "npm: log in with `npm login`.",
    ...registry.flatMap(({ name, owners, hasVersion }) => [
      user !== undefined &&
        owners !== undefined &&
        !owners.includes(user) &&
        `npm: ${name} belongs to ${owners.join(", ")}. Choose another name.`,
      hasVersion && `npm: ${name}@${version} is published already. Raise "version" in package.json.`,
    ]),
  ];
  return faults.filter((fault) => fault !== false);
}
