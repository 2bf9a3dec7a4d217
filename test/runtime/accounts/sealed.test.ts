import { describe, expect, it } from "vitest";
import { seal, sealedBy, unseal } from "../../../runtime/accounts/sealed.ts";
import { deriveKeys } from "../../../runtime/accounts/secret-keys.ts";

const first = "the-first-secret-key-of-this-test-0000";
const second = "the-second-secret-key-of-this-test-000";
const keys = deriveKeys([first]);

describe("a sealed text", () => {
  it("opens with the secret key that sealed it, also when that one is no longer the current one", () => {
    const sealed = seal(keys, "a token \u00e9", "a");
    expect(unseal(keys, sealed, "a")).toBe("a token \u00e9");
    expect(unseal(deriveKeys([second, first]), sealed, "a")).toBe("a token \u00e9");
    expect(unseal(deriveKeys([second]), sealed, "a")).toBeUndefined();
    expect(sealedBy(sealed)).toBe(keys.current.id);
  });

  it("does not open for something else, or when any of its characters was changed", () => {
    const sealed = seal(keys, "a token", "a");
    expect(unseal(keys, sealed, "b")).toBeUndefined();
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === "A" ? "Q" : "A";
      expect(unseal(keys, sealed.slice(0, at) + other + sealed.slice(at + 1), "a")).toBeUndefined();
    }
    for (const wrong of ["", "a.b.c", sealed.slice(0, -30)]) expect(unseal(keys, wrong, "a")).toBeUndefined();
  });

  it("differs each time, and shows nothing of the text", () => {
    const sealed = [seal(keys, "a token", "a"), seal(keys, "a token", "a")];
    expect(sealed[0]).not.toBe(sealed[1]);
    expect(sealed.join(" ")).not.toContain(Buffer.from("a token").toString("base64url"));
  });
});
