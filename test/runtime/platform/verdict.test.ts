import { describe, expect, it } from "vitest";
import { doubtAdvice } from "../../../runtime/base/errors.ts";
import { fakeInstance, run } from "../../support/fake-instance.ts";

const read = { entity: "gists", action: "get", params: { gist_id: "g" } };
const readByGraphql = { entity: "viewer", action: "get", params: { fields: ["login"] } };
const page = (type?: string) => () =>
  new Response("<html>login</html>", type === undefined ? {} : { headers: { "content-type": type } });
const cut = () => new Response('{"data":', { headers: { "content-type": "application/json; charset=utf-8" } });
const refused = () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
  throw new TypeError("fetch failed", { cause });
};

describe.concurrent("a call without a usable response", () => {
  it.each([
    ["a page of HTML", page("text/html; charset=utf-8"), "GitHub responded with 200 and content that is not JSON (text/html)."],
    ["bytes without a type", () => new Response(Buffer.from("login")), "GitHub responded with 200 and content that is not JSON."],
    ["a type that is none", page("text"), "GitHub responded with 200 and content that is not JSON."],
    ["JSON that ends too early", cut, "The connection to GitHub failed or its response was cut off."],
    ["a refused connection", refused, "The connection to GitHub was refused: nothing accepts connections at its address."],
  ])("says what came: %s", async (_what, answer, message) => {
    const { instance } = fakeInstance(answer);
    for (const call of [read, readByGraphql])
      await expect(run(instance, call)).rejects.toMatchObject({ code: "platform_failed", message });
  });

  it("leaves a write in doubt, although the status was that of a success", async () => {
    const { instance, seen } = fakeInstance(page("text/html"));
    const create = { entity: "issues", action: "create", params: { owner: "octocat", repo: "hello-world", title: "a" } };
    const message = `GitHub responded with 200 and content that is not JSON (text/html). ${doubtAdvice}`;
    await expect(run(instance, create)).rejects.toMatchObject({ code: "write_in_doubt", message });
    expect(seen).toHaveLength(1);
  });
});
