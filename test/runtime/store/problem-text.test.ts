import { describe, expect, it } from "vitest";
import { errorCodes } from "../../../runtime/base/error-codes.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import { failure, storedProblem } from "../../../runtime/store/problem-text.ts";

const sentences = /^[A-Z].*[.)]$/;

describe("a problem of a sync", () => {
  it("is described in sentences, whatever its code", () => {
    for (const code of [...Object.keys(errorCodes), "partial_results", "mass_delete_refused"])
      expect(storedProblem(code), code).toEqual({ code, message: expect.stringMatching(sentences) });
  });

  it("that another version wrote is described as an error inside the service", () => {
    expect(storedProblem("never_heard_of")).toEqual({ code: "internal", message: expect.stringMatching(sentences) });
    expect(storedProblem("__proto__").code).toBe("internal");
  });

  it("that an error caused has the message of the error, and what to do", () => {
    expect(failure(new TenonError("platform_forbidden", "Resource not accessible by integration."))).toEqual({
      code: "platform_forbidden",
      message: expect.stringMatching(/^Resource not accessible by integration\. Give it the permission, or .* stopped\.$/),
    });
    expect(failure(new TenonError("platform_failed", "It broke down")).message).toMatch(/^It broke down\. The next sync/);
    expect(failure(new TenonError("store_unusable", "The disk is full.")).message).toMatch(
      /^The disk is full\. Ask the operator to look at the data directory/,
    );
  });
});
