import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { figma } from "../../../generated/figma/index.ts";
import { github } from "../../../generated/github/index.ts";
import { linear } from "../../../generated/linear/index.ts";
import { valuesAt } from "../../../runtime/contract/index.ts";
import { readDelivery } from "../../../runtime/webhooks/index.ts";

interface Example {
  readonly name: string;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

const groups: readonly Example[] = createRequire(import.meta.url)("@octokit/webhooks-examples/api.github.com/index.json");
const examples = groups.flatMap(({ name, examples: bodies }) => bodies.map((body) => ({ name, body })));

/** What each event has to read: the entity, and how it is found. `key` and `parent` are followed by the path of the key. */
const expected: Readonly<Record<string, readonly string[]>> = {
  create: ["branches list", "tags list"],
  delete: ["branches list", "tags list"],
  discussion: ["discussions key discussion.node_id"],
  discussion_comment: ["discussions key discussion.node_id"],
  fork: ["repositories list"],
  issue_comment: ["comments parent issue.node_id", "issues key issue.node_id"],
  issues: ["issues key issue.node_id"],
  label: ["labels list"],
  membership: ["teams list"],
  milestone: ["milestones list"],
  organization: ["organizations list", "users list"],
  projects_v2_item: ["project_items parent projects_v2_item.project_node_id", "projects list"],
  public: ["repositories list", "org_repositories list", "viewer_repositories list"],
  pull_request: ["pull_requests key pull_request.node_id"],
  pull_request_review: ["pull_requests key pull_request.node_id", "reviews parent pull_request.node_id"],
  pull_request_review_comment: ["pr_comments parent pull_request.node_id", "pull_requests key pull_request.node_id"],
  pull_request_review_thread: ["pr_comments parent pull_request.node_id"],
  push: ["branches list", "commits list", "directory_content list", "file_content list", "repositories list"],
  release: ["releases list"],
  repository: ["org_repositories list", "repositories list", "viewer_repositories list"],
  star: ["repositories list", "stargazers list"],
  team: ["teams list"],
};
/** Events after which scopes are synced as a whole, with the path of their names. */
const whole: Readonly<Record<string, string>> = {
  "installation *": "repositories[].full_name",
  "installation_repositories *": "repositories_added[].full_name",
  "organization renamed": "organization.login",
  "repository privatized": "repository.full_name",
  "repository publicized": "repository.full_name",
  "repository renamed": "repository.full_name",
  "repository transferred": "repository.full_name",
};
/** Where the scope of each kind stands. */
const scopes = { repository: "repository.full_name", organization: "organization.login", user: "repository.owner.login" };

/** The reads that an example has to trigger, worked out from the tables above. */
function readsOf(name: string, body: Readonly<Record<string, unknown>>): string[] {
  const all = whole[`${name} *`] ?? whole[`${name} ${String(body["action"])}`];
  if (all !== undefined) {
    const kind = name === "organization" ? "organization" : "repository";
    return valuesAt(body, all).map((value) => `${kind}=${String(value)} scope`);
  }
  return (expected[name] ?? []).flatMap((read) => {
    const [entity = "", kind = "", path] = read.split(" ");
    const keys = path === undefined ? [""] : valuesAt(body, path).map(String);
    const isDeletedStar = entity === "stargazers" && body["action"] === "deleted";
    const kinds = new Set(github.entities[entity]?.sync.map(({ scope }) => scope));
    const places = [
      ...Object.entries(scopes).flatMap(([one, at]) =>
        kinds.has(one) ? valuesAt(body, at).map((value) => `${one}=${String(value)}`) : [],
      ),
      ...(kinds.has("account") ? ["account"] : []),
    ];
    return places.flatMap((place) => keys.map((key) => `${place} ${entity} ${isDeletedStar ? "full" : kind} ${key}`.trim()));
  });
}

describe("the examples of GitHub's webhooks", () => {
  it("are all there", () => expect(examples.length).toBeGreaterThanOrEqual(270));

  it.each(groups.map(({ name, examples: bodies }) => [name, bodies] as const))(
    "%s triggers exactly the reads it should",
    (name, bodies) => {
      const isNamed = Object.hasOwn(expected, name) || Object.hasOwn(whole, `${name} *`);
      for (const body of bodies) {
        const { isKnown, hints } = readDelivery(github, name, body);
        expect(isKnown).toBe(isNamed);
        const found = hints.map(({ scope, entity, kind, key }) =>
          [scope, entity, kind, key].filter((one) => one !== "").join(" "),
        );
        const own = readsOf(name, body);
        // A rename names the scope of before, too.
        expect(own.length === 0 || found.some((one) => own.includes(one))).toBe(true);
        const isMoved = name === "repository" && whole[`repository ${String(body["action"])}`] !== undefined;
        if (isMoved || name === "installation_repositories") expect(found).toEqual(expect.arrayContaining(own));
        else expect(found.sort()).toEqual(own.sort());
      }
    },
  );

  it("name the parameters that read a record which is not cached", () => {
    const body = groups.find(({ name }) => name === "issues")?.examples[0] ?? {};
    const number = valuesAt(body, "issue.number")[0];
    expect(readDelivery(github, "issues", body).hints.map(({ params }) => JSON.parse(params))).toEqual([{ number }]);
  });
});

describe("a delivery", () => {
  it("about a comment on a pull request reads the pull request, and no issue", () => {
    const issue = { node_id: "PR_1", number: 4, pull_request: {} };
    const body = { action: "created", issue, repository: { full_name: "octocat/hello-world" } };
    const { hints } = readDelivery(github, "issue_comment", body);
    expect(hints.map(({ entity, kind, key }) => [entity, kind, key])).toEqual([
      ["comments", "parent", "PR_1"],
      ["pull_requests", "key", "PR_1"],
    ]);
  });

  it("about a repository that was renamed syncs both names", () => {
    const repository = { full_name: "octocat/new", name: "new", owner: { login: "octocat" } };
    const body = { action: "renamed", repository, changes: { repository: { name: { from: "old" } } } };
    const { hints } = readDelivery(github, "repository", body);
    expect(hints.map(({ scope, kind }) => [scope, kind])).toEqual([
      ["repository=octocat/new", "scope"],
      ["repository=octocat/old", "scope"],
    ]);
  });

  it("of strange content names nothing", () => {
    const strange = [null, 1, "text", [], {}, { issue: { node_id: {}, number: [] }, repository: { full_name: "x".repeat(401) } }];
    for (const body of strange) expect(readDelivery(github, "issues", body).hints).toEqual([]);
    for (const event of [undefined, "", "__proto__", "constructor", "nothing"])
      expect(readDelivery(github, event, {})).toEqual({ isKnown: false, hints: [] });
  });

  it("with more names than it may have syncs its scopes as a whole", () => {
    const repositories = Array.from({ length: 3 }, (_, index) => ({ full_name: `octocat/r${index}` }));
    expect(readDelivery(github, "installation", { repositories }).hints).toHaveLength(3);
  });

  it("of Linear names the issue's team, and reads the whole list after a removal", () => {
    const data = { id: "i", teamId: "team-eng" };
    expect(readDelivery(linear, "Issue", { action: "update", data }).hints).toEqual([
      { scope: "team=team-eng", entity: "issues", kind: "list", key: "", params: "{}" },
    ]);
    expect(readDelivery(linear, "Issue", { action: "remove", data }).hints.map(({ kind }) => kind)).toEqual(["full"]);
    const comment = { id: "c", issueId: "i", issue: { teamId: "team-eng" } };
    expect(readDelivery(linear, "Comment", { action: "create", data: comment }).hints).toEqual([
      { scope: "team=team-eng", entity: "comments", kind: "parent", key: "i", params: "{}" },
    ]);
  });

  it("of Figma asks all teams that are cached, because it names none", () => {
    expect(readDelivery(figma, "FILE_COMMENT", { file_key: "abc" }).hints).toEqual([
      { scope: "team=*", entity: "comments", kind: "parent", key: "abc", params: "{}" },
    ]);
  });
});

describe("a value of a payload that a call needs", () => {
  const { webhooks } = github;
  if (webhooks === undefined) throw new Error("there are no webhooks");
  const issues = { reads: { issues: { key: "issue.node_id", params: { number: "issue.title" } } } };
  const connector = { ...github, webhooks: { ...webhooks, events: { ...webhooks.events, issues } } };
  /** The parameters of what a delivery has read. */
  const params = (title: unknown) => {
    const payload = {
      action: "edited",
      issue: { node_id: "I_1", title },
      repository: { full_name: "o/r", owner: { login: "o" } },
    };
    return readDelivery(connector, "issues", payload).hints.map((one) => one.params);
  };

  it("is a number, or a text of 400 characters at most", () => {
    expect(params(7)).toEqual(['{"number":7}']);
    expect(params("x".repeat(400))).toEqual([JSON.stringify({ number: "x".repeat(400) })]);
    for (const other of ["x".repeat(401), true, null, undefined, {}, ["x"]]) expect([other, params(other)]).toEqual([other, []]);
  });
});
