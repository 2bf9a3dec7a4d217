import { describe, expect, it } from "vitest";
import { fullGrant } from "../../../runtime/accounts/index.ts";
import { type Instances, instanceOf, isVisible, type Looker } from "../../../runtime/server/instance-of.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

const { instance } = fakeInstance(() => ({}));
const known: Instances = {
  instances: new Map([["there", instance]]),
  off: new Map([["off", "It is off."]]),
};

describe("the instance of an address", () => {
  it("is the one of this id", async () => {
    expect(await instanceOf(known, "there", { grant: fullGrant })).toBe(instance);
  });

  it.each([
    ["off", "connector_not_configured"],
    ["other", "unknown_connector"],
    [undefined, "unknown_connector"],
    ["constructor", "unknown_connector"],
    ["stored", "unknown_connector"],
  ])("%s fails as %s", async (id, code) => {
    await expect(instanceOf(known, id, { grant: fullGrant })).rejects.toMatchObject({ code });
  });

  it("may be a stored one", async () => {
    const found = { ...instance, id: "stored", organization: "o" };
    const stored = {
      find: async (id: string, looker: Looker | undefined) =>
        id === "stored" && looker !== undefined && isVisible(looker, found) ? found : undefined,
    };
    const all = { ...known, stored };
    expect(await instanceOf(all, "stored", { grant: fullGrant, organization: "o" })).toMatchObject({ id: "stored" });
    await expect(instanceOf(all, "stored", { grant: fullGrant, organization: "p" })).rejects.toMatchObject({
      code: "unknown_connector",
    });
  });

  it.each(["there", "off"])("%s does not exist for a caller who may not use it, or under an organization", async (id) => {
    for (const looker of [{ grant: { ...fullGrant, instances: [] } }, { grant: fullGrant, organization: "o" }])
      await expect(instanceOf(known, id, looker)).rejects.toMatchObject({ code: "unknown_connector" });
  });
});
