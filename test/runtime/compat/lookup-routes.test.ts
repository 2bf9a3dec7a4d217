import type { Request, Response } from "express";
import { describe, expect, it } from "vitest";
import { figma } from "../../../generated/figma/index.ts";
import { github } from "../../../generated/github/index.ts";
import { fullGrant } from "../../../runtime/accounts/index.ts";
import { compatConnectorsRoute } from "../../../runtime/compat/lookup-routes.ts";
import type { Answers } from "../../../runtime/server/answers.ts";
import { noteCaller } from "../../../runtime/server/callers/bearer.ts";
import type { ListedInstance } from "../../../runtime/server/instance-of.ts";
import { standIn } from "../../support/shaped.ts";

const listed = (id: string, more: Partial<ListedInstance> = {}): ListedInstance => ({
  ...{ id, workspace: "default", organization: null, connector: "github", title: "GitHub", status: "ready" },
  ...more,
});
const off = { status: "off" } as const;
const acme = { organization: "acme" };
const other = { organization: "other" };

/** The ids that the client is given for a definition, or for the whole list. */
async function idsOf(all: readonly ListedInstance[], definition: string | undefined, organization?: string) {
  let ids: string[] = [];
  const answers = standIn<Answers>({
    sendJson: (_response, value) => {
      ids = (value as { data: { id: string }[] }).data.map(({ id }) => id);
    },
  });
  const url = `/connectors?workspace_name=default${definition === undefined ? "" : `&definition_id=${definition}`}`;
  const headers = organization === undefined ? {} : { "x-organization-id": organization };
  const response = standIn<Response>({ locals: {} });
  noteCaller(response, { id: "app", name: "the client", grant: fullGrant });
  const route = compatConnectorsRoute({ list: async () => all, connectors: [figma, github] }, answers);
  await route(standIn<Request>({ url, headers }), response, () => undefined);
  return ids;
}
const definition = String(github.compat?.definitionId);

describe("a lookup of a connector of which there are several instances", () => {
  const figmas = [listed("figma", { connector: "figma", ...acme }), listed("0", { connector: "figma" })];
  const own = listed("z", acme);
  const offOfOwn = listed("y", { ...acme, ...off });

  it.each([
    [
      "of the named organization, although it is off and was added",
      "acme",
      [listed("a", other), listed("github"), offOfOwn],
      "y",
    ],
    ["of the named organization that can be used", "acme", [offOfOwn, own, listed("a")], "z"],
    ["that can be used, although it was added", "acme", [listed("github", off), listed("z", other)], "z"],
    ["from the settings, of two that can be used", "acme", [listed("a"), listed("github")], "github"],
    ["that can be used, where no organization is named", undefined, [offOfOwn, own, listed("github", off)], "z"],
  ])("finds the one %s", async (_which, organization, all, id) => {
    const order = [...all, ...figmas];
    expect(await idsOf(order, definition, organization)).toEqual([id]);
    expect(await idsOf(order.toReversed(), definition, organization)).toEqual([id]);
  });

  it("finds the first of those that are alike, and none of another connector", async () => {
    expect(await idsOf([...figmas, listed("a"), listed("b"), own], definition)).toEqual(["a"]);
    expect(await idsOf(figmas, definition)).toEqual([]);
  });

  it("finds one that is off, which a list leaves out", async () => {
    const all = [listed("github", off), ...figmas];
    expect(await idsOf(all, definition.toUpperCase())).toEqual(["github"]);
    expect(await idsOf(all, undefined)).toEqual(["figma", "0"]);
  });
});
