import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { out } from "../../../runtime/cli/output/standard-output.ts";
import { specInit } from "../../../runtime/cli/spec/spec-init.ts";

const spec = mkdtempSync(join(tmpdir(), "tenon-spec-init-"));
afterAll(() => rmSync(spec, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const openapi = join(spec, "notes.yaml");
writeFileSync(
  openapi,
  `
openapi: 3.1.0
info: { title: Notes }
servers: [{ url: "https://notes.example" }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /notes: { get: { responses: { "200": { content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { type: string }, text: { type: string } } } } } } } } } }
`,
);

/** What `tenon spec init` writes to a program or a terminal, with its status. */
async function drafted(name: string, isTTY: boolean) {
  const lines: string[] = [];
  vi.spyOn(out, "isTTY", "get").mockReturnValue(isTTY);
  vi.spyOn(out, "line").mockImplementation((line) => lines.push(line) > 0);
  return { status: await specInit.run([name], { graphql: undefined, openapi, only: [], spec }, ["help", "sync"]), lines };
}

it("tells a program on one line what a draft has and what is left to do", async () => {
  const { status, lines } = await drafted("notes", false);
  expect(status).toBe(0);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      event: "drafted",
      folder: join(spec, "notes"),
      entities: 1,
      fields: 2,
      actions: 1,
      todos: 6,
      left: [],
      open: expect.any(Array),
    },
  ]);
});

it("tells a person what to do next", async () => {
  const { status, lines } = await drafted("memos", true);
  expect(status).toBe(0);
  expect(lines[0]).toBe(`wrote ${join(spec, "memos")}/: 1 entities, 2 fields, 1 actions`);
  expect(lines.at(-1)).toBe("next: tenon generate");
});

it.each([
  ["Notes", "use lower-case letters, digits and single dashes, 64 at most"],
  ["my--notes", "use lower-case letters, digits and single dashes, 64 at most"],
  ["a".repeat(65), "use lower-case letters, digits and single dashes, 64 at most"],
  ["sync", "a command has this name"],
  ["help", "a command has this name"],
])("refuses %s as the name of a connector: %s", async (name, why) => {
  await expect(drafted(name, false)).rejects.toThrow(`"${name}" cannot be the name of a connector: ${why}`);
});
