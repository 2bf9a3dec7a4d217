import { describe, expect, it } from "vitest";
import { github } from "../../../../generated/github/index.ts";
import { readGrant } from "../../../../runtime/main/operator/read-grant.ts";

const none = { right: [], instance: [], workspace: [], organization: undefined, entity: [], limit: [] };

describe("a grant", () => {
  it("has the limits that were given", () => {
    expect(readGrant([github], [], { ...none, limit: ["requests=100", "points=5"] })).toMatchObject({
      limits: { requests: 100, points: 5 },
    });
  });

  it("is refused with everything that is wrong in it", () => {
    const given = {
      ...none,
      right: ["raed"],
      instance: ["mime"],
      entity: ["isues"],
      limit: ["request=1", "requests=0", "requests", "requests=5=6"],
    };
    expect(() => readGrant([github], ["mine"], given)).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        faults: [
          expect.objectContaining({ pointer: "/right/0", suggestion: "read" }),
          expect.objectContaining({ pointer: "/instance/0", suggestion: "mine" }),
          expect.objectContaining({ pointer: "/entity/0", suggestion: "issues" }),
          expect.objectContaining({ pointer: "/limit/0", suggestion: "requests=1" }),
          expect.objectContaining({
            pointer: "/limit/1",
            message: "The limit requests takes a whole number from 1: requests=100.",
          }),
          expect.objectContaining({ pointer: "/limit/2" }),
          expect.objectContaining({ pointer: "/limit/3" }),
        ],
      }),
    );
  });
});
