import { expect, it } from "vitest";
import { fullGrant } from "../../../runtime/accounts/index.ts";
import type { ListedInstance } from "../../../runtime/server/instance-of.ts";
import { visibleSeries } from "../../../runtime/server/monitoring/visible-series.ts";

const listed = { connector: "github", title: "GitHub", organization: null, status: "ready" } as const;
const all: readonly ListedInstance[] = [
  { id: "mine", workspace: "here", ...listed },
  { id: "other", workspace: "there", ...listed },
  { id: "linear", workspace: "here", ...listed, connector: "linear" },
];
const grant = { ...fullGrant, workspaces: ["here"] };
const lines = [
  '# HELP age An instance="other" in words.',
  'age{instance="mine",scope="label=a\\",instance=\\"other"} 1',
  'age{instance="other",scope="label=a\\",instance=\\"mine\\\\"} 1',
  'age{instance="gone",scope="x"} 1',
  'actions_bucket{le="0.1",entity="issues"} 2',
  'actions_bucket{le="0.1",entity="users"} 2',
  "process 5",
  'actions_bucket{le="0.1",connector="github",entity="issues"} 2',
  'actions_bucket{le="0.1",connector="linear",entity="issues"} 2',
  'calls_bucket{le="0.1",connector="figma"} 2',
];
const shown = async (some: object, list = async () => all) =>
  (await visibleSeries(lines.join("\n"), { grant: { ...grant, ...some } }, list)).split("\n").map((line) => lines.indexOf(line));

it("takes labels for what they are, whatever is in the values of others", async () => {
  expect(await shown({})).toEqual([0, 1, 4, 5, 6, 8]);
  expect(await shown({ rights: ["metrics"] })).toEqual([0, 4, 5, 6, 8]);
  expect(await shown({ entities: ["issues"] })).toEqual([0, 4, 6, 8]);
  expect(await shown({ workspaces: null })).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it("shows what a connector was used for only to those who may use all its instances", async () => {
  expect(await shown({ workspaces: ["here", "there"] })).toContain(7);
  expect(await shown({ workspaces: ["there"] })).not.toContain(7);
  expect(await shown({ workspaces: ["there"] })).not.toContain(8);
});

it("shows no instance and no connector while it is not known which there are", async () => {
  expect(await shown({}, () => Promise.reject(new Error("no store")))).toEqual([0, 4, 5, 6]);
});
