import type { Commit, GitObject, Ref, Tag, Tree, TreeEntry } from "./git.ts";
import type { Repository } from "./repository.ts";

/** The default branch; undefined in an empty repository. */
export function defaultBranch(repository: Repository): Ref | undefined {
  return branch(repository, repository.defaultBranch);
}

export function branch(repository: Repository, name: string): Ref | undefined {
  return repository.refs.find((ref) => ref.prefix === "refs/heads/" && ref.name === name);
}

export function tag(repository: Repository, name: string): Ref | undefined {
  return repository.refs.find((ref) => ref.prefix === "refs/tags/" && ref.name === name);
}

/** The commit behind an object, through an annotated tag. */
export function peel(object: GitObject | undefined): Commit | undefined {
  if (object?.__typename === "Tag") return object.target;
  return object?.__typename === "Commit" ? object : undefined;
}

/** A ref by any of the ways git spells it: `refs/heads/main`, `heads/main`, `main`. Branches come before tags. */
export function resolveRef(repository: Repository, name: string): Ref | undefined {
  const full = (ref: Ref) => `${ref.prefix}${ref.name}`;
  return (
    repository.refs.find((ref) => full(ref) === name || full(ref) === `refs/${name}`) ??
    branch(repository, name) ??
    tag(repository, name)
  );
}

/** Git's revision syntax as far as callers use it: `HEAD`, names, SHAs of 4 digits or more, `~n`, and `REVISION:path`. */
export function resolveExpression(repository: Repository, expression: string): GitObject | undefined {
  const colon = expression.indexOf(":");
  if (colon < 0) return revision(repository, expression);
  const from = revision(repository, expression.slice(0, colon));
  const root = from?.__typename === "Tree" ? from : peel(from)?.tree;
  return root === undefined ? undefined : walk(root, expression.slice(colon + 1));
}

function revision(repository: Repository, name: string): GitObject | undefined {
  const [, base = "", steps] = /^(.*?)(?:~(\d+))?$/s.exec(name) ?? [];
  if (steps === undefined) return single(repository, base);
  let commit: Commit | undefined = peel(single(repository, base));
  for (let step = Number(steps); step > 0; step--) commit = commit?.parents[0];
  return commit;
}

function single(repository: Repository, name: string): Commit | Tag | Tree | GitObject | undefined {
  if (name === "HEAD") return defaultBranch(repository)?.target;
  const ref = resolveRef(repository, name)?.target;
  if (ref !== undefined || !/^[0-9a-f]{4,40}$/i.test(name)) return ref;
  const found = [...repository.objects.values()].filter((object) => object.oid.startsWith(name.toLowerCase()));
  return found.length === 1 ? found[0] : undefined;
}

function walk(root: Tree, path: string): GitObject | undefined {
  const parts = path.split("/").filter((part) => part !== "");
  let at: GitObject | undefined = root;
  for (const part of parts) {
    if (at?.__typename !== "Tree") return undefined;
    at = at.entries.find((entry: TreeEntry) => entry.name === part)?.object ?? undefined;
  }
  return at;
}

/** Every commit that can be reached, newest first; parents stand after their children. */
export function history(tip: Commit): Commit[] {
  const found = new Set<Commit>();
  const open = [tip];
  for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
    if (found.has(commit)) continue;
    found.add(commit);
    open.push(...commit.parents);
  }
  return [...found].sort((a, b) => (a.committer.date < b.committer.date ? 1 : a.committer.date > b.committer.date ? -1 : 0));
}

/** What `head` has that `base` has not, oldest first. */
export function ahead(base: Commit, head: Commit): Commit[] {
  const known = new Set(history(base).map((commit) => commit.oid));
  return history(head)
    .filter((commit) => !known.has(commit.oid))
    .reverse();
}
