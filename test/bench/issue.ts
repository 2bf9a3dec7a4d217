// What the platform answers when it is asked for an issue.

const issue = {
  ...{
    id: "I_kwDO1",
    databaseId: "3000000001",
    number: 1,
    title: "Found a bug",
    body: "It does not work as described.",
    state: "OPEN",
    stateReason: null,
  },
  ...{
    locked: false,
    url: "https://github.example/octocat/hello-world/issues/1",
    closedAt: null,
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-02T00:00:00Z",
  },
  ...{ repository: { nameWithOwner: "octocat/hello-world" }, milestone: null, commentCount: { totalCount: 3 } },
  author: { id: "U_1", login: "octocat", url: "https://github.example/octocat", kind: "User" },
  labels: { nodes: [{ id: "LA_1", name: "bug", color: "d73a4a" }], pageInfo: { hasNextPage: false } },
  assignees: { nodes: [], pageInfo: { hasNextPage: false } },
};

/** The body of the answer. */
export const issueAnswer = JSON.stringify({ data: { repository: { issue } } });

export const quotaHeaders: Readonly<Record<string, string>> = {
  "content-type": "application/json; charset=utf-8",
  "x-ratelimit-remaining": "4999",
  "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3600),
};
