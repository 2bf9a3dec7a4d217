import { describe, expect, it } from "vitest";
import { figma } from "../../../generated/figma/index.ts";
import { github } from "../../../generated/github/index.ts";
import { deriveKeys } from "../../../runtime/accounts/index.ts";
import { type LimitsStorage, sharedCredential } from "../../../runtime/main/instances/shared-credential.ts";
import { tokenCredential } from "../../support/credential.ts";
import { shaped } from "../../support/shaped.ts";

const limits = { name: "the limits of the processes" };
const storage = (secret?: string, shared: object | undefined = limits) =>
  shaped<LimitsStorage>({
    store: { limits: shared },
    secured: secret === undefined ? undefined : { keys: deriveKeys([secret]) },
  });
const used = {
  connector: github,
  endpoints: { rest: "https://a.example", graphql: undefined },
  credential: tokenCredential("t"),
};
const nameOf = (secret: string | undefined, apiKey: string, more: Partial<typeof used> = {}) =>
  sharedCredential(storage(secret), apiKey, { ...used, ...more })?.key;

describe("the name under which processes share the limits of a credential", () => {
  it("is the same for the same credential, address and key, and another one for any other", () => {
    const secret = "secret-key-of-the-tests-of-shared-limits";
    for (const [own, apiKey] of [
      [secret, ""],
      [undefined, "api-key-of-the-tests"],
    ] as const) {
      const name = nameOf(own, apiKey);
      expect(name).toMatch(/^credential .{20,}/);
      expect(nameOf(own, apiKey)).toBe(name);
      const others = [
        nameOf(own === undefined ? undefined : `${own}-2`, own === undefined ? `${apiKey}-2` : apiKey),
        nameOf(own, apiKey, { credential: tokenCredential("u") }),
        nameOf(own, apiKey, { endpoints: { rest: "https://b.example", graphql: undefined } }),
        nameOf(own, apiKey, { connector: figma }),
      ];
      expect(new Set([name, ...others]).size).toBe(5);
    }
    // A secret key counts more than the operator's.
    expect(nameOf(secret, "one")).toBe(nameOf(secret, "another"));
  });

  it("comes with the limits, and there is none without limits or without any key", () => {
    expect(sharedCredential(storage(), "api-key-of-the-tests", used)).toEqual({ limits, key: expect.any(String) });
    expect(sharedCredential(storage(), "", used)).toBeUndefined();
    expect(sharedCredential(shaped({ store: {}, secured: undefined }), "api-key-of-the-tests", used)).toBeUndefined();
  });
});
