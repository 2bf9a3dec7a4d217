import { describe, expect, it } from "vitest";
import { readerToken } from "../../../runtime/simulated/github/tokens.ts";
import { data, hello, inHello } from "./setup.ts";
import { commentFields, complete, issues, pullFields, pulls, responseErrors, send, write } from "./write-setup.ts";

describe("comments.create", () => {
  it("writes on issues and pull requests", async () => {
    const pull = hello().pullRequests[0];
    for (const number of [hello().issues[1]?.number, pull?.number]) {
      const made = await write("comments.create", "POST", `${issues}/${number}/comments`, { body: "שלום {x} 🎉" }, readerToken);
      complete(made, commentFields);
      const seen = await data(
        "query($id: ID!) { node(id: $id) { ... on IssueComment { body author { login } issue { number } } } }",
        { id: made["node_id"] },
      );
      expect(seen["node"]).toEqual({ body: "שלום {x} 🎉", author: { login: "hubot" }, issue: { number } });
    }
    expect(pull?.comments.at(-1)?.body).toBe("שלום {x} 🎉");
  });

  it("refuses nothing, locked issues and unknown ones", async () => {
    const locked = hello().issues.find((issue) => issue.locked);
    expect((await send("POST", `${issues}/1/comments`, {})).status).toBe(422);
    expect((await send("POST", `${issues}/1/comments`, { body: "  " })).body).toMatchObject({
      errors: [{ resource: "IssueComment", field: "body" }],
    });
    expect((await send("POST", `${issues}/${locked?.number}/comments`, { body: "x" }, { token: readerToken })).status).toBe(403);
    expect((await send("POST", `${issues}/${locked?.number}/comments`, { body: "x" })).status).toBe(201);
    expect((await send("POST", `${issues}/9999/comments`, { body: "x" })).status).toBe(404);
  });
});

describe("pull_requests.create", () => {
  const closedHead = () => {
    const found = hello().pullRequests.find((pull) => pull.state === "OPEN");
    if (found === undefined) throw new Error("no open pull request");
    return found;
  };

  it("opens a pull request from a branch", async () => {
    const old = closedHead();
    old.state = "CLOSED";
    const made = await write("pull_requests.create", "POST", pulls, {
      title: "Again",
      head: old.headRefName,
      base: "main",
      body: "b",
      draft: true,
    });
    complete(made, pullFields);
    expect(made).toMatchObject({
      draft: true,
      state: "open",
      commits: old.commits.length,
      head: { ref: old.headRefName, sha: old.headRefOid },
    });
    const seen = await data(
      inHello(`pullRequest(number: ${made["number"]}) { id isDraft changedFiles commits(first: 9) { totalCount } headRefName }`),
    );
    expect(seen["repository"]?.["pullRequest"]).toEqual({
      id: made["node_id"],
      isDraft: true,
      changedFiles: made["changed_files"],
      commits: { totalCount: old.commits.length },
      headRefName: old.headRefName,
    });
  });

  it("opens one across forks", async () => {
    const path = "/repos/tenon-labs/widgets/pulls";
    const made = await write("pull_requests.create", "POST", path, {
      title: "From a fork",
      head: "octocat:my-change",
      base: "main",
    });
    expect(made).toMatchObject({
      head: { label: "octocat:my-change", repo: { full_name: "octocat/widgets" } },
      base: { label: "tenon-labs:main" },
    });
    expect(made["maintainer_can_modify"]).toBe(true);
    const again = await send("POST", path, { title: "Twice", head: "octocat:my-change", base: "main" });
    expect(again.body).toMatchObject({
      errors: [{ resource: "PullRequest", code: "custom", message: "A pull request already exists for octocat:my-change." }],
    });
  });

  it.each([
    ["an unknown head", { head: "nope", base: "main" }, { field: "head", code: "invalid" }],
    ["an unknown owner of the head", { head: "nobody:main", base: "main" }, { field: "head", code: "invalid" }],
    ["a head outside the network", { head: "monalisa:main", base: "main" }, { field: "head", code: "invalid" }],
    ["an unknown base", { head: "develop", base: "nope" }, { field: "base", code: "invalid" }],
    ["nothing to merge", { head: "develop", base: "main" }, { code: "custom", message: "No commits between main and develop" }],
    ["itself", { head: "main", base: "main" }, { code: "custom", message: "No commits between main and main" }],
  ])("refuses %s", async (_name, body, problem) => {
    const reply = await send("POST", pulls, { title: "x", ...body });
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ message: "Validation Failed", errors: [{ resource: "PullRequest", ...problem }] });
    expect(responseErrors("pull_requests.create", 422, reply.body)).toEqual([]);
  });

  it("needs push access to the head", async () => {
    const head = closedHead();
    head.state = "CLOSED";
    const reply = await send("POST", pulls, { title: "x", head: head.headRefName, base: "main" }, { token: readerToken });
    expect(reply.status).toBe(403);
    expect((await send("POST", pulls, { title: "x", base: "main" })).body["message"]).toContain('"head" wasn\'t supplied');
  });
});
