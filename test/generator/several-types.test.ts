import { expect, it } from "vitest";
import { Generator } from "../../generator/generate.ts";
import { githubFolder } from "../support/specs.ts";

// A search of a platform that finds records of several types, as one entity.

const found = `
entity: found
title: Found
record: Found
on: SearchResultItem
doc: What a search over issues and pull requests finds.
fields:
  id: { type: id?, from: <Node>.id }
  kind: { type: string, from: __typename, search: exact, doc: Type of what was found. }
  title: { type: string?, from: "<Issue|PullRequest>.title", search: name, doc: Title. }
  mergedAt: { type: timestamp?, from: "<PullRequest>.mergedAt", search: exact, doc: When a pull request was merged. }
actions:
  api_search:
    doc: Searches issues and pull requests.
    params:
      text: { type: string, required: true, length: [1, 256], doc: Query., example: "repo:octocat/hello-world" }
      per_page:
      after:
    graphql: "search(type: ISSUE, query: $text) { nodes { ...record } }"
    page: { by: connection, total: issueCount }
`;

it("records of several types are one entity, whose fields come from each of them", async () => {
  const { files, diagnostics } = await new Generator().generate([githubFolder({ "found.yaml": found })]);
  expect(diagnostics).toEqual([]);
  const text = [...files].find(([path]) => path.endsWith("/found.ts"))?.[1] ?? "";
  expect(text).toContain("search(type:ISSUE query:$text first:$first after:$after)");
  expect(text).toMatch(/\.\.\. ?on Issue ?\{/);
  expect(text).toMatch(/\.\.\. ?on PullRequest ?\{/);
  expect(text).toContain("__typename");
  // The same mistake in a type of the union is found as in any other type.
  const wrong = found.replace("<PullRequest>.mergedAt", "<PullRequest>.mergedAtt");
  const again = await new Generator().generate([githubFolder({ "found.yaml": wrong })]);
  expect(again.diagnostics.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    expect.stringMatching(/^11: .*mergedAtt/),
  ]);
});

it("what says that a value is cut is one value, and not one of each type", async () => {
  const cut = found.replace("search: name, doc: Title.", 'cut: "<Issue|PullRequest>.locked", $&');
  const { diagnostics } = await new Generator().generate([githubFolder({ "found.yaml": cut })]);
  expect(diagnostics.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '10: `cut` of field "title" must be one path, not several alternatives',
  ]);
});
