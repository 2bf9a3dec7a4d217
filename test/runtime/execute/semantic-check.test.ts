import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { Faults } from "../../../runtime/base/faults.ts";
import { checkSemanticParams } from "../../../runtime/execute/semantic-check.ts";

const { issues, labels } = github.entities;

/** What a search by meaning over issues is, and the faults of its parameters. */
function checked(given: object, semantic: object = {}, entity = issues) {
  if (entity === undefined) throw new Error("GitHub has no such entity");
  const faults = new Faults();
  const params = { semantic: { field: "body", prompt: "slow login", ...semantic }, ...given };
  const found = checkSemanticParams("issues", entity, params, faults);
  return { found, faults: faults.list.map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`) };
}

describe("the parameters of a search by meaning", () => {
  it("have defaults", () => {
    expect(checked({})).toMatchObject({
      found: { prompt: "slow login", cursor: undefined, search: { field: "body", dedup: "max", explain: false } },
      faults: [],
    });
    expect(checked({ cursor: "" }).found?.cursor).toBeUndefined();
    expect(checked({ cursor: "c", explain: true }, { dedup: "none" }).found).toMatchObject({
      cursor: "c",
      search: { dedup: "none", explain: true },
    });
  });

  it.each<[object, object, string]>([
    [{ explain: "yes" }, {}, "/params/explain wrong_type: explain must be true or false."],
    [{ cursor: 5 }, {}, "/params/cursor wrong_type: cursor must be a string."],
    [{ limit: 0 }, {}, "/params/limit out_of_range: limit must be a whole number from 1 to 100."],
    [{ limit: 101 }, {}, "/params/limit out_of_range: limit must be a whole number from 1 to 100."],
    [{}, { dedup: "all" }, "/params/semantic/dedup not_allowed: dedup must be one of max, none."],
    [{}, { min_similarity: 1.1 }, "/params/semantic/min_similarity out_of_range: min_similarity must be a number from -1 to 1."],
    [{}, { min_similarity: "1" }, "/params/semantic/min_similarity out_of_range: min_similarity must be a number from -1 to 1."],
    [{}, { context_size: 0 }, "/params/semantic/context_size out_of_range: context_size must be a whole number from 1 to 2048."],
    [
      {},
      { context_size: 2049 },
      "/params/semantic/context_size out_of_range: context_size must be a whole number from 1 to 2048.",
    ],
    [{}, { prompt: 5 }, "/params/semantic/prompt wrong_type: prompt must be a string."],
    [{}, { prompt: " " }, "/params/semantic/prompt out_of_range: prompt must not be empty."],
    [{}, { field: 5 }, "/params/semantic/field wrong_type: field must be a string."],
    [{}, { field: "state" }, '/params/semantic/field not_allowed: "state" cannot be searched by meaning.'],
    [{}, { field: "bdy" }, '/params/semantic/field unknown_field: issues has no field "bdy".'],
    [{ semantic: "slow login" }, {}, "/params/semantic wrong_type: semantic must be an object with field and prompt."],
    [{ sort: "body" }, {}, "/params/sort not_allowed: Hits are ordered by their similarity to the prompt, so there is no sort."],
  ])("%j with %j have one fault", (given, semantic, fault) => {
    expect(checked(given, semantic)).toEqual({ found: undefined, faults: [fault] });
  });

  it.each([
    [{ limit: 1 }, { min_similarity: -1, context_size: 1 }],
    [{ limit: 100 }, { min_similarity: 1, context_size: 2048 }],
  ])("%j with %j are at their limits", (given, semantic) => {
    expect(checked(given, semantic).faults).toEqual([]);
  });

  it("are refused where no field can be searched by meaning", () => {
    expect(checked({}, {}, labels).faults).toEqual([expect.stringContaining("No field of issues can be searched by meaning.")]);
  });
});
