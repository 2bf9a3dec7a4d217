import { describe, expect, it } from "vitest";
import { isSecretText, newSecretText, secretTextPattern } from "../../../runtime/accounts/secret-text.ts";

describe("the text of a secret", () => {
  it("is recognised, by the redactor too, and never comes twice", () => {
    const texts = Array.from({ length: 1000 }, (_, index) => newSecretText(index % 2 === 0 ? "key" : "secret"));
    expect(new Set(texts).size).toBe(1000);
    for (const text of texts) {
      expect(isSecretText(text)).toBe(true);
      expect(text).toMatch(new RegExp(`^${secretTextPattern}$`));
    }
  });

  it("is refused with any one character changed, cut off or added", () => {
    const text = newSecretText("key");
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === "a" ? "b" : "a";
      expect(isSecretText(text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
    }
    for (const wrong of [text.slice(0, -1), `${text}0`, text.replace("key", "secret"), "", ` ${text}`])
      expect(isSecretText(wrong)).toBe(false);
  });
});
