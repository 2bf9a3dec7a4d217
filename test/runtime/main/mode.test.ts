import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { modeOf, offText, offTexts } from "../../../runtime/main/mode.ts";
import { tokenCredential } from "../../support/credential.ts";
import { tiny, tinySimulated } from "../../support/tiny-connector.ts";

const token = (given: string | undefined) => ({
  credential: given === undefined ? undefined : tokenCredential(given),
  rest: undefined,
  graphql: undefined,
});

describe("where the answers of a connector come from", () => {
  const cases: [what: string, tokens: { github?: string; tiny?: string }, simulate: string[], expected: object][] = [
    ["no credential at all: what has a simulator is simulated", {}, [], { github: "simulated", tiny: "off" }],
    ["no credential at all, one named: the same", {}, ["github"], { github: "simulated", tiny: "off" }],
    ["the first has a credential", { github: "a" }, [], { github: "real", tiny: "off" }],
    ["the other has one: nothing invented stands beside it", { tiny: "b" }, [], { github: "off", tiny: "real" }],
    ["the other has one, and the simulator is asked for", { tiny: "b" }, ["github"], { github: "simulated", tiny: "real" }],
    ["both have one", { github: "a", tiny: "b" }, [], { github: "real", tiny: "real" }],
  ];
  it.each(cases)("%s", (_what, tokens, simulate, expected) => {
    const platforms = { github: token(tokens.github), tiny: token(tokens.tiny) };
    const modes = modeOf([github, tiny], { platforms, simulate });
    expect(Object.fromEntries([...modes].map(([name, { kind }]) => [name, kind]))).toEqual(expected);
  });

  it("carries the token of a real connector and the module of a simulated one", () => {
    const platforms = { github: token("a"), tiny: token(undefined) };
    const modes = modeOf([github, tinySimulated], { platforms, simulate: ["tiny"] });
    expect([...modes.values()]).toEqual([
      { kind: "real", credential: tokenCredential("a") },
      { kind: "simulated", module: github.simulator },
    ]);
  });

  it("is reported for a connector that is off, with the setting that turns it on", () => {
    expect(offText(tiny)).toBe(
      'The connector "tiny" is off, because there is no credential for Tiny: set TINY_TOKEN, and start the service again.',
    );
    expect(offTexts([tiny, github])).toEqual([
      "These connectors are off, because there is no credential for them: tiny, github. To use one, set TINY_TOKEN (Tiny), GITHUB_TOKEN, or GITHUB_APP_ID and GITHUB_APP_INSTALLATION_ID and GITHUB_APP_PRIVATE_KEY, or GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET and GITHUB_REFRESH_TOKEN (GitHub), and start the service again.",
    ]);
    expect(offTexts([])).toEqual([]);
    expect(offText(tinySimulated)).toContain("set TINY_TOKEN, or TENON_SIMULATE=tiny to have it simulated with invented data,");
  });
});
