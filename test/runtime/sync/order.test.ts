import { describe, expect, it } from "vitest";
import { connectors } from "../../../runtime/main/assembly.ts";
import { childrenOf, parentsOf, syncGroupsOf, syncOrder } from "../../../runtime/sync/order.ts";

/** The names of entities are in the order of their files, in which most children come after their parents by chance. */
const backwards = connectors.map((connector) => ({
  ...connector,
  name: `${connector.name} backwards`,
  entities: Object.fromEntries(Object.entries(connector.entities).reverse()),
}));

const kinds = [...connectors, ...backwards].flatMap((connector) =>
  Object.keys(connector.scopes).map((kind) => ({ connector, kind, name: `${connector.name} ${kind}` })),
);
const syncGroup = (name: string, kind: string, member: string) => {
  const connector = connectors.find((one) => one.name === name);
  return connector === undefined ? [] : (syncGroupsOf(connector, kind).find((one) => one.includes(member)) ?? []);
};

describe("the sync groups of entities", () => {
  it.each(kinds)("of $name are read behind those of their parents", ({ connector, kind }) => {
    const order = syncOrder(connector, kind);
    for (const [place, entity] of order.entries()) {
      const parents = parentsOf(connector, kind, entity).filter((one) => one !== entity);
      expect(order.slice(0, place)).toEqual(expect.arrayContaining(parents));
    }
  });

  it.each(kinds)("of $name are all that it fills, each entity once", ({ connector, kind }) => {
    expect(syncGroupsOf(connector, kind).flat().sort()).toEqual(syncOrder(connector, kind).sort());
  });

  it.each(kinds)("of $name have each entity behind its parents, and with its children", ({ connector, kind }) => {
    for (const members of syncGroupsOf(connector, kind))
      for (const [place, entity] of members.entries()) {
        const parents = parentsOf(connector, kind, entity).filter((one) => one !== entity);
        expect(members.slice(0, place)).toEqual(expect.arrayContaining(parents));
        expect(members).toEqual(expect.arrayContaining(childrenOf(connector, kind, entity)));
      }
  });

  it("are as small as they can be", () => {
    expect(syncGroup("github", "repository", "labels")).toEqual(["labels"]);
    expect(syncGroup("github", "repository", "comments")).toEqual([
      "issues",
      "pull_requests",
      "comments",
      "pr_comments",
      "reviews",
    ]);
    expect(syncGroup("github", "repository", "file_content")).toEqual(["directory_content", "file_content"]);
    expect(syncGroup("figma", "team", "files")).toEqual(["folders", "files", "comments", "dev_resources", "versions"]);
  });
});
