import { describe, expect, it } from "vitest";
import { run } from "../../../runtime/cli/describe.ts";
import { onTerminal, toProgram } from "../../support/command-output.ts";

const described = (...names: string[]) => onTerminal(() => run(names, { json: false }));
/** A line with one space between its cells. */
const plain = (line: string) => line.trim().replace(/ {2,}/g, " ");
const lineOf = (lines: readonly string[], name: string) => plain(lines.find((line) => line.startsWith(`  ${name} `)) ?? "");

describe("a description on a terminal", () => {
  it("has a line for each connector", async () => {
    const { status, lines } = await described();
    expect(status).toBe(0);
    expect(lines).toContain("linear  Linear: comments, cycles, issues, labels, projects, teams, users, workflow_states");
  });

  it("of a connector begins with what it is, and has its entities with their actions", async () => {
    const { status, lines } = await described("linear");
    expect([status, lines[0], lines[1]]).toEqual([0, expect.stringMatching(/of a Linear workspace\.$/), ""]);
    expect(lines.map(plain)).toContain("cycles Cycles of the teams. (get, list, context_store_search, context_store_sql_query)");
  });

  it("of an entity has its actions, and the fields of a record with their types", async () => {
    const { status, lines } = await described("github", "milestones");
    expect([status, ...lines.slice(0, 4).map(plain)]).toEqual([
      0,
      "Milestones of a repository.",
      "",
      "Actions:",
      "get Reads one milestone by its number.",
    ]);
    expect(lines).toContain("Fields of a record:");
    expect(lineOf(lines, "number")).toBe("number integer Number within the repository.");
    expect(lineOf(lines, "description")).toBe("description string | null Description.");
    expect(lineOf(lines, "creator")).toBe("creator Actor | null Who created it.");
    expect(lineOf((await described("figma", "comments")).lines, "user")).toBe("user User Who wrote it.");
  });

  it("of an action says which params are required, and what each takes", async () => {
    const { status, lines } = await described("github", "issues", "list");
    expect([status, ...lines.slice(1, 3)]).toEqual([0, "", "Params:"]);
    expect(lineOf(lines, "owner")).toMatch(/^owner required string Login /);
    expect(lineOf(lines, "per_page")).toMatch(/^per_page integer Records/);
    expect(lineOf(lines, "states")).toMatch(/^states \("CLOSED" \| "OPEN"\)\[\] Which/);
    expect(lineOf(lines, "fields")).toMatch(/^fields \(string \| string\[\]\)\[\] Names/);
  });

  it("puts a description of several lines on one", async () => {
    const { lines } = await described("github", "issues", "update");
    expect(lineOf(lines, "state")).toBe(
      'state "closed" | "open" Whether it is open or closed. - `closed`: Closed. - `open`: Open.',
    );
    expect(lines.every((line) => line === "" || line.startsWith("  ") || /[.:]$/.test(line))).toBe(true);
  });

  it("names the members of params that are objects, and says which of them are required", async () => {
    const { lines } = await described("jira", "attachments", "create");
    expect(lineOf(lines, "file")).toBe("file required object The file.");
    expect(lineOf(lines, "file.name")).toBe("file.name required string Name of the file.");
    expect(lineOf(lines, "file.contentType")).toMatch(/^file\.contentType string Media type/);
  });
});

describe("a description for a program", () => {
  it("is one line of JSON", async () => {
    const { status, text } = await toProgram(() => run(["linear", "labels"], { json: false }));
    expect([status, JSON.parse(text)]).toMatchObject([
      0,
      { name: "labels", actions: [{ name: "get" }, { name: "list" }, {}, {}] },
    ]);
    const { text: asked } = await onTerminal(() => run(["linear", "labels"], { json: true }));
    expect(asked).toBe(text);
  });
});

it("a name that there is not is refused with the nearest one, or with all", async () => {
  await expect(described("linaer")).rejects.toMatchObject({
    exit: 64,
    message: 'there is no connector called "linaer"; did you mean "linear"?',
  });
  await expect(described("linear", "labels", "zzzzzzzz")).rejects.toThrow(
    'there is no action of labels called "zzzzzzzz"; there is get, list, context_store_search, context_store_sql_query',
  );
});
