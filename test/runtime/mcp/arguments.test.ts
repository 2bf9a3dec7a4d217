import { describe, expect, it } from "vitest";
import { figma } from "../../../generated/figma/index.ts";
import { github } from "../../../generated/github/index.ts";
import { invalidRequest } from "../../../runtime/base/errors.ts";
import { call, type Execute, list, type Place } from "./tool-call.ts";

describe("wrong arguments of a tool", () => {
  const never: Execute = () => Promise.reject(new Error("it was sent"));
  const faults = async (name: string, args: Record<string, unknown>, place: Partial<Place> = {}) => {
    const { isError, value } = await call(never, name, args, place);
    expect(isError).toBe(true);
    expect(value.error.code).toBe("invalid_request");
    return { all: value.error.errors as Record<string, unknown>[], next: String(value.what_to_do) };
  };

  it("that are missing are three faults, each with its name", async () => {
    const { all } = await faults("write", {});
    expect(all).toEqual(
      ["entity", "action", "params"].map((name) => ({
        pointer: `/${name}`,
        code: "missing_param",
        message: expect.stringContaining(`${name} is required`),
      })),
    );
    expect((await faults("semantic_search", {})).all.map(({ pointer }) => pointer)).toEqual(["/entity", "/prompt"]);
    expect((await faults("read", {}, { connectors: [github, figma] })).all.map(({ pointer }) => pointer)).toEqual([
      "/entity",
      "/action",
      "/connector",
    ]);
  });

  it("are reported together", async () => {
    const args = { entity: "isues", action: 5, params: [], idempotency_key: "", nothing: 1 };
    const { all } = await faults("write", args);
    expect(all.map(({ pointer, suggestion }) => [pointer, suggestion])).toEqual([
      ["/nothing", undefined],
      ["/action", undefined],
      ["/params", undefined],
      ["/idempotency_key", undefined],
      ["/entity", "issues"],
    ]);
  });

  it.each<[string, Record<string, unknown>, object]>([
    [
      "read",
      { entity: "issues", action: "create" },
      { pointer: "/action", message: "create changes something: use the tool write." },
    ],
    [
      "read",
      { entity: "issues", action: "context_store_search" },
      { message: expect.stringContaining("use the tool search, semantic_search"), allowed: ["get", "list", "api_search"] },
    ],
    [
      "read",
      { entity: "labels", action: "lst" },
      { message: 'labels has no action "lst".', allowed: ["get", "list"], suggestion: "list" },
    ],
    [
      "write",
      { entity: "issues", action: "list", params: {} },
      { pointer: "/action", message: "list changes nothing: use the tool read.", allowed: ["create", "update"] },
    ],
    ["write", { entity: "labels", action: "delete", params: {} }, { message: "labels has no action that changes something." }],
    [
      "semantic_search",
      { entity: "labels", prompt: "x" },
      {
        pointer: "/entity",
        message: "labels has no text to search by meaning: use the tool search.",
        allowed: ["comments", "issues", "pull_requests"],
      },
    ],
    ["describe_entity", { entity: "issues", action: "lists" }, { pointer: "/action", suggestion: "list" }],
    ["search", { entity: "issues", connector: "gitlab" }, { pointer: "/connector", allowed: ["github"] }],
    ["search", { entity: "issues", limit: 5000 }, { pointer: "/limit", message: "limit must be from 1 to 1000." }],
    [
      "semantic_search",
      { entity: "issues", prompt: "x", dedup: "maxi" },
      { pointer: "/dedup", allowed: ["max", "none"], suggestion: "max" },
    ],
    [
      "read",
      { ...list, cursor: "a", params: { ...list.params, after: "b" } },
      { pointer: "/cursor", message: expect.stringContaining("params.after") },
    ],
  ])("of %s, such as %j, say what to use instead", async (name, args, fault) => {
    const { all, next } = await faults(name, args);
    expect(all).toMatchObject([fault]);
    expect(next).toMatch(
      /^(Call (list_entities|describe_entity|\w+ again with (the name )?"\w+" in place of \/)|Correct the arguments|Use the tool that the message names)/,
    );
  });

  it.each([
    ["pr", "pull_requests"],
    ["Pull Request", "pull_requests"],
    ["org-repos", "org_repositories"],
    ["isue", "issues"],
  ])("map %s, as others call it, to %s", async (entity, suggestion) => {
    const { all, next } = await faults("read", { ...list, entity });
    expect(all).toMatchObject([{ pointer: "/entity", code: "unknown_entity", suggestion }]);
    expect(next).toBe(`Call read again with "${suggestion}" in place of /entity.`);
  });

  it("are never left out: a cursor where there is none, or of another type", async () => {
    const get = { entity: "issues", action: "get", params: { ...list.params, number: 1 }, cursor: "x" };
    expect((await faults("read", get)).all).toMatchObject([
      { pointer: "/cursor", message: "get gives one record: leave the cursor out." },
    ]);
    const asked: object[] = [];
    const execute: Execute = async (_id, { params }) => {
      asked.push(params);
      return { data: [], meta: {} };
    };
    await call(execute, "read", { ...list, params: { ...list.params, after: 5 } });
    expect(asked).toEqual([{ ...list.params, after: 5 }]);
  });

  it("say that writing is off where it is, and that there is no connector where there is none", async () => {
    const off = { pointer: "/action", message: expect.stringContaining("writing is off here") };
    expect((await faults("read", { ...list, action: "create" }, { writes: false })).all).toMatchObject([off]);
    expect((await faults("describe_entity", { entity: "issues", action: "create" }, { writes: false })).all).toMatchObject([off]);
    expect((await faults("search", { entity: "issues" }, { connectors: [] })).all).toMatchObject([
      { pointer: "/connector", message: expect.stringContaining("no connector that you may use") },
    ]);
  });

  it("are named as arguments of the tool where the action refuses them", async () => {
    const refusing =
      (pointer: string): Execute =>
      () =>
        Promise.reject(invalidRequest([{ pointer, code: "wrong_type", message: "It is wrong." }]));
    const places: [string, Record<string, unknown>, string, string][] = [
      ["search", { entity: "issues" }, "/params/query/filter/eq/state", "/filter/eq/state"],
      ["search", { entity: "issues" }, "/params/groupBy/0", "/groupBy/0"],
      ["semantic_search", { entity: "issues", prompt: "x" }, "/params/semantic/context_size", "/context_size"],
      ["semantic_search", { entity: "issues", prompt: "x" }, "/params/fields/0", "/fields/0"],
      ["read", list, "/params/per_page", "/params/per_page"],
      ["read", { ...list, cursor: "x" }, "/params/after", "/cursor"],
      ["read", { ...list, fields: ["x"] }, "/params/fields/0", "/fields/0"],
      ["read", { ...list, params: { ...list.params, fields: ["x"] } }, "/params/fields/0", "/params/fields/0"],
    ];
    for (const [tool, args, place, argument] of places) {
      const { value } = await call(refusing(place), tool, args);
      expect(value.error).toMatchObject({ message: `${argument}: It is wrong.`, errors: [{ pointer: argument }] });
      if (argument.includes("fields")) expect(value.what_to_do).toContain("it lists the fields.");
    }
  });
});
