import { describe, expect, it } from "vitest";
import { fullGrant } from "../../../runtime/accounts/index.ts";
import { type Instances, instanceOf } from "../../../runtime/server/instance-of.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

const { instance } = fakeInstance(() => ({}));
const known: Instances = {
  instances: new Map([["there", instance]]),
  starting: new Set(["there", "coming"]),
  off: new Map([["off", "It is off."]]),
};

describe("the instance of an address", () => {
  it("is the one of this id, also where it was starting a moment ago", () => {
    expect(instanceOf(known, "there", fullGrant)).toBe(instance);
  });

  it.each([
    ["coming", "starting", 1],
    ["off", "connector_not_configured", undefined],
    ["other", "unknown_connector", undefined],
    [undefined, "unknown_connector", undefined],
    ["constructor", "unknown_connector", undefined],
  ])("%s is told as %s", (id, code, retryAfter) => {
    expect(() => instanceOf(known, id, fullGrant)).toThrow(expect.objectContaining({ code, retryAfter }));
  });
});
