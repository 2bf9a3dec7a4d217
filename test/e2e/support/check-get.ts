import { describe, expect, it } from "vitest";
import { onlyPage } from "../../../runtime/contract/index.ts";
import type { Platform } from "../../support/github/start.ts";
import { factsOf, type GetCase, paramsOf, titled, whole } from "./case.ts";
import { good, list, type Tenon } from "./service.ts";

/** The tests that every `get` must pass: the default fields, all fields, one field, and no field besides. */
export function checkGets(running: { readonly platform: Platform; readonly tenon: Tenon }, cases: readonly GetCase[]): void {
  describe.each(titled(cases, "get"))("%s", (_title, one) => {
    it("gives the default fields", async () => {
      const facts = factsOf(running.platform);
      const body = good(await running.tenon.run(one.entity, "get", paramsOf(one, facts)));
      const warnings = Object.entries(one.warnings ?? {}).map(([field, code]) => ({
        path: `data.${field}`,
        code,
        message: expect.any(String),
      }));
      const meta = { ...onlyPage, ...(warnings.length === 0 ? {} : { warnings }) };
      expect(body).toEqual({ data: one.expected(facts).defaults, meta });
    });

    it("gives exactly the fields asked for, every one of them", async () => {
      const facts = factsOf(running.platform);
      const expected = whole(one.expected(facts));
      const fields = Object.keys(expected);
      const { data } = good(await running.tenon.run(one.entity, "get", { ...paramsOf(one, facts), fields }));
      expect(data).toEqual(expected);
      expect(Object.keys(data ?? {}).sort()).toEqual([...fields].sort());
    });

    it("has no other fields", async () => {
      const facts = factsOf(running.platform);
      const reply = await running.tenon.run(one.entity, "get", { ...paramsOf(one, facts), fields: ["noSuchField"] });
      expect(reply.status).toBe(422);
      const allowed = [...list(list(reply.body["errors"])[0]?.["allowed"])].sort();
      expect(allowed).toEqual(Object.keys(whole(one.expected(facts))).sort());
    });
  });
}
