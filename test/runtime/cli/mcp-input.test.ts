import { describe, expect, it } from "vitest";
import { requestLimits } from "../../../runtime/base/request-limits.ts";
import { readMessages } from "../../../runtime/cli/mcp/mcp-input.ts";

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, index]));
const call = (params: object) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "read", ...params } });
const { metaMembers } = requestLimits;

describe("the messages of standard input", () => {
  /** Gives bytes in pieces of a size. */
  async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const read = async (lines: readonly string[], size: number) => {
    const refusals: string[] = [];
    const passed: string[] = [];
    const input = pieces(lines.map((line) => `${line}\n`).join(""), size);
    for await (const line of readMessages(input, (response) => void refusals.push(response))) passed.push(String(line));
    return { passed, refusals };
  };
  const good = [JSON.stringify(call({ arguments: { a: "é" } })), '{"no JSON', ""];

  it.each([1, 7, 100, 1_000_000])("are passed on when they are within the limits, in pieces of %i bytes", async (size) => {
    expect(await read(good, size)).toEqual({ passed: good.map((line) => `${line}\n`), refusals: [] });
  });

  it.each([
    // The id is known where the message could be parsed.
    ["a large _meta", JSON.stringify(call({ _meta: names(metaMembers + 1) })), "_meta", 1],
    ["deep lists", "[".repeat(500_000), "deep", null],
    ["many members", JSON.stringify(call({ _meta: names(60_000) })), "more than 1,000 members", null],
    ["a member twice", '{"id":1,"id":2}', "twice", null],
    ["more than 1 MiB", JSON.stringify("x".repeat(1024 * 1024)), "larger than 1 MiB", null],
  ])("are refused alone, and those behind them are read: %s", async (_what, line, message, id) => {
    const { passed, refusals } = await read([line, ...good], 65_536);
    expect(passed).toEqual(good.map((one) => `${one}\n`));
    expect(refusals.map((one) => JSON.parse(one) as unknown)).toEqual([
      { jsonrpc: "2.0", id, error: { code: -32600, message: expect.stringContaining(message) as string } },
    ]);
  });
});
