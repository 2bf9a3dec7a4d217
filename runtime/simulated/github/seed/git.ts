import { hash } from "node:crypto";
import type { User } from "../world/account.ts";
import type { Blob, Commit, FileChange, GitPerson, Ref, Submodule, Tag, Tree, TreeEntry } from "../world/git.ts";
import { globalId } from "../world/identity.ts";
import type { Repository } from "../world/repository.ts";

/** What a path holds: text, bytes, or a link to a commit of another repository. */
export type FileSource = string | Buffer | { readonly submodule: string; readonly oid: string; readonly branch?: string };
export type Files = ReadonlyMap<string, FileSource>;

/** The name that Git gives to an object: SHA-1 over type, length and content. */
function objectName(type: string, content: string | Buffer): string {
  const header = `${type} ${Buffer.byteLength(content)}\0`;
  return hash("sha1", typeof content === "string" ? header + content : Buffer.concat([Buffer.from(header), content]));
}

function remember<T extends Commit | Tree | Blob | Tag>(repository: Repository, object: T): T {
  repository.objects.set(object.oid, object);
  return object;
}

function blob(repository: Repository, source: string | Buffer): Blob {
  const bytes = typeof source === "string" ? Buffer.from(source) : source;
  const oid = objectName("blob", bytes);
  const known = repository.objects.get(oid);
  if (known?.__typename === "Blob") return known;
  const id = globalId("B", `${repository.databaseId}:${oid}`);
  return remember(repository, { __typename: "Blob", id, oid, repository, bytes, isBinary: bytes.includes(0) });
}

/** Builds the tree of a directory and of all below it. */
export function plantTree(repository: Repository, files: Files, directory = ""): Tree {
  const entries: TreeEntry[] = [];
  const seen = new Set<string>();
  for (const [path, source] of files) {
    if (!path.startsWith(directory)) continue;
    const name = path.slice(directory.length).split("/")[0] ?? "";
    if (seen.has(name)) continue;
    seen.add(name);
    const below = path.slice(directory.length).includes("/");
    entries.push(below ? subtree(repository, files, directory, name) : leaf(repository, `${directory}${name}`, name, source));
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const content = entries.map((entry) => `${entry.mode.toString(8)} ${entry.name}\0${entry.oid}`).join("");
  const oid = objectName("tree", content);
  const id = globalId("T", `${repository.databaseId}:${oid}`);
  return remember(repository, { __typename: "Tree", id, oid, repository, entries });
}

function subtree(repository: Repository, files: Files, directory: string, name: string): TreeEntry {
  const object = plantTree(repository, files, `${directory}${name}/`);
  const path = `${directory}${name}`;
  return { name, path, mode: 0o040000, type: "tree", oid: object.oid, repository, object, submodule: null };
}

function leaf(repository: Repository, path: string, name: string, source: FileSource): TreeEntry {
  if (typeof source === "string" || Buffer.isBuffer(source)) {
    const object = blob(repository, source);
    const mode = name.endsWith(".sh") ? 0o100755 : 0o100644;
    return { name, path, mode, type: "blob", oid: object.oid, repository, object, submodule: null };
  }
  const submodule: Submodule = {
    name,
    path,
    gitUrl: source.submodule,
    branch: source.branch ?? null,
    subprojectCommitOid: source.oid,
  };
  return { name, path, mode: 0o160000, type: "commit", oid: source.oid, repository, object: null, submodule };
}

export interface CommitSource {
  readonly message: string;
  readonly by: User | null;
  /** Name and e-mail of an author who has no account. */
  readonly stranger?: string;
  readonly at: string;
  readonly parents: readonly Commit[];
  readonly tree: Tree;
  readonly changes: readonly FileChange[];
  readonly oid?: string;
  readonly signed?: boolean;
}

export function commit(repository: Repository, source: CommitSource): Commit {
  const author = person(source.by, source.at, source.stranger);
  const content = [source.tree.oid, ...source.parents.map((parent) => parent.oid), source.at, author.email, source.message].join(
    "\n",
  );
  const oid = source.oid ?? objectName("commit", content);
  return remember(repository, {
    __typename: "Commit",
    id: globalId("C", `${repository.databaseId}:${oid}`),
    oid,
    repository,
    message: source.message,
    author,
    committer: author,
    parents: [...source.parents],
    tree: source.tree,
    changes: [...source.changes],
    signed: source.signed ?? false,
  });
}

/** Makes a commit of a write. Its name does not have the time, so that the same write on the same data gives the same name. */
export function written(repository: Repository, source: Omit<CommitSource, "oid">): Commit {
  const content = [source.tree.oid, ...source.parents.map((parent) => parent.oid), source.message].join("\n");
  return commit(repository, { ...source, oid: objectName("commit", content) });
}

export function person(user: User | null, date: string, stranger = "Unknown Author"): GitPerson {
  if (user === null) return { name: stranger, email: "unknown@example.invalid", date, user: null };
  return { name: user.name ?? user.login, email: `${user.databaseId}+${user.login}@users.noreply.example.com`, date, user };
}

export function reference(repository: Repository, prefix: Ref["prefix"], name: string, target: Commit | Tag): Ref {
  const id = globalId("REF", `${repository.databaseId}:${prefix}${name}`);
  const made: Ref = { __typename: "Ref", id, repository, prefix, name, target };
  repository.refs.push(made);
  return made;
}

export function annotatedTag(repository: Repository, name: string, message: string, target: Commit, tagger: GitPerson): Ref {
  const oid = objectName("tag", `${target.oid}\n${name}\n${message}`);
  const id = globalId("TA", `${repository.databaseId}:${oid}`);
  const tag = remember(repository, { __typename: "Tag", id, oid, repository, name, message, tagger, target });
  return reference(repository, "refs/tags/", name, tag);
}
