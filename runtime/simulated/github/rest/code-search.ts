import type { Answer } from "../../../simulator/answer.ts";
import { canRead } from "../access.ts";
import { docs, refuse } from "../refuse.ts";
import { type Condition, parseQuery, qualifiers } from "../search/query.ts";
import type { Tree, TreeEntry } from "../world/git.ts";
import { defaultBranch, peel } from "../world/head.ts";
import type { Repository } from "../world/repository.ts";
import { nameWithOwner } from "../world/world.ts";
import { numberedPage, pageOf } from "./page.ts";
import { invalid, refuseWrite } from "./problem.ts";
import { repositoryRecord, repositoryUrl } from "./repository-record.ts";
import type { WriteCall } from "./write.ts";

// Search in the files of default branches. GitHub lets a token search ten times a minute, and leaves out files of 384 KB or more.

const mostInMinute = 10;
const mostResults = 1_000;
const largest = 384 * 1024;

export function searchCode(call: WriteCall): Answer {
  const { world, viewer, rest } = call;
  const now = Date.now();
  const recent = (world.codeSearches.get(viewer.token.token) ?? []).filter((at) => at > now - 60_000);
  if (recent.length >= mostInMinute)
    return refuse(403, "You have exceeded a secondary rate limit.", `${docs}/rate-limits`, { "retry-after": "60" });
  world.codeSearches.set(viewer.token.token, [...recent, now]);
  const { text, page, size } = pageOf(call);
  const query = text("q") ?? "";
  const condition = parseQuery(query);
  if (query.trim() === "") throw invalid({ resource: "Search", field: "q", code: "missing" });
  if (words(condition).length === 0)
    throw invalid({ resource: "Search", field: "q", code: "invalid", message: "The query has no words to search for." });
  if ((page - 1) * size >= mostResults) throw refuseWrite(422, "Only the first 1000 search results are available");
  const readable = world.repositories.filter((one) => canRead(viewer, one));
  checkPlaces(call, condition, readable);
  const found = readable.flatMap((repository) => {
    const commit = peel(defaultBranch(repository)?.target);
    const files = commit === undefined ? [] : filesIn(commit.tree);
    return files.filter((file) => fits(file, repository, condition)).map((file) => matchRecord(call, repository, file));
  });
  const records = found.slice(0, mostResults).map(({ repository, ...one }) => ({
    ...one,
    repository: repositoryRecord(rest, repository, viewer),
  }));
  return numberedPage(call, records, (items) => ({ total_count: found.length, incomplete_results: false, items }));
}

function words(condition: Condition): string[] {
  if (condition.kind === "all" || condition.kind === "any") return condition.of.flatMap(words);
  return condition.kind === "text" ? [condition.text] : [];
}

/** A place that the viewer does not see is refused, as if it did not exist. */
function checkPlaces({ world }: WriteCall, condition: Condition, readable: readonly Repository[]): void {
  const unknown =
    qualifiers(condition, "repo").some((name) => !readable.some((one) => isNamed(nameWithOwner(one), name))) ||
    ["user", "org"].some((kind) =>
      qualifiers(condition, kind).some(
        (name) => ![...world.users, ...world.organizations].some((one) => isNamed(one.login, name)),
      ),
    );
  if (!unknown) return;
  const message =
    "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.";
  throw invalid({ resource: "Search", field: "q", code: "invalid", message });
}

const isNamed = (own: string, name: string) => own.toLowerCase() === name.toLowerCase();

function filesIn(tree: Tree): TreeEntry[] {
  return tree.entries.flatMap((entry) => (entry.object?.__typename === "Tree" ? filesIn(entry.object) : [entry]));
}

function fits(file: TreeEntry, repository: Repository, condition: Condition): boolean {
  switch (condition.kind) {
    case "all":
      return condition.of.every((one) => fits(file, repository, one));
    case "any":
      return condition.of.some((one) => fits(file, repository, one));
    case "not":
      return !fits(file, repository, condition.of);
    case "text": {
      const { object } = file;
      if (object?.__typename !== "Blob" || object.isBinary || object.bytes.length >= largest) return false;
      return object.bytes.toString().toLowerCase().includes(condition.text.toLowerCase());
    }
    case "qualifier":
      switch (condition.name) {
        case "repo":
          return isNamed(nameWithOwner(repository), condition.value);
        case "user":
        case "org":
          return isNamed(repository.owner.login, condition.value);
        case "path":
          return file.path.includes(condition.value);
        case "filename":
          return file.name.includes(condition.value);
        case "extension":
          return file.name.endsWith(`.${condition.value}`);
        default:
          return true;
      }
  }
}

function matchRecord({ rest }: WriteCall, repository: Repository, { name, path, oid }: TreeEntry) {
  const url = repositoryUrl(rest, repository);
  const ref = peel(defaultBranch(repository)?.target)?.oid ?? "";
  return {
    name,
    path,
    sha: oid,
    url: `${url}/contents/${path}?ref=${ref}`,
    git_url: `${url}/git/blobs/${oid}`,
    html_url: `https://github.com/${nameWithOwner(repository)}/blob/${ref}/${path}`,
    repository,
    score: 1,
  };
}
