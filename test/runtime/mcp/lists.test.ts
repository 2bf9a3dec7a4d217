import { describe, expect, it } from "vitest";
import { connectors } from "../../../runtime/main/connectors.ts";
import { manualOf } from "../../../runtime/manual/manual.ts";
import type { ToolHost } from "../../../runtime/mcp/host.ts";
import { callTool } from "../../../runtime/mcp/server.ts";
import { tools } from "../../../runtime/mcp/tools.ts";

// What a model reads of every list that there is: few columns, the total, the next page as a call, and why nothing was found.

type Answer = Awaited<ReturnType<ToolHost["execute"]>>;
const entities = connectors.flatMap((connector) =>
  Object.entries(connector.entities).map(([name, entity]) => ({ connector, name, entity })),
);
const lists = entities.flatMap((one) =>
  Object.entries(one.entity.actions).flatMap(([action, { traits }]) => (traits.list ? [{ ...one, action }] : [])),
);

/** Entities with fewer brief fields than four, and why. */
const small: Readonly<Record<string, string>> = {
  "jira transitions": "they have three fields",
  "slack reactions": "they can be added only, and the response has one field",
  "github stargazers": "their fourth field repeats the login",
};

describe("the brief fields", () => {
  it.each(entities.map((one) => [`${one.connector.name} ${one.name}`, one.entity] as const))(
    "of %s are four to six",
    (name, entity) => {
      expect(entity.brief.length, name).toBeGreaterThanOrEqual(Object.hasOwn(small, name) ? 1 : 4);
      expect(entity.brief.length, name).toBeLessThanOrEqual(6);
    },
  );
});

describe("a list as text", () => {
  const read = async ({ connector, name, action }: (typeof lists)[number], answer: Answer) => {
    const tool = tools.find((one) => one.name === "read");
    if (tool === undefined) throw new Error("no tool");
    const host: ToolHost = {
      writes: false,
      instances: async () => [{ id: connector.name, manual: () => manualOf(connector), page: async () => undefined }],
      execute: async () => answer,
      changes: () => Promise.reject(new Error()),
      watch: () => Promise.reject(new Error()),
    };
    const { content, isError } = await callTool(tool, host, { entity: name, action }, undefined);
    const [first] = content;
    expect(isError).not.toBe(true);
    return first?.type === "text" ? first.text : "";
  };

  it.each(lists.map((one) => [`${one.connector.name} ${one.name}.${one.action}`, one] as const))(
    "of %s says what a model needs",
    async (_name, one) => {
      const data = [{ id: "1" }, { id: "2" }];
      const page = await read(one, { data, meta: { has_next_page: true, end_cursor: "c1", total_count: 7 } });
      const [count, ...lines] = page.split("\n");
      expect(count).toMatch(/: 2 of 7$/);
      expect(lines.at(-1)).toBe('next page: read with "cursor":"c1"');
      expect(lines).toHaveLength(4);
      expect(lines[0]?.split("|").length).toBeLessThanOrEqual(6);
      expect(await read(one, { data, meta: { has_next_page: false, end_cursor: null } })).toMatch(/^\w+: all 2\n/);
      const none = { data: [], meta: { has_next_page: false, end_cursor: null } };
      expect(await read(one, none)).toMatch(/^No \w+ match these arguments, as far as this token sees them\.$/);
      expect(await read(one, { ...none, meta: { ...none.meta, total_count: 3 } })).toMatch(
        /^No \w+ are visible to this token, of 3\.$/,
      );
      expect(await read(one, { ...none, meta: { synced_at: null } })).toMatch(
        /^No \w+ were found, but no sync has read all of them into the cache yet\.$/m,
      );
    },
  );
});
