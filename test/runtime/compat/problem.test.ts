import { describe, expect, it } from "vitest";
import { type ErrorCode, errorCodes } from "../../../runtime/base/error-codes.ts";
import { asTenonError, TenonError } from "../../../runtime/base/errors.ts";
import { compatProblem, ofWrite } from "../../../runtime/compat/problem.ts";

describe("the status of an error", () => {
  it("differs from our own only for writes of unknown fate and for what is never there", () => {
    const codes = Object.keys(errorCodes) as ErrorCode[];
    const changed = codes.filter((code) => compatProblem(new TenonError(code, "x"), "id").status !== errorCodes[code].status);
    expect(changed.sort()).toEqual(["context_store_unavailable", "write_deadline_exceeded", "write_in_doubt"]);
    for (const code of ["write_in_doubt", "write_deadline_exceeded"] as const)
      expect(compatProblem(new TenonError(code, "x"), "id").status).toBe(409);
    expect(compatProblem(new TenonError("context_store_unavailable", "x"), "id").status).toBe(422);
  });

  it("is 409 for an unexpected error during a write, which says what to do", () => {
    const { status, message } = compatProblem(ofWrite(asTenonError(new Error("secret"))), "id");
    expect(status).toBe(409);
    expect(message).toMatch(/unknown whether the write was done/);
    expect(message).not.toContain("secret");
    const refused = new TenonError("platform_rejected", "no");
    expect(ofWrite(refused)).toBe(refused);
  });
});
