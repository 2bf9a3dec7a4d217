import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import { type Order, ordered } from "../../../simulator/graphql/order.ts";
import type { Context, Fields } from "../resolver.ts";
import type { Blob, Commit, GitPerson, Ref, Submodule, Tag, Tree, TreeEntry } from "../world/git.ts";
import { ahead, history, peel } from "../world/head.ts";
import { globalId } from "../world/identity.ts";
import type { PullRequest } from "../world/issue.ts";
import { webPath } from "../world/path.ts";
import { always, html, resourcePath, url } from "./shared.ts";
import { chosenPullRequests, type PullRequestArguments } from "./thread-list.ts";

const textLimit = 512_000;

interface HistoryArguments extends PageArguments {
  readonly path?: string | null;
  readonly since?: string | null;
  readonly until?: string | null;
  readonly author?: { readonly id?: string | null; readonly emails?: readonly string[] | null } | null;
}

const headline = (message: string) => message.split("\n", 1)[0] ?? "";
const messageBody = (message: string) => message.slice(headline(message).length).replace(/^\n+/, "");
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const commit: Fields = {
  url,
  resourcePath,
  authoredDate: (record: Commit) => record.author.date,
  committedDate: (record: Commit) => record.committer.date,
  pushedDate: always(null),
  authoredByCommitter: (record: Commit) => record.author === record.committer,
  committedViaWeb: (record: Commit) => record.signed,
  messageHeadline: (record: Commit) => headline(record.message),
  messageBody: (record: Commit) => messageBody(record.message),
  messageHeadlineHTML: (record: Commit) => html(headline(record.message)),
  messageBodyHTML: (record: Commit) => html(messageBody(record.message)),
  additions: (record: Commit) => sum(record.changes.map((change) => change.additions)),
  deletions: (record: Commit) => sum(record.changes.map((change) => change.deletions)),
  changedFiles: (record: Commit) => record.changes.length,
  changedFilesIfAvailable: (record: Commit) => record.changes.length,
  treeUrl: (record: Commit, _args, context: Context) => `${context.web}${webPath(record.tree)}`,
  treeResourcePath: (record: Commit) => webPath(record.tree),
  tarballUrl: (record: Commit) => `https://codeload.github.com${webPath(record.repository)}/legacy.tar.gz/${record.oid}`,
  zipballUrl: (record: Commit) => `https://codeload.github.com${webPath(record.repository)}/legacy.zip/${record.oid}`,
  onBehalfOf: always(null),
  status: always(null),
  signature: (record: Commit) => (record.signed ? signature(record) : null),
  // The SHA of a commit decides its checks: no result, a success or a failure.
  statusCheckRollup: (record: Commit) => {
    const state = [null, "SUCCESS", "FAILURE", "PENDING"][Number.parseInt(record.oid.slice(0, 1), 16) % 4] ?? null;
    return state === null ? null : { id: globalId("SCR", record.oid), state, commit: record };
  },
  parents: (record: Commit, args: PageArguments, _context, info) =>
    connectionOf(record.parents, args, info, { parent: record.id }),
  authors: (record: Commit, args: PageArguments, _context, info) =>
    connectionOf([record.author], args, info, { parent: record.id }),
  associatedPullRequests: (record: Commit, args: PageArguments & { orderBy?: Order }, _context, info) => {
    const found = record.repository.pullRequests.filter((one) => one.mergeCommit === record || one.commits.includes(record));
    const keys = { CREATED_AT: (one: PullRequest) => one.createdAt, UPDATED_AT: (one: PullRequest) => one.updatedAt };
    return connectionOf(ordered(found, args.orderBy, keys), args, info, { parent: record.id });
  },
  history: (record: Commit, args: HistoryArguments, _context, info) => {
    const found = history(record).filter((one) => touches(one, args.path) && isBetween(one, args) && writtenBy(one, args.author));
    return connectionOf(found, args, info, { parent: record.id });
  },
  file: (record: Commit, args: { path: string }) => fileAt(record.tree, args.path),
};

function signature(record: Commit) {
  const verifiedAt = record.committer.date;
  return {
    __typename: "GpgSignature",
    email: record.author.email,
    isValid: true,
    payload: record.message,
    signature: "-----BEGIN PGP SIGNATURE-----\n\nsimulated\n-----END PGP SIGNATURE-----",
    signer: record.author.user,
    state: "VALID",
    verifiedAt,
    wasSignedByGitHub: false,
    keyId: "3262EFF25BA0D270",
  };
}

function touches(record: Commit, path: string | null | undefined): boolean {
  if (path === null || path === undefined || path === "") return true;
  const wanted = path.replace(/\/+$/, "");
  return record.changes.some((change) => change.path === wanted || change.path.startsWith(`${wanted}/`));
}

function isBetween(record: Commit, { since, until }: HistoryArguments): boolean {
  const at = Date.parse(record.committer.date);
  return (since == null || at >= Date.parse(since)) && (until == null || at <= Date.parse(until));
}

function writtenBy(record: Commit, author: HistoryArguments["author"]): boolean {
  if (author === null || author === undefined) return true;
  return author.id != null ? record.author.user?.id === author.id : (author.emails ?? []).includes(record.author.email);
}

function fileAt(tree: Tree, path: string): TreeEntry | undefined {
  const [name, ...rest] = path.split("/");
  const entry = tree.entries.find((one) => one.name === name);
  if (rest.length === 0) return entry;
  return entry?.object?.__typename === "Tree" ? fileAt(entry.object, rest.join("/")) : undefined;
}

const blob: Fields = {
  byteSize: (record: Blob) => record.bytes.length,
  isTruncated: (record: Blob) => !record.isBinary && record.bytes.length > textLimit,
  text: (record: Blob) => (record.isBinary ? null : cut(record.bytes)),
};

/** Cut at a number of bytes, but not through a character. */
function cut(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, textLimit), { stream: true });
}

const extension = (name: string) => /(\.[^.]*)$/.exec(name)?.[1] ?? "";
const languageNames: Readonly<Record<string, string>> = {
  ".ts": "TypeScript",
  ".rs": "Rust",
  ".sh": "Shell",
  ".md": "Markdown",
  ".json": "JSON",
};

const treeEntry: Fields = {
  extension: (record: TreeEntry) => (record.type === "blob" ? extension(record.name) : ""),
  isGenerated: always(false),
  language: (record: TreeEntry) => {
    const name = record.type === "blob" ? languageNames[extension(record.name)] : undefined;
    return name === undefined ? null : { __typename: "Language", id: globalId("LAN", name), name, color: null };
  },
  lineCount: (record: TreeEntry) => {
    if (record.object?.__typename !== "Blob" || record.object.isBinary) return null;
    return record.object.bytes.toString().split("\n").length - 1;
  },
  size: (record: TreeEntry) => (record.object?.__typename === "Blob" ? record.object.bytes.length : 0),
  nameRaw: (record: TreeEntry) => Buffer.from(record.name).toString("base64"),
  pathRaw: (record: TreeEntry) => Buffer.from(record.path).toString("base64"),
};

const ref: Fields = {
  associatedPullRequests: (record: Ref, args: PullRequestArguments, _context, info) => {
    const found = record.repository.pullRequests.filter(
      (one) => record.prefix === "refs/heads/" && one.headRefName === record.name,
    );
    return connectionOf(chosenPullRequests(found, args), args, info, { parent: record.id });
  },
  branchProtectionRule: always(null),
  refUpdateRule: always(null),
  compare: (record: Ref, args: { headRef: string }) => {
    const base = peel(record.target);
    const head = peel(record.repository.refs.find((one) => one.name === args.headRef)?.target);
    if (base === undefined || head === undefined) return null;
    const [aheadBy, behindBy] = [ahead(base, head).length, ahead(head, base).length];
    const status = aheadBy > 0 ? (behindBy > 0 ? "DIVERGED" : "AHEAD") : behindBy > 0 ? "BEHIND" : "IDENTICAL";
    return { id: globalId("CMP", `${base.oid}${head.oid}`), aheadBy, behindBy, status, baseTarget: base, headTarget: head };
  },
};

export const gitTables = {
  Commit: commit,
  Blob: blob,
  Tree: {} satisfies Fields,
  TreeEntry: treeEntry,
  Tag: { id: (record: Tag) => record.id } satisfies Fields,
  Ref: ref,
  GitActor: {
    avatarUrl: (record: GitPerson) => `https://avatars.githubusercontent.com/u/${record.user?.databaseId ?? 0}?v=4`,
  } satisfies Fields,
  Submodule: {
    nameRaw: (record: Submodule) => Buffer.from(record.name).toString("base64"),
    pathRaw: (record: Submodule) => Buffer.from(record.path).toString("base64"),
  } satisfies Fields,
};
