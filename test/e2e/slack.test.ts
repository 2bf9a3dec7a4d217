import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { slack } from "../../generated/slack/index.ts";
import { type Simulated, simulated } from "../support/simulated.ts";

// A platform whose refusals have status 200, with threads inside the messages of channels.

let platform: Simulated;
let calls: string[] = [];
let refused: { readonly path: string; readonly body: object } | undefined;
beforeAll(async () => {
  platform = await simulated(slack, (_method, path) => {
    calls.push(path);
    return refused !== undefined && path.endsWith(refused.path) ? refused.body : undefined;
  });
});
afterAll(() => platform.close());

const ask = (entity: string, action: string, params: object) => platform.run({ entity, action, params });

describe("reads from Slack", () => {
  it("lists a channel page by page, each message once, with the text of its blocks on request", async () => {
    const found: { ts: string }[] = [];
    let after = "";
    do {
      const { data, meta } = await ask("messages", "list", { channel: "C02BUILD", after });
      found.push(...(data as { ts: string }[]));
      after = String(meta["end_cursor"] ?? "");
    } while (after !== "");
    expect([found.length, new Set(found.map(({ ts }) => ts)).size]).toEqual([64, 64]);
    const fields = ["sentAt", "text", "blockText", "replies"];
    const { data } = await ask("messages", "list", { channel: "C01GENERAL", per_page: 1, fields });
    expect(data).toEqual([
      {
        sentAt: "2026-05-04T13:06:40.000Z",
        text: "Who can look at the checkout? The *button* does nothing on phones.",
        blockText: "Who can look at the checkout? The button does nothing on phones.",
        replies: 2,
      },
    ]);
  });

  it.each([
    ["a channel", "messages", "list", { channel: "C09NONE" }],
    ["a channel", "channels", "get", { channel: "C09NONE" }],
    ["a user", "users", "get", { user: "U09NONE" }],
    ["a thread", "replies", "list", { channel: "C01GENERAL", ts: "1.1" }],
    ["a message", "messages", "update", { channel: "C01GENERAL", ts: "1.1", text: "x" }],
  ])("say that %s is not there: %s %s", async (_what, entity, action, params) => {
    await expect(ask(entity, action, params)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("writes to Slack", () => {
  it("post, change and remove a message", async () => {
    const { data } = await ask("messages", "create", { channel: "C01GENERAL", text: "Hello" });
    const { ts } = data as { ts: string };
    expect(data).toMatchObject({ channel: "C01GENERAL", text: "Hello", user: "U01ANA" });
    expect((await ask("messages", "update", { channel: "C01GENERAL", ts, text: "Hi" })).data).toEqual({
      channel: "C01GENERAL",
      ts,
    });
    expect((await ask("messages", "delete", { channel: "C01GENERAL", ts })).data).toEqual({ channel: "C01GENERAL", ts });
    await expect(ask("messages", "delete", { channel: "C01GENERAL", ts })).rejects.toMatchObject({ code: "not_found" });
  });

  it.each(["fatal_error", "internal_error"])("are in doubt after %s, and sent once", async (error) => {
    calls = [];
    refused = { path: "/chat.postMessage", body: { ok: false, error } };
    const write = ask("messages", "create", { channel: "C01GENERAL", text: "Hello" });
    await expect(write).rejects.toMatchObject({ code: "write_in_doubt" });
    refused = undefined;
    expect(calls).toHaveLength(1);
  });
});

describe("blocks of Slack", () => {
  const post = (params: object) => ask("messages", "create", { channel: "C01GENERAL", text: "In short", ...params });
  const read = async (channel: string, ts: string) => {
    const fields = ["ts", "text", "blockText"];
    const { data } = await ask("messages", "list", { channel, per_page: 200, fields });
    return (data as { readonly ts: string }[]).find((one) => one.ts === ts);
  };

  it.each(["One line.", "First line\nsecond line\n\n*no* _markup_, 5 < 7 & {text}", "x".repeat(3000)])(
    "are written of a text, which they give back when they are read: %#",
    async (blockText) => {
      const { ts } = (await post({ blockText })).data as { ts: string };
      expect(await read("C01GENERAL", ts)).toEqual({ ts, text: "In short", blockText });
      await ask("messages", "update", { channel: "C01GENERAL", ts, blockText: `${blockText.slice(1)}!` });
      expect(await read("C01GENERAL", ts)).toEqual({ ts, text: "In short", blockText: `${blockText.slice(1)}!` });
    },
  );

  const section = (text: string, type = "mrkdwn") => ({ type: "section", text: { type, text } });
  it("are also written as they are", async () => {
    const rich = { type: "rich_text", elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "d" }] }] };
    const header = { type: "header", text: { type: "plain_text", text: "a" } };
    const blocks = [header, { type: "divider" }, section("b"), { type: "markdown", text: "c" }, rich];
    const { ts } = (await post({ blocks })).data as { ts: string };
    expect(await read("C01GENERAL", ts)).toMatchObject({ blockText: "a\nb\nc\nd" });
  });

  it.each<[string, object]>([
    ["a longer text of a section", section("x".repeat(3001))],
    ["an empty text", section("")],
    ["a section without a text", { type: "section" }],
    ["a longer header", { type: "header", text: { type: "plain_text", text: "x".repeat(151) } }],
    ["a header with markup", { type: "header", text: { type: "mrkdwn", text: "x" } }],
    ["another type", { type: "poem", text: "x" }],
    ["no type", { text: "x" }],
    ["a rich text of unknown parts", { type: "rich_text", elements: [{ type: "text", text: "x" }] }],
  ])("are refused by Slack: %s", async (_what, block) => {
    await expect(post({ blocks: [block] })).rejects.toMatchObject({
      code: "platform_rejected",
      message: expect.stringContaining("/blocks/0"),
    });
  });

  it("are at most 50, and no text beside them", async () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ type: "divider" }));
    expect((await post({ blocks: many(50) })).data).toMatchObject({ channel: "C01GENERAL" });
    await expect(post({ blocks: many(51) })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(post({ blocks: many(1), blockText: "x" })).rejects.toThrow("blocks and blockText are sent in the same place");
    const call = (blocks: object[]) =>
      fetch(`${platform.platform.rest}/chat.postMessage`, {
        method: "POST",
        headers: { authorization: `Bearer ${platform.platform.token}`, "content-type": "application/json" },
        body: JSON.stringify({ channel: "C01GENERAL", text: "x", blocks }),
      }).then((response) => response.json());
    expect(await call(many(51))).toMatchObject({ ok: false, error: "invalid_blocks" });
    expect(await call(many(50))).toMatchObject({ ok: true });
  });
});

describe("a sync of Slack", () => {
  it("reads the threads of messages of channels, and leaves a channel as it was that the token may not read", async () => {
    const search = async (entity: string, filter: object) =>
      (await ask(entity, "context_store_search", { query: { filter }, fields: ["ts"], limit: 100 })).data;
    calls = [];
    const first = await platform.syncExamples();
    // Two channels that the token is in, and one message with replies.
    expect(calls.filter((path) => /history|replies/.test(path)).length).toBe(3);
    expect(first.entities.map(({ entity, outcome }) => [entity, outcome])).toEqual(
      ["channels", "messages", "replies", "users"].map((entity) => [entity, "complete"]),
    );
    expect(await search("replies", { eq: { thread: "1777900000.000100" } })).toHaveLength(3);
    expect(await search("replies", { fuzzy: { text: "listener is missing" } })).toEqual([{ ts: "1777900200.000100" }]);
    expect(await search("messages", { eq: { channel: "C03SALES" } })).toEqual([]);
    refused = { path: "/conversations.history", body: { ok: false, error: "not_in_channel" } };
    await platform.syncExamples();
    refused = undefined;
    expect(await search("messages", { eq: { channel: "C02BUILD" } })).toHaveLength(64);
  });
});

describe("reactions of Slack", () => {
  it("are put on a message and taken away, by an entity without a record", async () => {
    const params = { channel: "C01GENERAL", ts: "1777900000.000100", emoji: "tada" };
    for (const action of ["add", "remove"]) expect((await ask("reactions", action, params)).data).toEqual({ ok: true });
    await expect(ask("reactions", "add", { ...params, ts: "1" })).rejects.toMatchObject({ code: "not_found" });
    await expect(ask("reactions", "context_store_search", {})).rejects.toThrow("No sync reads reactions");
  });
});
