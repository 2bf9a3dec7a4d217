import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { check, show } from "../../../runtime/cli/policy/policy.ts";
import { onTerminal, toProgram } from "../../support/command-output.ts";

const folder = mkdtempSync(join(tmpdir(), "tenon-policy-"));
afterAll(() => rmSync(folder, { recursive: true }));

function policy(...rules: readonly object[]): string {
  const path = join(folder, `${rules.length}.json`);
  writeFileSync(path, JSON.stringify({ rules }));
  return path;
}

const config = undefined;
const labels = {
  key: ["bots"],
  connector: ["github"],
  entity: ["issues"],
  action: ["update"],
  fields: ["labels"],
  params: { owner: ["octocat", "hubot"] },
  effect: "allow",
};
const nothing = { effect: "reject", reason: "Ask the team." };

describe("tenon policy check", () => {
  it.each([
    [[nothing], "The policy can be used: 1 rule."],
    [[labels, nothing], "The policy can be used: 2 rules."],
  ])("counts the rules of a policy that can be used", async (rules, line) => {
    expect(await onTerminal(() => check.run([policy(...rules)], { config }))).toMatchObject({ status: 0, lines: [line] });
  });
});

describe("tenon policy show", () => {
  it("gives a program one line of JSON per rule, with all of its conditions", async () => {
    const { status, lines } = await toProgram(() => show.run([policy(labels, nothing)], { config }));
    const empty = { key: null, connector: null, entity: null, action: null, fields: null };
    expect([status, lines.map((line) => JSON.parse(line))]).toEqual([
      0,
      [
        { rule: 1, ...labels, params: ["owner=octocat|hubot"], reason: null },
        { rule: 2, ...empty, ...nothing, params: [] },
      ],
    ]);
  });

  it("gives a person a table, with a dash where a rule has no such condition", async () => {
    const { lines } = await onTerminal(() => show.run([policy(labels, nothing)], { config }));
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ["rule", "effect", "key", "connector", "entity", "action", "fields", "params", "reason"],
      ["1", "allow", "bots", "github", "issues", "update", "labels", "owner=octocat|hubot", "-"],
      ["2", "reject", "-", "-", "-", "-", "-", "", "Ask the team."].filter((cell) => cell !== ""),
    ]);
  });

  it("says that a policy without rules allows everything", async () => {
    expect(await onTerminal(() => show.run([policy()], { config }))).toMatchObject({
      status: 0,
      lines: ["The policy has no rules: every write is allowed."],
    });
    expect(await toProgram(() => show.run([policy()], { config }))).toMatchObject({ status: 0, text: "" });
  });
});
