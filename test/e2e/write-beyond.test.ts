import { describe, expect, it } from "vitest";
import { description } from "../../runtime/simulated/github/rest/api.ts";
import { ownerToken, readerToken } from "../../runtime/simulated/github/tokens.ts";
import { unpaced } from "../support/fake-instance.ts";
import { good, type Reply, usePlatform } from "./support/service.ts";
import { found, hello } from "./support/world.ts";

// Writes to GitHub that the interface does not have. The simulated platform says no wherever GitHub does.

const running = usePlatform({ connectors: [unpaced] });
const at = { owner: "octocat", repo: "hello-world" };
const run = async (entity: string, action: string, params: object, token = ownerToken) =>
  (await running.shared(token)).run(entity, action, { ...at, ...params });

/** What a response says of a refusal. */
const bad = ({ status, body }: Reply) => ({ ...body, status });

/** Sends the same call to the platform itself, and holds its response against GitHub's description. */
async function described(method: string, path: string, body: object): Promise<{ readonly status: number }> {
  const filled = path.replace("{owner}", at.owner).replace("{repo}", at.repo);
  const response = await fetch(running.platform.url + filled, {
    method,
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${ownerToken}`, "content-type": "application/json", accept: "application/json" },
  });
  const template = path.replace(/pulls\/\d+/, "pulls/{pull_number}").replace(/contents\/.*/, "contents/{path}");
  expect(description.responseErrors({ method, path: template }, response.status, await response.json())).toEqual([]);
  return { status: response.status };
}

/** A pull request of a new branch with one more file. */
async function newPull(file: string): Promise<number> {
  const world = hello(running.platform.world);
  const from = found(world.refs.find(({ name }) => name === "main"));
  world.refs.push({ ...from, name: `branch-of-${file}` } as typeof from);
  const branch = `branch-of-${file}`;
  good(await run("file_content", "put", { path: file, message: "Add", content: "SGVsbG8K", branch }));
  const made = good(await run("pull_requests", "create", { title: file, head: branch, base: "main" }));
  return Number(made["data"]?.["number"]);
}

describe("file_content.put", () => {
  it("writes a new file, replaces it by its SHA, and later reads show both", async () => {
    const file = { path: "notes/deep/new.txt", message: "Add a note" };
    const made = good(await run("file_content", "put", { ...file, content: Buffer.from("one\n").toString("base64") }));
    expect(made["data"]).toMatchObject({ path: file.path, sha: "5626abf0f72e58d7a153368ba57db4c673c0e171" });
    const read = async () => good(await run("file_content", "get", { path: file.path }))["data"]?.["text"];
    expect(await read()).toBe("one\n");
    const again = { ...file, content: Buffer.from("two\n").toString("base64") };
    expect(bad(await run("file_content", "put", again))).toMatchObject({ status: 422 });
    expect(bad(await run("file_content", "put", { ...again, sha: "0".repeat(40) }))).toMatchObject({ code: "platform_rejected" });
    good(await run("file_content", "put", { ...again, sha: "5626abf0f72e58d7a153368ba57db4c673c0e171" }));
    expect(await read()).toBe("two\n");
  });

  it("is refused without push access, on a branch that is not there, and for what is no base64", async () => {
    const file = { path: "x.txt", message: "X", content: "eA==" };
    expect(bad(await run("file_content", "put", file, readerToken))).toMatchObject({ code: "not_found" });
    expect(bad(await run("file_content", "put", { ...file, branch: "nowhere" }))).toMatchObject({ code: "not_found" });
    expect(bad(await run("file_content", "put", { ...file, content: "no base64!" }))).toMatchObject({
      code: "platform_rejected",
    });
    expect(await described("PUT", "/repos/{owner}/{repo}/contents/y.txt", { message: "Y", content: "eQ==" })).toEqual({
      status: 201,
    });
  });
});

describe("pull_requests", () => {
  it("are changed, closed and opened again", async () => {
    const number = await newPull("change.txt");
    const update = (params: object, token = ownerToken) =>
      run("pull_requests", "update", { pull_number: number, ...params }, token);
    expect(good(await update({ title: "New", state: "closed" }))["data"]).toMatchObject({ title: "New", state: "closed" });
    expect(good(await update({ state: "open" }))["data"]).toMatchObject({ state: "open", closed_at: null });
    expect(bad(await update({ base: "nowhere" }))).toMatchObject({ code: "platform_rejected" });
    expect(bad(await update({}))).toMatchObject({ status: 422 });
    expect(bad(await update({ title: "Mine" }, readerToken))).toMatchObject({ code: "platform_forbidden" });
    expect(await described("PATCH", `/repos/{owner}/{repo}/pulls/${number}`, { title: "Newer" })).toEqual({ status: 200 });
  });

  it("are merged once, and only while nothing unseen was pushed", async () => {
    const number = await newPull("merge.txt");
    const merge = (params: object, token = ownerToken) =>
      run("pull_requests", "merge", { pull_number: number, ...params }, token);
    expect(bad(await merge({}, readerToken))).toMatchObject({ code: "platform_forbidden" });
    expect(bad(await merge({ sha: "0".repeat(40) }))).toMatchObject({ code: "platform_rejected" });
    expect(good(await merge({ merge_method: "squash" }))["data"]).toMatchObject({ merged: true });
    const read = good(await run("pull_requests", "get", { number, fields: ["state", "mergedAt"] }));
    expect(read["data"]).toEqual({ state: "closed", mergedAt: expect.any(String) });
    expect(good(await run("file_content", "get", { path: "merge.txt", fields: ["text"] }))["data"]).toEqual({ text: "Hello\n" });
    expect(bad(await merge({}))).toMatchObject({ message: expect.stringContaining("not mergeable") });
    const other = await newPull("other.txt");
    expect(await described("PUT", `/repos/{owner}/{repo}/pulls/${other}/merge`, {})).toEqual({ status: 200 });
  });
});

describe("reviews.create", () => {
  it("approves, asks for changes or comments, and later reads show it", async () => {
    const pull_number = await newPull("review.txt");
    const review = (params: object, token = readerToken) => run("reviews", "create", { pull_number, ...params }, token);
    expect(bad(await review({ event: "APPROVE" }, ownerToken))).toMatchObject({ message: expect.stringContaining("your own") });
    expect(bad(await review({ event: "REQUEST_CHANGES" }))).toMatchObject({ code: "platform_rejected" });
    expect(good(await review({ event: "APPROVE" }))["data"]).toMatchObject({ state: "APPROVED", user: { login: "hubot" } });
    const { data } = good(await run("reviews", "list", { number: pull_number, fields: ["state", "authorLogin"] }));
    expect(data).toEqual([{ state: "APPROVED", authorLogin: "hubot" }]);
    expect(
      await described("POST", `/repos/{owner}/{repo}/pulls/${pull_number}/reviews`, { event: "COMMENT", body: "Fine" }),
    ).toEqual({ status: 200 });
  });
});

describe("releases.create", () => {
  it("makes a tag where there is none, and no second release of a tag", async () => {
    const release = (params: object, token = ownerToken) => run("releases", "create", params, token);
    const made = good(await release({ tag_name: "v7.0.0", name: "Seven", body: "Notes", prerelease: true }));
    expect(made["data"]).toMatchObject({ tag_name: "v7.0.0", draft: false, prerelease: true });
    expect(good(await run("releases", "get", { tag: "v7.0.0", fields: ["name"] }))["data"]).toEqual({ name: "Seven" });
    expect(good(await run("tags", "get", { tag: "v7.0.0", fields: ["name"] }))["data"]).toEqual({ name: "v7.0.0" });
    expect(bad(await release({ tag_name: "v7.0.0" }))).toMatchObject({ code: "platform_rejected" });
    expect(bad(await release({ tag_name: "v7.1.0", target_commitish: "nowhere" }))).toMatchObject({ code: "platform_rejected" });
    expect(bad(await release({ tag_name: "v7.2.0" }, readerToken))).toMatchObject({ code: "not_found" });
    expect(await described("POST", "/repos/{owner}/{repo}/releases", { tag_name: "v7.3.0", draft: true })).toEqual({
      status: 201,
    });
  });
});
