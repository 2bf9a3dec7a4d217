// Generated from spec/github/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const branchesStore: StorePlan = {
  key: ["repository", "name"],
  fields: { repository: { type: "string", index: "name", scope: true }, name: { type: "string", index: "name" } },
};

export const codeStore: StorePlan = { key: ["repository", "path"], fields: {} };

export const commentsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    body: { type: "string", index: "text" },
    createdAt: { type: "timestamp", index: "exact" },
    databaseId: { type: "integer", index: "exact", nullable: true },
    number: { type: "integer", index: "exact" },
    repository: { type: "string", index: "name", scope: true },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
    authorLogin: { type: "string", index: "name", nullable: true },
  },
  semantic: {
    fields: { body: { window: 2048 } },
    hit: { created_at: "createdAt", html_url: "url", id: "databaseId", node_id: "id", updated_at: "updatedAt" },
  },
};

export const commitsStore: StorePlan = {
  key: ["id"],
  fields: {
    additions: { type: "integer", index: "exact" },
    committedAt: { type: "timestamp", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    deletions: { type: "integer", index: "exact" },
    message: { type: "string", index: "text" },
    messageHeadline: { type: "string", index: "name" },
    parents: { type: "string", index: "exact", list: { by: ["sha"] } },
    repository: { type: "string", index: "name", scope: true },
    sha: { type: "string", index: "exact" },
    url: { type: "string", index: "exact" },
    authorLogin: { type: "string", index: "name", nullable: true },
    authorName: { type: "string", index: "name", nullable: true },
  },
};

export const directoryContentStore: StorePlan = {
  key: ["repository", "ref", "path"],
  fields: {
    repository: { type: "string", index: "name", scope: true },
    ref: { type: "string", index: "exact" },
    path: { type: "string", index: "name", nullable: true },
    extension: { type: "string", index: "exact", nullable: true },
    mode: { type: "integer", index: "exact" },
    name: { type: "string", index: "name" },
    oid: { type: "string", index: "exact" },
    size: { type: "integer", index: "exact" },
    type: { type: "string", index: "exact", values: ["blob", "commit", "tree"] },
  },
};

export const discussionsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    answerChosenAt: { type: "timestamp", index: "exact", nullable: true },
    body: { type: "string", index: "text" },
    closedAt: { type: "timestamp", index: "exact", nullable: true },
    commentCount: { type: "integer", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    databaseId: { type: "integer", index: "exact", nullable: true },
    isAnswered: { type: "boolean", index: "exact", nullable: true },
    labels: { type: "string", index: "name", list: { by: ["name"] } },
    locked: { type: "boolean", index: "exact" },
    number: { type: "integer", index: "exact" },
    repository: { type: "string", index: "name", scope: true },
    state: { type: "string", index: "exact", values: ["closed", "open"] },
    stateReason: { type: "string", index: "exact", nullable: true, values: ["duplicate", "outdated", "reopened", "resolved"] },
    title: { type: "string", index: "name" },
    updatedAt: { type: "timestamp", index: "exact" },
    upvoteCount: { type: "integer", index: "exact" },
    url: { type: "string", index: "exact" },
    authorLogin: { type: "string", index: "name", nullable: true },
    categorySlug: { type: "string", index: "name" },
  },
};

export const fileContentStore: StorePlan = {
  key: ["repository", "ref", "path"],
  fields: {
    repository: { type: "string", index: "name", scope: true },
    ref: { type: "string", index: "exact" },
    path: { type: "string", index: "name" },
    byteSize: { type: "integer", index: "exact" },
    isBinary: { type: "boolean", index: "exact", nullable: true },
    isTruncated: { type: "boolean", index: "exact" },
    oid: { type: "string", index: "exact" },
    text: { type: "string", index: "text", nullable: true },
  },
};

export const gistsStore: StorePlan = { key: ["id"], fields: {} };

export const issuesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    assignees: { type: "string", index: "name", list: { by: ["login"] } },
    body: { type: "string", index: "text" },
    closedAt: { type: "timestamp", index: "exact", nullable: true },
    commentCount: { type: "integer", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    databaseId: { type: "integer", index: "exact", nullable: true },
    labels: { type: "string", index: "name", list: { by: ["name"] } },
    locked: { type: "boolean", index: "exact" },
    number: { type: "integer", index: "exact" },
    repository: { type: "string", index: "name", scope: true },
    state: { type: "string", index: "exact", values: ["closed", "open"] },
    stateReason: { type: "string", index: "exact", nullable: true, values: ["completed", "duplicate", "not_planned", "reopened"] },
    title: { type: "string", index: "name" },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
    authorLogin: { type: "string", index: "name", nullable: true },
    milestoneTitle: { type: "string", index: "name", nullable: true },
  },
  semantic: {
    fields: { body: { window: 2048 } },
    hit: {
      html_url: "url",
      id: "databaseId",
      node_id: "id",
      number: "number",
      state: "state",
      title: "title",
      updated_at: "updatedAt",
    },
  },
};

export const labelsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    color: { type: "string", index: "exact" },
    description: { type: "string", index: "name", nullable: true },
    isDefault: { type: "boolean", index: "exact" },
    name: { type: "string", index: "name" },
    repository: { type: "string", index: "name", scope: true },
    url: { type: "string", index: "exact" },
  },
};

export const milestonesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    closedAt: { type: "timestamp", index: "exact", nullable: true },
    createdAt: { type: "timestamp", index: "exact" },
    description: { type: "string", index: "text", nullable: true },
    dueOn: { type: "timestamp", index: "exact", nullable: true },
    number: { type: "integer", index: "exact" },
    repository: { type: "string", index: "name", scope: true },
    state: { type: "string", index: "exact", values: ["closed", "open"] },
    title: { type: "string", index: "name" },
    updatedAt: { type: "timestamp", index: "exact" },
  },
};

export const notificationsStore: StorePlan = { key: ["id"], fields: {} };

export const organizationsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    databaseId: { type: "integer", index: "exact", nullable: true },
    description: { type: "string", index: "name", nullable: true },
    email: { type: "string", index: "exact", nullable: true },
    isVerified: { type: "boolean", index: "exact" },
    location: { type: "string", index: "name", nullable: true },
    login: { type: "string", index: "name" },
    member: { type: "string", index: "name", list: { relation: true } },
    name: { type: "string", index: "name", nullable: true },
  },
};

export const prCommentsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    body: { type: "string", index: "text" },
    createdAt: { type: "timestamp", index: "exact" },
    databaseId: { type: "integer", index: "exact", nullable: true },
    line: { type: "integer", index: "exact", nullable: true },
    number: { type: "integer", index: "exact" },
    outdated: { type: "boolean", index: "exact" },
    path: { type: "string", index: "name" },
    repository: { type: "string", index: "name", scope: true },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
    authorLogin: { type: "string", index: "name", nullable: true },
  },
};

export const projectItemsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    isArchived: { type: "boolean", index: "exact" },
    kind: { type: "string", index: "exact", values: ["draft_issue", "issue", "pull_request", "redacted"] },
    organization: { type: "string", index: "name", nullable: true, scope: true },
    project: { type: "integer", index: "exact" },
    updatedAt: { type: "timestamp", index: "exact" },
    values: { type: "string", index: "name", list: { by: ["text", "option", "iteration", "milestone", "repository"] } },
    assignees: { type: "string", index: "name", list: { by: ["login"] } },
    labels: { type: "string", index: "name", list: { by: ["name"] } },
    repository: { type: "string", index: "name", nullable: true, scope: true },
    title: { type: "string", index: "name", nullable: true },
  },
};

export const projectsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    closed: { type: "boolean", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    number: { type: "integer", index: "exact" },
    organization: { type: "string", index: "name", nullable: true, scope: true },
    public: { type: "boolean", index: "exact" },
    shortDescription: { type: "string", index: "name", nullable: true },
    title: { type: "string", index: "name" },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
    readme: { type: "string", index: "text", nullable: true },
  },
};

export const pullRequestsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    assignees: { type: "string", index: "name", list: { by: ["login"] } },
    baseRefName: { type: "string", index: "name" },
    body: { type: "string", index: "text" },
    closedAt: { type: "timestamp", index: "exact", nullable: true },
    createdAt: { type: "timestamp", index: "exact" },
    databaseId: { type: "integer", index: "exact", nullable: true },
    headRefName: { type: "string", index: "name" },
    isDraft: { type: "boolean", index: "exact" },
    labels: { type: "string", index: "name", list: { by: ["name"] } },
    locked: { type: "boolean", index: "exact" },
    mergedAt: { type: "timestamp", index: "exact", nullable: true },
    number: { type: "integer", index: "exact" },
    repository: { type: "string", index: "name", scope: true },
    state: { type: "string", index: "exact", values: ["closed", "open"] },
    title: { type: "string", index: "name" },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
    authorLogin: { type: "string", index: "name", nullable: true },
    commentCount: { type: "integer", index: "exact" },
    mergedByLogin: { type: "string", index: "name", nullable: true },
    milestoneTitle: { type: "string", index: "name", nullable: true },
    reviewRequests: { type: "string", index: "name", list: { by: ["login", "team"] } },
  },
  semantic: {
    fields: { body: { window: 2048 } },
    hit: {
      html_url: "url",
      id: "databaseId",
      node_id: "id",
      number: "number",
      state: "state",
      title: "title",
      updated_at: "updatedAt",
    },
  },
};

export const releasesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    databaseId: { type: "integer", index: "exact", nullable: true },
    description: { type: "string", index: "text", nullable: true },
    isDraft: { type: "boolean", index: "exact" },
    isLatest: { type: "boolean", index: "exact" },
    isPrerelease: { type: "boolean", index: "exact" },
    name: { type: "string", index: "name", nullable: true },
    publishedAt: { type: "timestamp", index: "exact", nullable: true },
    repository: { type: "string", index: "name", scope: true },
    tagName: { type: "string", index: "name" },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
    assets: { type: "string", index: "name", list: { by: ["name"] } },
    authorLogin: { type: "string", index: "name", nullable: true },
  },
};

export const repositoriesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    createdAt: { type: "timestamp", index: "exact" },
    databaseId: { type: "integer", index: "exact", nullable: true },
    defaultBranch: { type: "string", index: "name", nullable: true },
    description: { type: "string", index: "name", nullable: true },
    forkCount: { type: "integer", index: "exact" },
    isArchived: { type: "boolean", index: "exact" },
    isFork: { type: "boolean", index: "exact" },
    isPrivate: { type: "boolean", index: "exact" },
    name: { type: "string", index: "name" },
    nameWithOwner: { type: "string", index: "name" },
    ownerLogin: { type: "string", index: "name" },
    pushedAt: { type: "timestamp", index: "exact", nullable: true },
    stargazerCount: { type: "integer", index: "exact" },
    topics: { type: "string", index: "name", list: { by: ["name"] } },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
    visibility: { type: "string", index: "exact", values: ["INTERNAL", "PRIVATE", "PUBLIC"] },
    languages: { type: "string", index: "name", list: { by: ["name"] } },
    licenseKey: { type: "string", index: "exact", nullable: true },
    organization: { type: "string", index: "name", nullable: true, scope: true },
    primaryLanguageName: { type: "string", index: "name", nullable: true },
    repository: { type: "string", index: "name", scope: true },
  },
};

export const reviewsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    body: { type: "string", index: "text" },
    createdAt: { type: "timestamp", index: "exact" },
    databaseId: { type: "integer", index: "exact", nullable: true },
    number: { type: "integer", index: "exact" },
    repository: { type: "string", index: "name", scope: true },
    state: { type: "string", index: "exact", values: ["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING"] },
    submittedAt: { type: "timestamp", index: "exact", nullable: true },
    updatedAt: { type: "timestamp", index: "exact" },
    url: { type: "string", index: "exact" },
    authorLogin: { type: "string", index: "name", nullable: true },
    commentCount: { type: "integer", index: "exact" },
  },
};

export const stargazersStore: StorePlan = {
  key: ["repository", "user.id"],
  fields: {
    repository: { type: "string", index: "name", scope: true },
    starredAt: { type: "timestamp", index: "exact" },
    userLogin: { type: "string", index: "name" },
  },
};

export const tagsStore: StorePlan = {
  key: ["repository", "name"],
  fields: { repository: { type: "string", index: "name", scope: true }, name: { type: "string", index: "name" } },
};

export const teamsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    databaseId: { type: "integer", index: "exact", nullable: true },
    description: { type: "string", index: "name", nullable: true },
    name: { type: "string", index: "name" },
    organization: { type: "string", index: "name", scope: true },
    privacy: { type: "string", index: "exact", values: ["closed", "secret"] },
    slug: { type: "string", index: "name" },
    url: { type: "string", index: "exact" },
  },
};

export const usersStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    databaseId: { type: "integer", index: "exact", nullable: true },
    login: { type: "string", index: "name" },
    name: { type: "string", index: "name", nullable: true },
    organization: { type: "string", index: "name", list: { relation: true } },
    url: { type: "string", index: "exact" },
  },
};

export const webhookDeliveriesStore: StorePlan = { key: ["id"], fields: {} };

export const webhooksStore: StorePlan = { key: ["id"], fields: {} };

export const workflowJobsStore: StorePlan = { key: ["id"], fields: {} };

export const workflowRunsStore: StorePlan = { key: ["id"], fields: {} };

export const orgRepositoriesStore: StorePlan = repositoriesStore;

export const viewerStore: StorePlan = usersStore;

export const viewerRepositoriesStore: StorePlan = repositoriesStore;

export const stores: ConnectorFacts["stores"] = {
  branches: branchesStore,
  code: codeStore,
  comments: commentsStore,
  commits: commitsStore,
  directory_content: directoryContentStore,
  discussions: discussionsStore,
  file_content: fileContentStore,
  gists: gistsStore,
  issues: issuesStore,
  labels: labelsStore,
  milestones: milestonesStore,
  notifications: notificationsStore,
  org_repositories: orgRepositoriesStore,
  organizations: organizationsStore,
  pr_comments: prCommentsStore,
  project_items: projectItemsStore,
  projects: projectsStore,
  pull_requests: pullRequestsStore,
  releases: releasesStore,
  repositories: repositoriesStore,
  reviews: reviewsStore,
  stargazers: stargazersStore,
  tags: tagsStore,
  teams: teamsStore,
  users: usersStore,
  viewer: viewerStore,
  viewer_repositories: viewerRepositoriesStore,
  webhook_deliveries: webhookDeliveriesStore,
  webhooks: webhooksStore,
  workflow_jobs: workflowJobsStore,
  workflow_runs: workflowRunsStore,
};

export const facts: ConnectorFacts["facts"] = {
  name: "github",
  title: "GitHub",
  example: {
    action: "get",
    entity: "issues",
    params: { fields: ["number", "title", "state", "author.login"], number: 1, owner: "octocat", repo: "hello-world" },
  },
  platform: {
    title: "GitHub",
    auth: {
      kinds: [
        {
          name: "token",
          values: { token: "GITHUB_TOKEN" },
          doc: "A personal access token, an OAuth token or an app installation token. Its permissions decide what every action may see and change.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
        },
        {
          name: "app",
          values: {
            app_id: "GITHUB_APP_ID",
            installation_id: "GITHUB_APP_INSTALLATION_ID",
            private_key: "GITHUB_APP_PRIVATE_KEY",
          },
          doc: "An installation of a GitHub App. Its token lasts an hour and is renewed.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
          grant: { by: "app", path: ["/app/installations/", "installation_id", "/access_tokens"] },
        },
        {
          name: "user",
          values: {
            client_id: "GITHUB_CLIENT_ID",
            client_secret: "GITHUB_CLIENT_SECRET",
            refresh_token: "GITHUB_REFRESH_TOKEN",
          },
          doc: "A user who has authorized a GitHub App or OAuth app. A token that expires is renewed.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
          grant: {
            by: "oauth",
            authorize: "https://github.com/login/oauth/authorize",
            token: "https://github.com/login/oauth/access_token",
            derive: { "/api/v3": "", "": "" },
            client: "form",
            refused: ["invalid_grant", "bad_refresh_token"],
          },
        },
      ],
      secrets: ["gh[pousr]_[A-Za-z0-9_]{10,255}", "github_pat_[A-Za-z0-9_]{10,255}"],
    },
    graphql: {
      url: "https://api.github.com/graphql",
      env: "GITHUB_GRAPHQL_URL",
      derive: { "/api/v3": "/api/graphql", "": "/graphql" },
    },
    rest: {
      url: "https://api.github.com",
      env: "GITHUB_API_URL",
      headers: { Accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28" },
    },
    rateLimit: {
      background: { concurrent: 1, reserve: 500 },
      calls: { "GET /search/code": 10 },
      concurrent: 100,
      cost: { connection: 0.01, least: 1 },
      headers: { remaining: "x-ratelimit-remaining", reset: "x-ratelimit-reset" },
      points: { graphql: { perMinute: 2000, read: 1, write: 5 }, rest: { perMinute: 900, read: 1, write: 5 } },
      requestId: "x-github-request-id",
      secondary: "^You have (exceeded a secondary rate limit|triggered an abuse detection mechanism)",
      writes: { perHour: 500, perMinute: 80, spacing: 1000 },
    },
    sso: {
      extension: "saml_failure",
      header: "x-github-sso",
      partial: "^partial-results",
      required: "^required;\\s*url=(\\S+)",
    },
    errors: {
      graphql: {
        "/^Something went wrong while executing your query/": { code: "platform_failed", retry: true },
        EXCESSIVE_PAGINATION: { code: "platform_rejected" },
        FORBIDDEN: { code: "platform_forbidden" },
        INSUFFICIENT_SCOPES: { code: "platform_forbidden" },
        INTERNAL: { code: "platform_failed", retry: true },
        INVALID_CURSOR_ARGUMENTS: { code: "bad_cursor" },
        MAX_NODE_LIMIT_EXCEEDED: { code: "platform_too_complex" },
        NOT_FOUND: { code: "not_found" },
        RATE_LIMIT: { code: "rate_limited" },
        RATE_LIMITED: { code: "rate_limited" },
        RESOURCE_LIMITS_EXCEEDED: { code: "platform_too_complex", shrink: true },
        SERVICE_UNAVAILABLE: { code: "platform_failed", retry: true },
        UNPROCESSABLE: { code: "platform_rejected" },
        graphql_rate_limit: { code: "rate_limited" },
      },
      rest: {
        "400": { code: "platform_rejected" },
        "403": { code: "platform_forbidden" },
        "404": { code: "not_found" },
        "410": { code: "not_found" },
        "422": { code: "platform_rejected" },
        "422 /; was submitted too quickly/": { code: "rate_limited" },
      },
    },
  },
  compat: {
    definitionId: "ef69ef6e-aa7f-4af1-a01d-ef775033524e",
    check: {
      asks: { action: "list", entity: "repositories", params: { limit: 1 } },
      runs: { action: "list", entity: "viewer_repositories", params: { per_page: 1 } },
    },
  },
  simulator: new URL("../../runtime/simulated/github/main.ts", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: {
    account: {
      params: [],
      doc: "The token's account with its repositories. It is part of every sync.",
      changeCheck: {
        document: "query ChangeCheck{viewer{viewer_updatedAt:updatedAt viewer_repositories_repositories:repositories(first:100 ownerAffiliations:[OWNER]orderBy:{field:UPDATED_AT direction:DESC}){totalCount nodes{id updatedAt pushedAt stargazerCount forkCount}}viewer_repositories_pushed:repositories(first:1 ownerAffiliations:[OWNER]orderBy:{field:PUSHED_AT direction:DESC}){nodes{pushedAt}}}}",
        variables: [],
        path: ["viewer"],
        keys: {
          viewer: ["viewer_updatedAt"],
          viewer_repositories: ["viewer_repositories_repositories", "viewer_repositories_pushed"],
        },
      },
    },
    organization: {
      params: ["org"],
      doc: "An organization with its repositories, members, teams and projects.",
      example: "tenon-labs",
      ignoreCase: true,
      changeCheck: {
        document: "query ChangeCheck($org:String!){organization(login:$org){org_repositories_repositories:repositories(first:100 orderBy:{field:UPDATED_AT direction:DESC}){totalCount nodes{id updatedAt pushedAt stargazerCount forkCount}}org_repositories_pushed:repositories(first:1 orderBy:{field:PUSHED_AT direction:DESC}){nodes{pushedAt}}organizations_updatedAt:updatedAt projects_projectsV2:projectsV2(first:1 orderBy:{field:UPDATED_AT direction:DESC}){totalCount nodes{updatedAt}}teams_teams:teams(first:100 orderBy:{field:NAME direction:ASC}){totalCount pageInfo{hasNextPage}nodes{id updatedAt}}users_membersWithRole:membersWithRole(first:100){totalCount pageInfo{hasNextPage}nodes{id updatedAt}}}}",
        variables: ["org"],
        path: ["organization"],
        keys: {
          org_repositories: ["org_repositories_repositories", "org_repositories_pushed"],
          organizations: ["organizations_updatedAt"],
          projects: ["projects_projectsV2"],
          teams: ["teams_teams"],
          users: ["users_membersWithRole"],
        },
      },
    },
    repository: {
      params: ["owner", "repo"],
      doc: "A repository with its issues, pull requests, discussions and files.",
      example: "octocat/hello-world",
      ignoreCase: true,
      changeCheck: {
        document: "query ChangeCheck($owner:String!$repo:String!){repository(owner:$owner name:$repo){branches_pushedAt:pushedAt branches_refs:refs(refPrefix:\"refs/heads/\" first:100 orderBy:{field:ALPHABETICAL direction:ASC}){totalCount nodes{name target{oid}}}commits_defaultBranchRef:defaultBranchRef{name target{oid}}directory_content_defaultBranchRef:defaultBranchRef{name target{oid}}discussions_discussions:discussions(first:1 orderBy:{field:UPDATED_AT direction:DESC}){totalCount nodes{updatedAt}}issues_issues:issues(first:1 orderBy:{field:UPDATED_AT direction:DESC}){totalCount nodes{updatedAt}}labels_labels:labels(first:100 orderBy:{field:CREATED_AT direction:DESC}){totalCount pageInfo{hasNextPage}nodes{id updatedAt}}milestones_milestones:milestones(first:1 orderBy:{field:UPDATED_AT direction:DESC}){totalCount nodes{updatedAt}}pull_requests_pullRequests:pullRequests(first:1 orderBy:{field:UPDATED_AT direction:DESC}){totalCount nodes{updatedAt}}releases_releases:releases(first:100 orderBy:{field:CREATED_AT direction:DESC}){totalCount pageInfo{hasNextPage}nodes{id updatedAt}}repositories_updatedAt:updatedAt repositories_pushedAt:pushedAt repositories_stargazerCount:stargazerCount repositories_forkCount:forkCount stargazers_stargazers:stargazers(first:1 orderBy:{field:STARRED_AT direction:DESC}){totalCount edges{starredAt}}tags_pushedAt:pushedAt tags_refs:refs(refPrefix:\"refs/tags/\" first:100 orderBy:{field:TAG_COMMIT_DATE direction:DESC}){totalCount nodes{name target{oid}}}}}",
        variables: ["owner", "repo"],
        path: ["repository"],
        keys: {
          branches: ["branches_pushedAt", "branches_refs"],
          commits: ["commits_defaultBranchRef"],
          directory_content: ["directory_content_defaultBranchRef"],
          discussions: ["discussions_discussions"],
          issues: ["issues_issues"],
          labels: ["labels_labels"],
          milestones: ["milestones_milestones"],
          pull_requests: ["pull_requests_pullRequests"],
          releases: ["releases_releases"],
          repositories: ["repositories_updatedAt", "repositories_pushedAt", "repositories_stargazerCount", "repositories_forkCount"],
          stargazers: ["stargazers_stargazers"],
          tags: ["tags_pushedAt", "tags_refs"],
        },
      },
    },
    user: {
      params: ["username"],
      doc: "A user with their repositories and organizations.",
      example: "octocat",
      ignoreCase: true,
      changeCheck: {
        document: "query ChangeCheck($username:String!){user(login:$username){organizations_organizations:organizations(first:100){totalCount pageInfo{hasNextPage}nodes{id updatedAt}}repositories_repositories:repositories(first:100 ownerAffiliations:[OWNER]orderBy:{field:UPDATED_AT direction:DESC}){totalCount nodes{id updatedAt pushedAt stargazerCount forkCount}}repositories_pushed:repositories(first:1 ownerAffiliations:[OWNER]orderBy:{field:PUSHED_AT direction:DESC}){nodes{pushedAt}}users_updatedAt:updatedAt}}",
        variables: ["username"],
        path: ["user"],
        keys: {
          organizations: ["organizations_organizations"],
          repositories: ["repositories_repositories", "repositories_pushed"],
          users: ["users_updatedAt"],
        },
      },
    },
  },
  webhooks: {
    action: "action",
    delivery: { header: "X-GitHub-Delivery" },
    event: { header: "X-GitHub-Event" },
    events: {
      create: { reads: { branches: {}, tags: {} } },
      delete: { reads: { branches: {}, tags: {} } },
      discussion: { reads: { discussions: { key: "discussion.node_id", params: { number: "discussion.number" } } } },
      discussion_comment: { reads: { discussions: { key: "discussion.node_id", params: { number: "discussion.number" } } } },
      fork: { reads: { repositories: {} } },
      installation: { resync: ["*"], scopes: { repository: "{repositories[].full_name}" } },
      installation_repositories: {
        resync: ["*"],
        scopes: { repository: ["{repositories_added[].full_name}", "{repositories_removed[].full_name}"] },
      },
      issue_comment: {
        reads: {
          comments: { parent: "issue.node_id" },
          issues: { key: "issue.node_id", params: { number: "issue.number" }, unless: "issue.pull_request" },
          pull_requests: { key: "issue.node_id", params: { number: "issue.number" }, when: "issue.pull_request" },
        },
      },
      issues: { reads: { issues: { key: "issue.node_id", params: { number: "issue.number" } } } },
      label: { reads: { labels: {} } },
      membership: { reads: { teams: {} } },
      milestone: { reads: { milestones: {} } },
      organization: { reads: { organizations: {}, users: {} }, resync: ["deleted", "renamed"] },
      projects_v2_item: { reads: { project_items: { parent: "projects_v2_item.project_node_id" }, projects: {} } },
      public: { reads: { org_repositories: {}, repositories: {}, viewer_repositories: {} } },
      pull_request: { reads: { pull_requests: { key: "pull_request.node_id", params: { number: "pull_request.number" } } } },
      pull_request_review: {
        reads: {
          pull_requests: { key: "pull_request.node_id", params: { number: "pull_request.number" } },
          reviews: { parent: "pull_request.node_id" },
        },
      },
      pull_request_review_comment: {
        reads: {
          pr_comments: { parent: "pull_request.node_id" },
          pull_requests: { key: "pull_request.node_id", params: { number: "pull_request.number" } },
        },
      },
      pull_request_review_thread: { reads: { pr_comments: { parent: "pull_request.node_id" } } },
      push: { reads: { branches: {}, commits: {}, directory_content: {}, file_content: {}, repositories: {} } },
      release: { reads: { releases: {} } },
      repository: {
        reads: { org_repositories: {}, repositories: {}, viewer_repositories: {} },
        resync: ["archived", "deleted", "privatized", "publicized", "renamed", "transferred"],
        scopes: {
          account: "",
          organization: "{organization.login}",
          repository: [
            "{repository.full_name}",
            "{repository.owner.login}/{changes.repository.name.from}",
            "{changes.owner.from.user.login}/{repository.name}",
            "{changes.owner.from.organization.login}/{repository.name}",
          ],
          user: "{repository.owner.login}",
        },
      },
      star: { reads: { repositories: {}, stargazers: { deleted: ["deleted"] } } },
      team: { reads: { teams: {} } },
    },
    scopes: {
      account: "",
      organization: "{organization.login}",
      repository: "{repository.full_name}",
      user: "{repository.owner.login}",
    },
    setup: {
      scopes: {
        repository: {
          add: { call: "webhooks.create", params: { secret: "{secret}", url: "{url}" } },
          change: {
            call: "webhooks.update",
            params: { contentType: "json", hook_id: "{id}", secret: "{secret}", url: "{url}" },
          },
          deliveries: { call: "webhook_deliveries.list", id: "id", name: "guid", params: { hook_id: "{id}" }, status: "statusCode" },
          ping: { call: "webhooks.ping", params: { hook_id: "{id}" } },
          redeliver: {
            among: { per_page: 100, status: "failure" },
            call: "webhook_deliveries.redeliver",
            params: { delivery_id: "{delivery}", hook_id: "{id}" },
          },
          remove: { call: "webhooks.delete", params: { hook_id: "{id}" } },
        },
      },
      where: "Settings → Webhooks of the repository or organization, with the content type `application/json` and all events",
    },
    signature: { algorithm: "sha256", encoding: "hex", header: "X-Hub-Signature-256", prefix: "sha256=" },
  },
};
