import type { Blob, Commit, Ref, TreeEntry } from "../../../runtime/simulated/github/world/git.ts";
import type { Release } from "../../../runtime/simulated/github/world/repository.ts";
import { nameWithOwner } from "../../../runtime/simulated/github/world/world.ts";
import { account, commitReference, type Expected, gitPerson, headline, web } from "./shared.ts";

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
/** How the simulated platform plays checks: by the first digit of the SHA. */
const checks = [null, "success", "failure", "pending"] as const;

export function commitRecord(one: Commit): Expected {
  return {
    defaults: {
      sha: one.oid,
      id: one.id,
      repository: nameWithOwner(one.repository),
      messageHeadline: headline(one),
      message: one.message,
      author: gitPerson(one.author),
      committer: gitPerson(one.committer),
      createdAt: one.author.date,
      committedAt: one.committer.date,
      additions: sum(one.changes.map((change) => change.additions)),
      deletions: sum(one.changes.map((change) => change.deletions)),
      changedFiles: one.changes.length,
      parents: one.parents.map(commitReference),
      url: web(one),
    },
    extras: {
      authorLogin: one.author.user?.login ?? null,
      authorName: one.author.name,
      abbreviatedSha: one.oid.slice(0, 7),
      checks: checks[Number.parseInt(one.oid.slice(0, 1), 16) % 4] ?? null,
      isVerified: one.signed ? true : null,
      treeUrl: web(one.tree),
    },
  };
}

export function branchRecord(one: Ref): Expected {
  const { repository, target } = one;
  return {
    defaults: {
      name: one.name,
      repository: nameWithOwner(repository),
      commit: target.__typename === "Commit" ? commitReference(target) : null,
      id: one.id,
    },
    extras: { associatedPullRequestCount: repository.pullRequests.filter((pull) => pull.headRefName === one.name).length },
  };
}

export function tagRecord(one: Ref): Expected {
  const { target } = one;
  const annotated = target.__typename === "Tag";
  return {
    defaults: {
      name: one.name,
      repository: nameWithOwner(one.repository),
      commit: annotated ? null : commitReference(target),
      annotation: annotated ? { sha: target.oid, message: target.message, tagger: gitPerson(target.tagger) } : null,
      taggedCommit: annotated ? commitReference(target.target) : null,
      id: one.id,
    },
    extras: {},
  };
}

export function releaseRecord(one: Release): Expected {
  const { repository } = one;
  const tag = repository.refs.find((ref) => ref.prefix === "refs/tags/" && ref.name === one.tagName)?.target;
  const commit = tag?.__typename === "Tag" ? tag.target : tag;
  const address = `${web(repository)}/releases/download/${encodeURIComponent(one.tagName)}`;
  return {
    defaults: {
      id: one.id,
      databaseId: one.databaseId,
      repository: nameWithOwner(repository),
      name: one.name,
      tagName: one.tagName,
      description: one.description,
      isDraft: one.isDraft,
      isPrerelease: one.isPrerelease,
      isLatest: repository.releases.filter((other) => !other.isDraft && !other.isPrerelease).at(-1) === one,
      author: one.author === null ? null : account(one.author),
      createdAt: one.createdAt,
      publishedAt: one.publishedAt,
      updatedAt: one.updatedAt,
      url: web(one),
    },
    extras: {
      authorLogin: one.author?.login ?? null,
      assets: one.assets.map(({ id, name, contentType, size, downloadCount }) => {
        return { id, name, contentType, size, downloadCount, downloadUrl: `${address}/${encodeURIComponent(name)}` };
      }),
      commit: commit === undefined ? null : commitReference(commit),
      reactionCount: one.reactions.length,
    },
  };
}

/** GitHub cuts a text at so many bytes. */
const textLimit = 512_000;

export function fileRecord(one: Blob, path: string, ref: string): Expected {
  const truncated = !one.isBinary && one.bytes.length > textLimit;
  return {
    defaults: {
      path,
      ref,
      repository: nameWithOwner(one.repository),
      oid: one.oid,
      byteSize: one.bytes.length,
      isBinary: one.isBinary,
      isTruncated: truncated,
      text: one.isBinary ? null : truncated ? expectedCut(one.bytes) : one.bytes.toString(),
    },
    extras: { id: one.id },
  };
}

/** Whole characters only: the last one is left out when the limit falls into it. */
function expectedCut(bytes: Buffer): string {
  let end = textLimit;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString();
}

const languages: Readonly<Record<string, string>> = {
  ".ts": "TypeScript",
  ".sh": "Shell",
  ".md": "Markdown",
  ".json": "JSON",
};

export function entryRecord(one: TreeEntry, ref: string): Expected {
  const bytes = one.object?.__typename === "Blob" ? one.object.bytes : undefined;
  const dot = one.name.lastIndexOf(".");
  const extension = one.type === "blob" && dot >= 0 ? one.name.slice(dot) : "";
  const isText = one.object?.__typename === "Blob" && !one.object.isBinary;
  return {
    defaults: {
      name: one.name,
      path: one.path,
      type: one.type,
      oid: one.oid,
      size: bytes?.length ?? 0,
      mode: one.mode,
      extension,
      repository: nameWithOwner(one.repository),
      ref,
    },
    extras: {
      isGenerated: false,
      language: languages[extension] ?? null,
      lineCount: isText && bytes !== undefined ? bytes.toString().split("\n").length - 1 : null,
    },
  };
}
