import { describe, expect, it } from "vitest";
import type { Tree } from "../../runtime/simulated/github/world/git.ts";
import { defaultBranch, peel, resolveRef } from "../../runtime/simulated/github/world/head.ts";
import { entryRecord, fileRecord } from "./records/git.ts";
import type { Facts, GetCase, ListCase } from "./support/case.ts";
import { checkGets } from "./support/check-get.ts";
import { checkLists } from "./support/check-list.ts";
import { good, useTenon } from "./support/service.ts";
import { found, hello } from "./support/world.ts";

// Files and directories, at the default branch and elsewhere.

const running = useTenon();
const at = { owner: "octocat", repo: "hello-world" };

function treeAt({ world }: Facts, path: string, ref: string | undefined): Tree {
  const repository = hello(world);
  const start = ref === undefined ? defaultBranch(repository) : resolveRef(repository, ref);
  let tree = found(peel(start?.target), ref).tree;
  for (const name of path.split("/").filter((part) => part !== "")) {
    const object = tree.entries.find((entry) => entry.name === name)?.object;
    if (object?.__typename !== "Tree") throw new Error(`${path} is not a directory`);
    tree = object;
  }
  return tree;
}

function blobAt(facts: Facts, path: string, ref: string | undefined) {
  const slash = path.lastIndexOf("/");
  const entries = treeAt(facts, path.slice(0, Math.max(0, slash)), ref).entries;
  const object = entries.find((entry) => entry.name === path.slice(slash + 1))?.object;
  if (object?.__typename !== "Blob") throw new Error(`${path} is not a file`);
  return object;
}

const files: readonly (readonly [path: string, ref?: string])[] = [
  ["README.md"],
  ["README.md", "HEAD"],
  ["README.md", "develop"],
  ["README.md", "feature/with/many/slashes"],
  ["README.md", "ünïcode-ветка"],
  ["OLD.md", "v0.1.0"],
  ["README.md", "nightly/2024-05-01"],
  ["empty.txt"],
  ["big.txt"],
  ["logo.png"],
  ["src/parser/deep/er/still/leaf.ts"],
  ["docs/file with spaces.md"],
  ["docs/ünïcode/日本語.md"],
  ["docs/#hash & ?query.md"],
  ["docs/with:colon.md"],
];

const gets: readonly GetCase[] = [
  ...files.map(([path, ref]): GetCase => {
    const refParam = ref === undefined ? {} : { ref };
    return {
      entity: "file_content",
      note: `${path} of ${ref ?? "the default branch"}`,
      params: { ...at, path, ...refParam },
      expected: (facts) => fileRecord(blobAt(facts, path, ref === "HEAD" ? undefined : ref), path, ref ?? "HEAD"),
      ...(path === "big.txt" ? { warnings: { text: "value_cut" } } : {}),
    };
  }),
  {
    entity: "file_content",
    note: "by a SHA",
    params: ({ world }) => ({ ...at, path: "LICENSE", ref: found(resolveRef(hello(world), "main")).target.oid }),
    expected: (facts) =>
      fileRecord(blobAt(facts, "LICENSE", "main"), "LICENSE", found(resolveRef(hello(facts.world), "main")).target.oid),
  },
];

const directories: readonly (readonly [path: string, ref?: string])[] = [
  [""],
  ["", "v0.1.0"],
  ["docs"],
  ["docs/ünïcode"],
  ["src/parser", "main"],
  // It holds a submodule and nothing else.
  ["vendor"],
];

const lists = directories.map(([path, ref]): ListCase => {
  const refParam = ref === undefined ? {} : { ref };
  return {
    entity: "directory_content",
    note: `${path === "" ? "the root" : path} of ${ref ?? "the default branch"}`,
    params: { ...at, path, ...refParam },
    single: true,
    expected: (facts) => treeAt(facts, path, ref).entries.map((one) => entryRecord(one, ref ?? "HEAD")),
  };
});

checkGets(running, gets);
checkLists(running, lists);

describe("a text that the platform cut", () => {
  it("is reported when only the text was asked for", async () => {
    const { data, meta } = good(await running.tenon.run("file_content", "get", { ...at, path: "big.txt", fields: ["text"] }));
    expect(Object.keys(data ?? {})).toEqual(["text"]);
    expect(meta).toMatchObject({ warnings: [{ path: "data.text", code: "value_cut" }] });
  });

  it("is not reported when the text was not asked for", async () => {
    const { meta } = good(await running.tenon.run("file_content", "get", { ...at, path: "big.txt", fields: ["byteSize"] }));
    expect(meta).not.toHaveProperty("warnings");
  });
});
