import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import type { StoredInstance } from "../../../runtime/accounts/index.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import { listInstances } from "../../../runtime/main/instances/list-instances.ts";

const stored = (id: string, connector = "github"): StoredInstance => ({
  id,
  connector,
  workspace: "team",
  organization: null,
  rest: null,
  graphql: null,
  variables: {},
  credential: "sealed",
  scopes: [],
  minutes: 60,
  createdAt: 0,
  version: 1,
});

function listed(mustAuthorize: (one: StoredInstance) => Promise<boolean | undefined>) {
  const all = [stored("a"), stored("b"), stored("c", "gone")];
  return listInstances([github], { instances: new Map() }, { list: async () => all, mustAuthorize });
}

describe("the list of instances", () => {
  it("has those whose credential cannot be decrypted as off, and the others nevertheless", async () => {
    const all = await listed(async ({ id }) => {
      if (id === "a") throw new TenonError("accounts_unusable", "cannot be decrypted");
      return id === "b";
    });
    expect(all.map(({ id, status }) => [id, status])).toEqual([
      ["a", "off"],
      ["b", "authorization_required"],
      ["c", "off"],
      ["github", "off"],
    ]);
  });

  it("fails where the callers' store fails in another way", async () => {
    await expect(listed(() => Promise.reject(new Error("disk")))).rejects.toThrow("disk");
  });
});
