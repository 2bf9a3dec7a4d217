import { describe, expect, it } from "vitest";
import { type AuditFilter, checkOutcomes, fitsAudit, SeenValues } from "../../../runtime/cli/operator/audit-filter.ts";

const entry = {
  caller: "key_1",
  action: "issues.create",
  target: "github",
  outcome: "rate_limited",
  by: { name: "nightly" },
  on: undefined,
};
const all: AuditFilter = { caller: [], action: [], target: [], outcome: [] };
const fits = (filter: Partial<AuditFilter>) => fitsAudit(entry, { ...all, ...filter });

describe("a filter of the audit log", () => {
  it("finds an entry by the id and the name of its caller, its whole action or entity, its target and its outcome", () => {
    expect(fits({})).toBe(true);
    for (const filter of [
      { caller: ["key_1"] },
      { caller: ["nobody", "nightly"] },
      { action: ["issues.create"] },
      { action: ["issues"] },
      { target: ["github"] },
      { outcome: ["rate_limited"] },
      { outcome: ["failed"] },
    ])
      expect(fits(filter), JSON.stringify(filter)).toBe(true);
  });

  it("leaves out what has another value in any of them", () => {
    for (const filter of [
      { caller: ["nightly"], action: ["issues.update"] },
      { action: ["issue"] },
      { target: ["figma"] },
      { outcome: ["done"] },
    ])
      expect(fits(filter), JSON.stringify(filter)).toBe(false);
    for (const outcome of ["begun", "replayed"])
      expect(fitsAudit({ ...entry, outcome }, { ...all, outcome: ["failed"] }), outcome).toBe(false);
    expect(fitsAudit({ ...entry, target: null }, { ...all, target: ["github"] })).toBe(false);
  });

  it("names the callers, actions and targets that no entry has, which are probably misspelled", () => {
    const seen = new SeenValues();
    seen.of(entry);
    seen.of({ ...entry, action: "sync", target: null });
    const filter = { caller: ["nightly", "nigtly"], action: ["issues", "issue", "sync"], target: ["stripe"], outcome: ["done"] };
    expect(seen.missing(filter)).toEqual([
      'This part of the log has no --caller "nigtly". Did you mean "nightly"?',
      'This part of the log has no --action "issue". Did you mean "issues"?',
      'This part of the log has no --target "stripe".',
    ]);
    expect(seen.missing(all)).toEqual([]);
  });

  it("takes every outcome that an entry may have", () => {
    expect(() =>
      checkOutcomes(["done", "failed", "replayed", "begun", "unknown", "rate_limited", "owner_revoked"]),
    ).not.toThrow();
  });

  it.each([
    ["faild", 'did you mean "failed"?'],
    ["rate_limitd", 'did you mean "rate_limited"?'],
    ["foo", "use done, failed, replayed, begun, unknown or the code of an error"],
  ])("refuses the outcome %s, which no entry has", (outcome, hint) => {
    expect(() => checkOutcomes(["done", outcome])).toThrow(`--outcome "${outcome}" is not an outcome; ${hint}`);
  });
});
