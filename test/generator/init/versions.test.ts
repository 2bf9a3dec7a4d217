import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { initSpec } from "../../../generator/init/init.ts";

const spec = mkdtempSync(join(tmpdir(), "tenon-versions-"));
afterAll(() => rmSync(spec, { recursive: true, force: true }));

it.each([
  ["Swagger", { swagger: "2.0" }, "is Swagger 2.0; allowed: OpenAPI 3.0 and 3.1"],
  ["a later version", { openapi: "4.0.0" }, "is OpenAPI 4.0.0; allowed"],
  ["a later version that begins like an allowed one", { openapi: "3.10.0" }, "is OpenAPI 3.10.0; allowed"],
  ["a later version that is a number", { openapi: 3.2 }, "is OpenAPI 3.2; allowed"],
  ["no version", {}, "has no version"],
  ["a version that is a list", { openapi: ["3.1.0"] }, "has no version"],
  ["an allowed version that is a number", { openapi: 3.1 }, "has no lists of records"],
  ["an allowed version that YAML reads as the number 3", { openapi: 3 }, "has no lists of records"],
])("says of a description of %s what is wrong with it", async (_what, version, message) => {
  const file = join(spec, "api.json");
  writeFileSync(file, JSON.stringify({ ...version, paths: {} }));
  await expect(initSpec({ name: "api", openApi: file, only: [], spec })).rejects.toThrow(message);
});

it("says how to take the only list, whose path has no name", async () => {
  const file = join(spec, "bases.json");
  const rows = {
    type: "object",
    properties: { rows: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } } },
  };
  const response = { content: { "application/json": { schema: rows } } };
  const parameters = [{ name: "table", in: "path", required: true, schema: { type: "string" } }];
  writeFileSync(
    file,
    JSON.stringify({ openapi: "3.1.0", paths: { "/{table}": { get: { parameters, responses: { 200: response } } } } }),
  );
  await expect(initSpec({ name: "bases", openApi: file, only: [], spec })).rejects.toThrow(
    "no lists of records: GET /{table}: its path ends with a parameter and names no entity: `--only 'NAME=/{table}'` gives it a name",
  );
  expect((await initSpec({ name: "bases", openApi: file, only: ["rows=/{table}"], spec })).entities).toBe(1);
});
