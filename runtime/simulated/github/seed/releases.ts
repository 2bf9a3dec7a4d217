import type { Commit } from "../world/git.ts";
import type { Release, Repository } from "../world/repository.ts";
import { annotatedTag, person, reference } from "./git.ts";
import { someReactions } from "./issues.ts";
import { type Seed, someUser } from "./seed.ts";

type ReleaseSource = Pick<Release, "tagName"> & Partial<Release>;

const sources: readonly ReleaseSource[] = [
  { tagName: "v0.1.0", name: null, description: null },
  { tagName: "v0.2.0-rc.1", name: 'Candidate "1"', description: "Try it.", isPrerelease: true },
  { tagName: "v1.0.0", name: "One point oh 🎉", description: '## Changes\r\n\r\n* {braces} and "quotes"\n* שלום' },
  { tagName: "v1.0.1", name: "", description: "", author: null },
  { tagName: "nightly/2024-05-01", name: "Nightly", description: "A tag with a slash.", isPrerelease: true },
  { tagName: "v1.1.0", name: "Next", description: "Not published yet.", isDraft: true, publishedAt: null },
];

/** Tags along the history (annotated and lightweight in turn), releases on them, and tags without a release. */
export function seedReleases(seed: Seed, repository: Repository, history: readonly Commit[]): void {
  const step = Math.floor(history.length / (sources.length + 3));
  for (const [index, source] of sources.entries()) {
    const target = history[(index + 1) * step];
    if (target === undefined) throw new Error("the history is too short for the releases");
    // A draft has no tag of its own before it is published.
    if (source.isDraft !== true) tag(seed, repository, source.tagName, target, index % 2 === 0);
    release(seed, repository, { createdAt: target.author.date, ...source });
  }
  const last = history.at(-1);
  if (last === undefined) return;
  tag(seed, repository, "untested", last, false);
  tag(seed, repository, "signed-off", last, true);
}

function tag(seed: Seed, repository: Repository, name: string, target: Commit, annotated: boolean): void {
  if (!annotated) reference(repository, "refs/tags/", name, target);
  else annotatedTag(repository, name, `Release ${name}\n\nWith a body.\n`, target, person(someUser(seed), target.author.date));
}

export function release(seed: Seed, repository: Repository, given: ReleaseSource & Pick<Release, "createdAt">): Release {
  const { createdAt } = given;
  const made: Release = {
    __typename: "Release",
    ...seed.identities.make("Release"),
    repository,
    name: null,
    description: null,
    author: someUser(seed),
    isDraft: false,
    isPrerelease: false,
    publishedAt: createdAt,
    updatedAt: createdAt,
    assets: [],
    reactions: someReactions(seed, createdAt),
    ...given,
  };
  for (const name of seed.random.sample(["tool-linux.tar.gz", "tool-macos.zip", "check sums.txt"], seed.random.below(4))) {
    made.assets.push({
      __typename: "ReleaseAsset",
      id: seed.identities.make("ReleaseAsset").id,
      name,
      contentType: name.endsWith(".txt") ? "text/plain" : "application/octet-stream",
      size: 1000 + seed.random.below(9_000_000),
      downloadCount: seed.random.below(5000),
      uploadedBy: someUser(seed),
      createdAt,
      updatedAt: createdAt,
    });
  }
  repository.releases.push(made);
  return made;
}
