import { describe, expect, it } from "vitest";
import { commentRecord as restComment } from "../../runtime/simulated/github/rest/issue-record.ts";
import { pullRecord as restPull } from "../../runtime/simulated/github/rest/pull-record.ts";
import { ownerToken, readerToken } from "../../runtime/simulated/github/tokens.ts";
import type { Issue, PullRequest } from "../../runtime/simulated/github/world/issue.ts";
import { unpaced } from "../support/fake-instance.ts";
import { commentRecord } from "./records/issue.ts";
import { pullRecord } from "./records/pull.ts";
import { commentFields, only, pullFields } from "./records/write.ts";
import { writes } from "./support/calls.ts";
import { factsOf } from "./support/case.ts";
import { bad, good, usePlatform } from "./support/service.ts";
import { found, hello, repository } from "./support/world.ts";

const running = usePlatform({ connectors: [unpaced] });
const at = { owner: "octocat", repo: "hello-world" };
const run = async (entity: string, params: object, token = ownerToken) =>
  (await running.shared(token)).run(entity, "create", params);

describe("comments.create", () => {
  const threads: [what: string, thread: () => Issue | PullRequest][] = [
    ["an issue", () => found(hello(running.platform.world).issues[4])],
    ["a pull request", () => found(hello(running.platform.world).pullRequests[2])],
  ];
  it.each(threads)("on %s answers exactly the record of the interface, and later reads show it", async (_what, thread) => {
    const tenon = await running.shared();
    const { number, comments } = thread();
    const before = comments.length;
    const text = 'Said `so` — "quoted" {braces} 🎉\r\nשלום';
    const body = good(await tenon.run("comments", "create", { ...at, issue_number: number, body: text }));
    const made = found(thread().comments.at(-1));
    expect(thread().comments.length).toBe(before + 1);
    expect(made.body).toBe(text);
    expect(body).toEqual({ data: only(restComment(running.platform.url, made), commentFields), meta: {} });
    expect(writes(running.platform)).toMatchObject([
      { method: "POST", path: `/repos/octocat/hello-world/issues/${number}/comments`, body: { body: text } },
    ]);
    const read = good(await tenon.run("comments", "get", { id: body["data"]?.["node_id"] }));
    expect(read["data"]).toEqual(commentRecord(made).defaults);
  });

  it("needs no more than read access", async () => {
    const body = good(await run("comments", { ...at, issue_number: 1, body: "From outside" }, readerToken));
    expect(body["data"]).toMatchObject({
      body: "From outside",
      user: { login: "hubot" },
      author_association: expect.any(String),
    });
  });

  it("gives the fields asked for", async () => {
    const body = good(await run("comments", { ...at, issue_number: 1, body: "Few", fields: ["body", "user.login", "user.id"] }));
    expect(body["data"]).toEqual({
      body: "Few",
      user: { login: "octocat", id: factsOf(running.platform).viewer.user.databaseId },
    });
  });

  const locked = () => found(hello(running.platform.world).issues.find((one) => one.locked)).number;
  const cases: [params: () => object, status: number, code: string, says: RegExp, token?: string][] = [
    [() => ({ ...at, issue_number: locked(), body: "a" }), 403, "platform_forbidden", /locked/, readerToken],
    [() => ({ ...at, issue_number: 2_000_000_000, body: "a" }), 404, "not_found", /404/],
    [() => ({ owner: "octocat", repo: "archive-box", issue_number: 1, body: "a" }), 403, "platform_forbidden", /archived/],
    [() => ({ ...at, issue_number: 1, body: "  " }), 422, "platform_rejected", /blank/],
  ];
  it.each(cases)("passes on the refusal of %o", async (params, status, code, says, token) => {
    expect(bad(await run("comments", params(), token), status, code)["detail"]).toMatch(says);
    expect(writes(running.platform).length).toBe(1);
  });
});

describe("pull_requests.create", () => {
  const last = (name: string) => found(repository(running.platform.world, name).pullRequests.at(-1));
  /** A branch with commits of its own. */
  const source = () => found(hello(running.platform.world).pullRequests.find((one) => one.state === "OPEN")).headRefName;
  const expectRecord = (body: unknown, pull: PullRequest) => {
    const { viewer } = factsOf(running.platform);
    expect(body).toEqual({ data: only(restPull(running.platform.url, pull, viewer), pullFields), meta: {} });
  };

  it("answers exactly the record of the interface, and later reads show it", async () => {
    const tenon = await running.shared();
    const params = { ...at, title: "A change", head: source(), base: "develop", body: "Because." };
    const body = good(await tenon.run("pull_requests", "create", params));
    const made = last("octocat/hello-world");
    expect(made).toMatchObject({ title: "A change", body: "Because.", baseRefName: "develop", headRefName: source() });
    expectRecord(body, made);
    expect(Object.keys(body["data"] ?? {}).sort()).toEqual([...pullFields].sort());
    const read = good(await tenon.run("pull_requests", "get", { ...at, number: made.number }));
    expect(read["data"]).toEqual(pullRecord(made).defaults);
  });

  it("sends what was given and no more", async () => {
    const given = { title: "A draft", head: source(), base: "develop", draft: true, maintainer_can_modify: false };
    const body = good(await run("pull_requests", { ...at, ...given }));
    expect(writes(running.platform)).toMatchObject([{ method: "POST", path: "/repos/octocat/hello-world/pulls" }]);
    expect(writes(running.platform).map((one) => one.body)).toEqual([given]);
    expect(body["data"]).toMatchObject({ draft: true, state: "open", merged_at: null });
  });

  it("takes a branch of another repository of the network", async () => {
    const params = { owner: "tenon-labs", repo: "widgets", title: "From my fork", head: "octocat:my-change", base: "main" };
    const body = good(await run("pull_requests", params));
    expectRecord(body, last("tenon-labs/widgets"));
    expect(body["data"]).toMatchObject({ head: { label: "octocat:my-change" }, base: { ref: "main" }, commits: 1 });
  });

  it("gives the fields asked for", async () => {
    const fields = ["number", "head.ref", "base.repo.full_name"];
    const body = good(await run("pull_requests", { ...at, title: "Few", head: source(), base: "develop", fields }));
    const number = last("octocat/hello-world").number;
    expect(body["data"]).toEqual({ number, head: { ref: source() }, base: { repo: { full_name: "octocat/hello-world" } } });
  });

  const cases: [params: () => object, status: number, code: string, says: RegExp, token?: string][] = [
    [() => ({ ...at, title: "a", head: source(), base: "main" }), 422, "platform_rejected", /already exists/],
    [() => ({ ...at, title: "a", head: "develop", base: "main" }), 422, "platform_rejected", /No commits between/],
    [() => ({ ...at, title: "a", head: "no-such-branch", base: "main" }), 422, "platform_rejected", /head/],
    [() => ({ ...at, title: "a", head: source(), base: "no-such-branch" }), 422, "platform_rejected", /base/],
    [() => ({ ...at, title: "a", head: source(), base: "develop" }), 403, "platform_forbidden", /write access/, readerToken],
    [() => ({ owner: "octocat", repo: "nowhere", title: "a", head: "b", base: "main" }), 404, "not_found", /404/],
  ];
  it.each(cases)("passes on the refusal of %o", async (params, status, code, says, token) => {
    expect(bad(await run("pull_requests", params(), token), status, code)["detail"]).toMatch(says);
    expect(writes(running.platform).length).toBe(1);
  });
});
