import { describe, expect, it } from "vitest";
import { requestLimits } from "../../../runtime/base/request-limits.ts";
import { checkMessage } from "../../../runtime/mcp/message.ts";

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, index]));
const call = (params: object) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "read", ...params } });
const { metaMembers, messageValues } = requestLimits;

const refused = (pointer: string) =>
  expect.objectContaining({ code: "invalid_request", faults: [expect.objectContaining({ pointer })] });

describe("a message of MCP", () => {
  it("may have so many members in _meta and not more", () => {
    checkMessage(call({ _meta: names(metaMembers) }));
    expect(() => checkMessage(call({ _meta: names(metaMembers + 1) }))).toThrow(refused("/params/_meta"));
  });

  it("may have many values in the arguments of a tool, and few beside them", () => {
    checkMessage(call({ arguments: { params: names(900), more: names(900) } }));
    expect(() => checkMessage(call({ other: { a: names(messageValues) } }))).toThrow(refused(""));
    expect(() => checkMessage(call({ _meta: { a: names(messageValues) } }))).toThrow(refused(""));
  });

  it("is one, and may be anything else for the library to refuse", () => {
    for (const message of [undefined, null, 5, {}, { params: null }, { params: [] }]) checkMessage(message);
    expect(() => checkMessage([call({})])).toThrow(refused(""));
  });
});
