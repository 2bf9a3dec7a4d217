import { globalId } from "../world/identity.ts";
import type { Language, License, Repository, Topic } from "../world/repository.ts";
import { hour, type Seed } from "./seed.ts";

type Given = Pick<Repository, "owner" | "name"> & Partial<Repository>;

/** A repository with nothing in it yet, added to the world. */
export function repository(seed: Seed, given: Given): Repository {
  const made: Repository = {
    __typename: "Repository",
    ...seed.identities.make("Repository"),
    description: null,
    homepageUrl: null,
    isPrivate: false,
    isArchived: false,
    archivedAt: null,
    isTemplate: false,
    isDisabled: false,
    isLocked: false,
    hasIssuesEnabled: true,
    hasDiscussionsEnabled: false,
    hasProjectsEnabled: true,
    hasWikiEnabled: true,
    parent: null,
    forks: [],
    licenseInfo: null,
    languages: [],
    topics: [],
    diskUsage: 0,
    createdAt: hour(-1000 + seed.world.repositories.length * 24),
    updatedAt: hour(21_000 - seed.world.repositories.length * 24),
    pushedAt: null,
    defaultBranch: "main",
    collaborators: [],
    stargazers: [],
    watchers: [],
    labels: [],
    milestones: [],
    issues: [],
    pullRequests: [],
    discussions: [],
    discussionCategories: [],
    releases: [],
    refs: [],
    objects: new Map(),
    lastNumber: 0,
    ...given,
  };
  made.parent?.forks.push(made);
  seed.world.repositories.push(made);
  return made;
}

const colours: Readonly<Record<string, string | null>> = {
  TypeScript: "#3178c6",
  Rust: "#dea584",
  Python: "#3572A5",
  Shell: "#89e051",
  Ruby: "#701516",
  Roff: null,
};

export function language(seed: Seed, name: string): Language {
  const made = seed.languages.get(name) ?? {
    __typename: "Language",
    id: seed.identities.make("Language").id,
    name,
    color: colours[name] ?? null,
  };
  seed.languages.set(name, made);
  return made;
}

export function topic(seed: Seed, name: string): Topic {
  const made = seed.topics.get(name) ?? { __typename: "Topic", id: seed.identities.make("Topic").id, name };
  seed.topics.set(name, made);
  return made;
}

export function license(seed: Seed, spdxId: string, name: string): License {
  const key = spdxId.toLowerCase();
  const made = seed.licenses.get(key) ?? {
    __typename: "License",
    id: globalId("LIC", key),
    key,
    name,
    spdxId,
    nickname: null,
    url: `http://choosealicense.com/licenses/${key}/`,
  };
  seed.licenses.set(key, made);
  return made;
}

/** Gives the repository stars from so many of the known users, oldest first. */
export function stars(seed: Seed, to: Repository, count: number): void {
  for (const [index, user] of seed.random.sample(seed.world.users, count).entries()) {
    const starredAt = hour(500 + index * 37);
    to.stargazers.push({ user, starredAt });
    user.starred.push({ repository: to, starredAt });
  }
  to.watchers.push(...seed.random.sample(seed.world.users, Math.ceil(count / 2)));
}
