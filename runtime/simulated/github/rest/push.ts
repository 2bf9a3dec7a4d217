import { type Answer, json } from "../../../simulator/answer.ts";
import { canPush } from "../access.ts";
import { type FileSource, plantTree, reference, written } from "../seed/git.ts";
import type { Commit, Ref, Tree, TreeEntry } from "../world/git.ts";
import { branch, defaultBranch, peel, tag } from "../world/head.ts";
import type { Release, Repository } from "../world/repository.ts";
import { nameWithOwner } from "../world/world.ts";
import { accountOrGhost } from "./account-record.ts";
import { invalid, refuseWrite } from "./problem.ts";
import { repositoryUrl } from "./repository-record.ts";
import { checkWritable, now, text, type Write, type WriteCall } from "./write.ts";

// Writes that need push access: files and releases.

export function writeFile(write: Write, { params }: WriteCall): Answer {
  const { repository, viewer, body, rest } = write;
  checkPush(write);
  const path = params["path"] ?? "";
  const name = body["branch"] === undefined ? undefined : text(body["branch"]);
  const onto = name === undefined ? defaultBranch(repository) : branch(repository, name);
  const parent = peel(onto?.target);
  if (onto === undefined || parent === undefined) throw refuseWrite(404, `Branch ${name} not found`);
  if (path === "" || path.split("/").some((part) => part === "" || part === "." || part === ".."))
    throw refuseWrite(422, "path contains a malformed path component");
  const content = text(body["content"]);
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content)) throw refuseWrite(422, "content is not valid Base64");
  const files = filesIn(parent.tree);
  const known = entryAt(parent.tree, path);
  if (known !== undefined && body["sha"] === undefined) throw refuseWrite(422, 'Invalid request.\n\n"sha" wasn\'t supplied.');
  if (body["sha"] !== undefined && body["sha"] !== known?.oid)
    throw refuseWrite(409, `${path} does not match ${text(body["sha"])}`);
  const bytes = Buffer.from(content, "base64");
  files.set(path, bytes);
  const tree = plantTree(repository, files);
  const lines = bytes.toString().split("\n").length;
  const changes = [
    { path, additions: lines, deletions: 0, changeType: known === undefined ? ("ADDED" as const) : ("MODIFIED" as const) },
  ];
  const made = written(repository, {
    message: text(body["message"]),
    by: viewer.user,
    at: now(),
    parents: [parent],
    tree,
    changes,
  });
  onto.target = made;
  return json(known === undefined ? 201 : 200, {
    content: contentRecord(rest, repository, onto, path, tree, bytes),
    commit: commitRecord(rest, repository, made),
  });
}

export function createRelease(write: Write): Answer {
  const { repository, viewer, body, rest, world } = write;
  checkPush(write);
  const name = text(body["tag_name"]);
  if (name.trim() === "" || /[\s~^:?*[\\]/.test(name)) throw invalid({ resource: "Release", field: "tag_name", code: "invalid" });
  if (repository.releases.some(({ tagName }) => tagName === name))
    throw invalid({ resource: "Release", field: "tag_name", code: "already_exists" });
  const commitish =
    body["target_commitish"] === undefined ? (defaultBranch(repository)?.name ?? "") : text(body["target_commitish"]);
  const target = peel(branch(repository, commitish)?.target) ?? peel(repository.objects.get(commitish));
  if (target === undefined) throw invalid({ resource: "Release", field: "target_commitish", code: "invalid" });
  const isDraft = body["draft"] === true;
  if (!isDraft && tag(repository, name) === undefined) reference(repository, "refs/tags/", name, target);
  const at = now();
  const made: Release = {
    __typename: "Release",
    ...world.identities.make("Release"),
    repository,
    tagName: name,
    name: body["name"] === undefined ? null : text(body["name"]),
    description: body["body"] === undefined ? null : text(body["body"]),
    author: viewer.user,
    isDraft,
    isPrerelease: body["prerelease"] === true,
    publishedAt: isDraft ? null : at,
    createdAt: at,
    updatedAt: at,
    assets: [],
    reactions: [],
  };
  repository.releases.push(made);
  const url = `${repositoryUrl(rest, repository)}/releases/${made.databaseId}`;
  const web = `https://github.com/${nameWithOwner(repository)}/releases`;
  const archive = (kind: string) => (isDraft ? null : `${repositoryUrl(rest, repository)}/${kind}/${name}`);
  const record = {
    url,
    html_url: `${web}/tag/${isDraft ? `untagged-${made.databaseId}` : name}`,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    tarball_url: archive("tarball"),
    zipball_url: archive("zipball"),
    id: made.databaseId,
    node_id: made.id,
    tag_name: name,
    target_commitish: commitish,
    name: made.name,
    body: made.description,
    draft: isDraft,
    prerelease: made.isPrerelease,
    created_at: at,
    published_at: made.publishedAt,
    author: accountOrGhost(rest, made.author),
    assets: [],
  };
  return json(201, record, { location: url });
}

/** Without push access a place to push to looks as if it did not exist. */
function checkPush(write: Write): void {
  checkWritable(write);
  if (!canPush(write.viewer, write.repository)) throw refuseWrite(404, "Not Found");
}

function entryAt(tree: Tree, path: string): TreeEntry | undefined {
  const [first = "", ...rest] = path.split("/");
  const found = tree.entries.find(({ name }) => name === first);
  if (rest.length === 0) return found?.type === "blob" ? found : undefined;
  return found?.object?.__typename === "Tree" ? entryAt(found.object, rest.join("/")) : undefined;
}

/** What `plantTree` needs to build a tree again. */
function filesIn(tree: Tree): Map<string, FileSource> {
  const files = new Map<string, FileSource>();
  for (const { path, object, submodule } of tree.entries) {
    if (object?.__typename === "Tree") for (const [inner, source] of filesIn(object)) files.set(inner, source);
    else if (object?.__typename === "Blob") files.set(path, object.bytes);
    else if (submodule !== null) {
      const { gitUrl, subprojectCommitOid, branch: followed } = submodule;
      files.set(path, { submodule: gitUrl, oid: subprojectCommitOid, ...(followed === null ? {} : { branch: followed }) });
    }
  }
  return files;
}

function contentRecord(rest: string, repository: Repository, ref: Ref, path: string, tree: Tree, bytes: Buffer) {
  const url = `${repositoryUrl(rest, repository)}/contents/${path}?ref=${ref.name}`;
  const html = `https://github.com/${nameWithOwner(repository)}/blob/${ref.name}/${path}`;
  const sha = entryAt(tree, path)?.oid ?? "";
  const git = `${repositoryUrl(rest, repository)}/git/blobs/${sha}`;
  return {
    name: path.split("/").at(-1) ?? "",
    path,
    sha,
    size: bytes.length,
    url,
    html_url: html,
    git_url: git,
    download_url: `https://raw.githubusercontent.com/${nameWithOwner(repository)}/${ref.name}/${path}`,
    type: "file",
    _links: { self: url, git, html },
  };
}

function commitRecord(rest: string, repository: Repository, { id, oid, message, author, parents, tree }: Commit) {
  const url = `${repositoryUrl(rest, repository)}/git/commits/${oid}`;
  const html = `https://github.com/${nameWithOwner(repository)}/commit/${oid}`;
  const by = { name: author.name, email: author.email, date: author.date };
  return {
    sha: oid,
    node_id: id,
    url,
    html_url: html,
    author: by,
    committer: by,
    message,
    tree: { sha: tree.oid, url: `${repositoryUrl(rest, repository)}/git/trees/${tree.oid}` },
    parents: parents.map((one) => ({
      sha: one.oid,
      url: `${repositoryUrl(rest, repository)}/git/commits/${one.oid}`,
      html_url: `https://github.com/${nameWithOwner(repository)}/commit/${one.oid}`,
    })),
    verification: { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null },
  };
}
