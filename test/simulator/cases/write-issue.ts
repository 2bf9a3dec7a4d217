import { describe, expect, it } from "vitest";
import { bareToken, memberToken, readerToken } from "../../../runtime/simulated/github/tokens.ts";
import { data, hello, inHello, list, named, platform } from "./setup.ts";
import { complete, issueFields, issues, names, responseErrors, send, write } from "./write-setup.ts";

describe("issues.create", () => {
  it("creates an issue that GraphQL then shows", async () => {
    const before = hello().lastNumber;
    const made = await write("issues.create", "POST", issues, {
      title: 'New "issue" 🎉',
      body: "{body}",
      labels: ["bug", { name: "made up" }],
      assignees: ["monalisa"],
      milestone: 2,
    });
    complete(made, issueFields);
    expect(made).toMatchObject({
      number: before + 1,
      state: "open",
      state_reason: null,
      user: { login: "octocat" },
      milestone: { number: 2 },
    });
    const seen = await data(
      inHello(
        `issue(number: ${before + 1}) { id title fullDatabaseId labels(first: 9) { nodes { name } } assignees(first: 9) { nodes { login } } milestone { number } }`,
      ),
    );
    const issue = seen["repository"]?.["issue"];
    expect(issue).toMatchObject({
      id: made["node_id"],
      title: 'New "issue" 🎉',
      milestone: { number: 2 },
      fullDatabaseId: String(made["id"]),
    });
    expect(names(issue?.["labels"]?.["nodes"])).toEqual(["bug", "made up"]);
    expect(names(issue?.["assignees"]?.["nodes"], "login")).toEqual(["monalisa"]);
  });

  it("drops labels, assignees and milestone in silence without push access", async () => {
    const body = { title: "From outside", labels: ["bug", "unheard of"], assignees: ["nobody-at-all"], milestone: 99 };
    const made = await write("issues.create", "POST", issues, body, readerToken);
    expect(made).toMatchObject({ labels: [], assignees: [], assignee: null, milestone: null, user: { login: "hubot" } });
    expect(hello().labels.some((label) => label.name === "unheard of")).toBe(false);
  });

  it.each([
    ["no title", { body: "x" }, /"title" wasn't supplied/],
    ["a title of the wrong type", { title: {} }, /properties\/title/],
    ["labels of the wrong type", { title: "x", labels: "bug" }, /properties\/labels/],
  ])("refuses %s by the description", async (_name, body, message) => {
    const reply = await send("POST", issues, body);
    expect(reply.status).toBe(422);
    expect(reply.body["message"]).toMatch(message);
    expect(responseErrors("issues.create", 422, reply.body)).toEqual([]);
  });

  it.each([
    ["an empty title", { title: " " }, { field: "title", code: "missing_field" }],
    ["a title that is too long", { title: "x".repeat(257) }, { field: "title", code: "custom" }],
    ["a body that is too long", { title: "x", body: "x".repeat(65_537) }, { field: "body", code: "custom" }],
    [
      "an unknown assignee",
      { title: "x", assignees: ["nobody-at-all"] },
      { field: "assignees", code: "invalid", value: "nobody-at-all" },
    ],
    ["an unknown milestone", { title: "x", milestone: 99 }, { field: "milestone", code: "invalid", value: 99 }],
  ])("refuses %s", async (_name, body, problem) => {
    const before = hello().issues.length;
    const reply = await send("POST", issues, body);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ message: "Validation Failed", errors: [{ resource: "Issue", ...problem }] });
    expect(responseErrors("issues.create", 422, reply.body)).toEqual([]);
    expect(hello().issues.length).toBe(before);
  });

  it.each([
    [404, "a repository that is not there", "/repos/octocat/nope/issues", undefined],
    [404, "a repository that the token may not see", "/repos/octocat/secret-plans/issues", readerToken],
    [404, "a token without the scope", issues, bareToken],
    [410, "a repository without issues", "/repos/octocat/no-issues/issues", undefined],
    [403, "an archived repository", "/repos/octocat/archive-box/issues", undefined],
  ])("answers %i for %s", async (status, _name, path, token) => {
    const reply = await send("POST", path, { title: "x" }, token === undefined ? {} : { token });
    expect(reply.status, reply.text).toBe(status);
    expect(reply.body["status"]).toBe(String(status));
    expect(responseErrors("issues.create", status, reply.body)).toEqual([]);
  });

  it("sends a renamed repository's caller on", async () => {
    const reply = await send("POST", "/repos/octocat/old-notes/issues", { title: "x" });
    const moved = named("octocat/renamed-notes");
    expect(reply.status).toBe(307);
    expect(reply.headers.get("location")).toBe(`${platform().url}/repositories/${moved.databaseId}/issues`);
    const path = new URL(reply.headers.get("location") ?? "").pathname;
    expect(await write("issues.create", "POST", path, { title: "x" })).toMatchObject({ number: moved.lastNumber });
    const update = await send("PATCH", "/repos/octocat/old-notes/issues/1", { title: "x" });
    expect(update.status).toBe(301);
    expect(responseErrors("issues.update", 301, update.body)).toEqual([]);
  });

  it("looks at the headers", async () => {
    expect((await send("POST", issues, { title: "x" }, { headers: { accept: "text/csv" } })).status).toBe(415);
    expect((await send("POST", issues, { title: "x" }, { headers: { "x-github-api-version": "1999-01-01" } })).status).toBe(400);
    expect((await send("POST", issues, "{broken")).status).toBe(400);
    expect((await send("PUT", issues, { title: "x" })).status).toBe(404);
  });
});

describe("issues.update", () => {
  const open = () =>
    hello().issues.find(
      (issue) => issue.state === "OPEN" && issue.labels.length > 2 && issue.assignees.length > 0 && issue.milestone !== null,
    );
  const update = (body: unknown, token?: string) => write("issues.update", "PATCH", `${issues}/${open()?.number}`, body, token);

  it("closes, says why, and opens again", async () => {
    const path = `${issues}/${open()?.number}`;
    const closed = await write("issues.update", "PATCH", path, { state: "closed", state_reason: "not_planned" });
    complete(closed, issueFields);
    expect(closed).toMatchObject({ state: "closed", state_reason: "not_planned", closed_by: { login: "octocat" } });
    expect(closed["closed_at"]).not.toBeNull();
    const seen = await data(inHello(`issue(number: ${closed["number"]}) { state stateReason closedAt }`));
    expect(seen["repository"]?.["issue"]).toEqual({ state: "CLOSED", stateReason: "NOT_PLANNED", closedAt: closed["closed_at"] });
    const again = await write("issues.update", "PATCH", path, { state: "open" });
    expect(again).toMatchObject({ state: "open", state_reason: "reopened", closed_at: null, closed_by: null });
  });

  it("closes as completed without a reason and ignores a reason without a change", async () => {
    expect(await update({ state_reason: "not_planned" })).toMatchObject({
      state: "open",
      state_reason: open()?.stateReason ?? null,
    });
    expect(await update({ state: "closed" })).toMatchObject({ state_reason: "completed" });
  });

  it("tells absent, null and empty apart", async () => {
    const issue = open();
    const [labels, assignees, milestone] = [issue?.labels.length, issue?.assignees.length, issue?.milestone?.number];
    const renamed = await update({ title: "Only the title" });
    expect([list(renamed["labels"]).length, list(renamed["assignees"]).length, renamed["milestone"]?.["number"]]).toEqual([
      labels,
      assignees,
      milestone,
    ]);
    const path = `${issues}/${issue?.number}`;
    expect(await write("issues.update", "PATCH", path, { milestone: null })).toMatchObject({
      milestone: null,
      title: "Only the title",
    });
    expect(await write("issues.update", "PATCH", path, { labels: [], assignees: [] })).toMatchObject({
      labels: [],
      assignees: [],
      assignee: null,
    });
    expect(names((await write("issues.update", "PATCH", path, { labels: ["area/parser"] }))["labels"])).toEqual(["area/parser"]);
  });

  it("changes nothing when any part is refused", async () => {
    const issue = open();
    const title = issue?.title;
    const reply = await send("PATCH", `${issues}/${issue?.number}`, { title: "no", milestone: 99 });
    expect(reply.status).toBe(422);
    expect(issue?.title).toBe(title);
    const wrong = await send("PATCH", `${issues}/${issue?.number}`, { state: "closed", state_reason: "reopened" });
    expect(wrong.body).toMatchObject({ errors: [{ field: "state_reason", code: "invalid" }] });
    expect((await send("PATCH", `${issues}/${issue?.number}`, { state: "gone" })).status).toBe(422);
  });

  it("is for those who may push, and for the author", async () => {
    const number = open()?.number;
    Object.assign(open() ?? {}, { author: null });
    const refused = await send("PATCH", `${issues}/${number}`, { title: "x" }, { token: readerToken });
    expect([refused.status, refused.body["message"]]).toEqual([403, "Must have admin rights to Repository."]);
    expect(
      await write("issues.update", "PATCH", `${issues}/${number}`, { title: "by a collaborator" }, memberToken),
    ).toMatchObject({ title: "by a collaborator" });
    const own = await write("issues.create", "POST", issues, { title: "mine" }, readerToken);
    const changed = await write(
      "issues.update",
      "PATCH",
      `${issues}/${own["number"]}`,
      { title: "still mine", labels: ["bug"] },
      readerToken,
    );
    expect(changed).toMatchObject({ title: "still mine", labels: [] });
    expect((await send("PATCH", `${issues}/9999`, { title: "x" })).status).toBe(404);
  });
});
