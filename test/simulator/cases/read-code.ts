import { describe, expect, it } from "vitest";
import type { Commit } from "../../../runtime/simulated/github/world/git.ts";
import { defaultBranch, history, peel } from "../../../runtime/simulated/github/world/head.ts";
import { data, hello, inHello, list } from "./setup.ts";

function tip(): Commit {
  const found = peel(defaultBranch(hello())?.target);
  if (found === undefined) throw new Error("no commit");
  return found;
}

/** The SHAs of a list of commits. */
async function oids(args: string): Promise<unknown[]> {
  const found = await data(
    inHello(`object(expression: "HEAD") { ... on Commit { history(first: 100, ${args}) { nodes { oid } } } }`),
  );
  return list(found["repository"]?.["object"]?.["history"]?.["nodes"]).map(({ oid }) => oid);
}
const shas = (commits: readonly Commit[]) => commits.map(({ oid }) => oid).slice(0, 100);

describe("commits", () => {
  it("are those from one instant to another, both of them included", async () => {
    const all = history(tip());
    const [newer, older] = [all[3]?.committer.date, all[8]?.committer.date];
    const dates = all.filter(({ committer: { date } }) => date <= (newer ?? "") && date >= (older ?? ""));
    expect(await oids(`since: "${older}", until: "${newer}"`)).toEqual(shas(dates));
    expect(dates.length).toBeGreaterThan(5);
  });

  it("are those of an account, of e-mail addresses, or of nobody", async () => {
    const all = history(tip());
    const by = all[0]?.author;
    expect(await oids(`author: { id: "${by?.user?.id}" }`)).toEqual(shas(all.filter(({ author }) => author.user === by?.user)));
    const stranger = all.find(({ author }) => author.user === null)?.author.email ?? "";
    expect(await oids(`author: { emails: ["${stranger}"] }`)).toEqual(
      shas(all.filter(({ author }) => author.email === stranger)),
    );
    expect(await oids("author: {}")).toEqual([]);
  });

  it("name their authors, whose picture is nobody's where they have no account", async () => {
    const stranger = history(tip()).find(({ author }) => author.user === null);
    const authors = "... on Commit { authors(first: 5) { nodes { name avatarUrl } } author { avatarUrl } }";
    const found = await data(
      inHello(`one: object(expression: "HEAD") { ${authors} } other: object(oid: "${stranger?.oid}") { ${authors} }`),
    );
    const of = (id: number | undefined) => `https://avatars.githubusercontent.com/u/${id}?v=4`;
    const by = tip().author;
    expect(found["repository"]?.["one"]?.["authors"]?.["nodes"]).toEqual([{ name: by.name, avatarUrl: of(by.user?.databaseId) }]);
    expect(found["repository"]?.["other"]?.["author"]).toEqual({ avatarUrl: of(0) });
  });

  it("name the pull requests that contain them or were merged as them, in the requested order", async () => {
    const [first, second] = hello().pullRequests.filter(({ mergeCommit }) => mergeCommit !== null);
    const merge = first?.mergeCommit;
    if (second === undefined || !merge) throw new Error("no merged pull requests");
    const ask = async (orderBy = "") => {
      const args = `first: 10${orderBy === "" ? "" : `, orderBy: {${orderBy}}`}`;
      const field = `associatedPullRequests(${args}) { nodes { number } }`;
      const found = await data(inHello(`object(oid: "${merge.oid}") { ... on Commit { ${field} } }`));
      return list(found["repository"]?.["object"]?.["associatedPullRequests"]?.["nodes"]).map(({ number }) => number);
    };
    expect(await ask()).toEqual([first?.number]);
    second.commits.push(merge);
    second.updatedAt = "2020-01-01T00:00:00Z";
    expect(await ask("field: CREATED_AT, direction: DESC")).toEqual([second.number, first?.number]);
    expect(await ask("field: UPDATED_AT, direction: DESC")).toEqual([first?.number, second.number]);
  });

  it("are found by how many came after them", async () => {
    const found = await data(inHello('one: object(expression: "HEAD~1") { oid } two: object(expression: "main~2") { oid }'));
    const [parent] = tip().parents;
    expect(found["repository"]).toEqual({ one: { oid: parent?.oid }, two: { oid: parent?.parents[0]?.oid } });
  });

  it("have files in folders, and none in a file", async () => {
    const file = (path: string) => `file(path: "${path}") { name type }`;
    const found = await data(
      inHello(`object(expression: "HEAD") { ... on Commit { folder: ${file("src")} inner: ${file("src/parser/parse.ts")}
        none: ${file("src/nope.ts")} below: ${file("README.md/x")} nowhere: ${file("nope/x")} } }`),
    );
    expect(found["repository"]?.["object"]).toEqual({
      folder: { name: "src", type: "tree" },
      inner: { name: "parse.ts", type: "blob" },
      none: null,
      below: null,
      nowhere: null,
    });
  });

  it("do not exist for a ref that is neither a branch nor a tag", async () => {
    const found = await data(inHello('refs(first: 5, refPrefix: "refs/notes/") { totalCount nodes { name } }'));
    expect(found["repository"]).toEqual({ refs: { totalCount: 0, nodes: [] } });
  });
});

describe("releases", () => {
  it("have a tag once they are published, and the latest one is not a prerelease", async () => {
    const found = await data(
      inHello(`latestRelease { tagName tag { name } } release(tagName: "v1.1.0") { isDraft tag { name } tagCommit { oid } }
        older: release(tagName: "v1.0.0") { tag { name } }`),
    );
    expect(found["repository"]).toEqual({
      latestRelease: { tagName: "v1.0.1", tag: { name: "v1.0.1" } },
      release: { isDraft: true, tag: null, tagCommit: null },
      older: { tag: { name: "v1.0.0" } },
    });
    const none = await data('{ repository(owner: "octocat", name: "empty") { latestRelease { tagName } } }');
    expect(none["repository"]).toEqual({ latestRelease: null });
  });

  it("list the files of a name", async () => {
    const release = hello().releases.find(({ assets }) => assets.length > 1);
    const [, asset] = release?.assets ?? [];
    const found = await data(
      inHello(`release(tagName: "${release?.tagName}") { releaseAssets(first: 9, name: "${asset?.name}") { nodes { name } } }`),
    );
    expect(found["repository"]?.["release"]).toEqual({ releaseAssets: { nodes: [{ name: asset?.name }] } });
  });
});
