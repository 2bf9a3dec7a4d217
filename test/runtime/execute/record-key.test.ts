import { describe, expect, it } from "vitest";
import { figma } from "../../../generated/figma/index.ts";
import type { Connector } from "../../../runtime/contract/index.ts";
import { fakeInstance, run } from "../../support/fake-instance.ts";
import { type Simulated, simulated } from "../../support/simulated.ts";

// A response with status 200 that is an object, but no record.

const create = { entity: "issues", action: "create", params: { owner: "o", repo: "r", title: "t" } };
const update = { entity: "issues", action: "update", params: { owner: "o", repo: "r", issue_number: 1, title: "t" } };
const comment = { entity: "comments", action: "create", params: { owner: "o", repo: "r", issue_number: 1, body: "b" } };

describe("a write that is answered with a record without its key", () => {
  it.each([
    ["nothing", {}],
    ["an error", { error: "nope" }],
    ["a key that is null", { id: null, number: 1 }],
    ["a key that is empty", { id: "", number: 1 }],
  ])("is in doubt where the answer has %s", async (_title, answer) => {
    for (const request of [create, comment]) {
      const { instance, seen } = fakeInstance(() => answer);
      const message = expect.stringContaining('a record without "id", which is its key.');
      await expect(run(instance, request)).rejects.toMatchObject({ code: "write_in_doubt", message });
      expect(seen).toHaveLength(1);
    }
  });

  it("is in doubt or unexpected where it changes a record", async () => {
    const { instance } = fakeInstance(() => ({ error: "nope" }));
    await expect(run(instance, update)).rejects.toMatchObject({
      code: expect.stringMatching(/^(write_in_doubt|unexpected_response)$/),
    });
  });

  it("is done where the answer has the key", async () => {
    const { instance } = fakeInstance(() => ({ id: 7 }));
    expect(await run(instance, create)).toMatchObject({ data: { id: 7 } });
  });
});

describe("other actions whose answer has no key", () => {
  const platformOf = (body: object): Promise<Simulated> => simulated(figma, () => body);

  it("fail a read, with what the platform says", async () => {
    const platform = await platformOf({ meta: {}, error: "nope" });
    const request = { entity: "components", action: "get", params: { key: "k" } };
    const failed = platform.run(request);
    await expect(failed).rejects.toMatchObject({ code: "unexpected_response" });
    await platform.close();
  });

  it("are fine where their record has none", async () => {
    const platform = await platformOf({ status: 200 });
    const request = { entity: "comments", action: "delete", params: { file: "f", comment: "c" } };
    expect(await platform.run(request)).toMatchObject({ data: { status: 200 } });
    await platform.close();
  });
});

describe("ids that JavaScript's numbers do not have", () => {
  it.each([
    ["small", 0],
    ["large", 300_000],
  ])("stay what they are in a %s answer, so that two records do not become one", async (_size, length) => {
    const body = `{"pad":"${"x".repeat(length)}","comments":[{"id":9007199254740993},{"id":9007199254740992}]}`;
    const platform = await simulated(figma, (_method, path) => (path.endsWith("/comments") ? new Response(body) : undefined));
    const request = { entity: "comments", action: "list", params: { file: "f", fields: ["id"] } };
    expect((await platform.run(request)).data).toEqual([{ id: "9007199254740993" }, { id: 9007199254740992 }]);
    await platform.close();
  });

  it("have a warning, because the field takes a number", async () => {
    const issue = { number: "#", title: "a" };
    const body = JSON.stringify({ data: { repository: { issue } } }).replace('"#"', "12345678901234567890");
    const { instance } = fakeInstance(() => new Response(body, { headers: { "content-type": "application/json" } }));
    const params = { owner: "o", repo: "r", number: 1, fields: ["number", "title"] };
    const { data, meta } = await run(instance, { entity: "issues", action: "get", params });
    expect(data).toEqual({ number: "12345678901234567890", title: "a" });
    const message = "number is a whole number too large to be exact, so it stays a text.";
    expect(meta.warnings).toEqual([{ path: "data.number", code: "unexpected_type", message }]);
  });
});

describe("a write whose record has its key inside an object", () => {
  const create = figma.entities["comments"]?.actions["create"];
  const entity = figma.entities["comments"];
  if (create === undefined || entity === undefined) throw new Error("Figma has comments");
  const connector: Connector = {
    ...figma,
    entities: { ...figma.entities, comments: { ...entity, store: { ...entity.store, key: ["user.id", "file"] } } },
  };
  const request = { entity: "comments", action: "create", params: { file: "f", message: "m" } };

  it.each([
    ["without the object", { id: "1" }],
    ["with an object that lacks it", { id: "1", user: { handle: "ann" } }],
  ])("is in doubt where the response is %s", async (_what, answer) => {
    const platform = await simulated(connector, () => answer);
    const message = expect.stringContaining('a record without "user.id", which is its key.');
    await expect(platform.run(request)).rejects.toMatchObject({ code: "write_in_doubt", message });
    await platform.close();
  });

  it("is done where the response has it", async () => {
    const platform = await simulated(connector, () => ({ id: "1", user: { id: "7" } }));
    expect(await platform.run(request)).toMatchObject({ data: { id: "1" } });
    await platform.close();
  });
});
