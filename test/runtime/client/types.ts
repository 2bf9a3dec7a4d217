// What must compile and what must not, in the client of GitHub. `make check` compiles this file; nothing runs it. What must not compile is
// numbered, so that a case can be named; what must compile stands beside it.

import {
  CallError,
  type ClientOptions,
  type ErrorCode,
  errors,
  GitHub,
  type HostedOptions,
  type Issue,
} from "../../../generated/github/client.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Fails to compile unless both types are the same. */
const same = <A, B>(_: Same<A, B>): void => undefined;

export async function types(github: GitHub, names: string[]): Promise<void> {
  const { issues, viewer, pullRequests } = github;

  // Params and results.
  const list = await issues.list({ owner: "o", repo: "r", states: ["OPEN"], per_page: 5 });
  same<(typeof list)["data"], readonly Issue[]>(true);
  same<(typeof list)["meta"]["end_cursor"], string | null>(true);
  const made = await pullRequests.create({ owner: "o", repo: "r", title: "t", head: "h", base: "b" });
  same<(typeof made)["data"]["html_url"], string>(true);
  await issues.update({ owner: "o", repo: "r", issue_number: 1, milestone: null });
  await viewer.get();
  // @ts-expect-error (1) `repo` is required
  await issues.list({ owner: "o" });
  // @ts-expect-error (2) no such param
  await issues.list({ owner: "o", repo: "r", stats: ["OPEN"] });
  // @ts-expect-error (3) no such state
  await issues.list({ owner: "o", repo: "r", states: ["open"] });
  // @ts-expect-error (4) a number
  await issues.get({ owner: "o", repo: "r", number: "1" });
  // @ts-expect-error (5) labels cannot be created
  await github.labels.create({ owner: "o", repo: "r" });
  // @ts-expect-error (6) one record has no pages
  issues.get.all({ owner: "o", repo: "r", number: 1 });

  // A literal `fields` narrows the record: names and paths, in both spellings. A path narrows the objects that it leads into.
  const narrow = await issues.get({
    owner: "o",
    repo: "r",
    number: 1,
    fields: ["number", "updated_at", "author.login", ["labels", "name"]],
  });
  same<
    (typeof narrow)["data"],
    {
      readonly number: number;
      readonly updatedAt: string;
      readonly author: { readonly login: string } | null;
      readonly labels: readonly { readonly name: string }[];
    }
  >(true);
  // @ts-expect-error (7) it was not requested
  narrow.data.author?.url;
  const paths = ["author.avatar_url", "author.login", "sub_issues.completed", "milestone", "milestone.title"] as const;
  const nested = (await issues.list({ owner: "o", repo: "r", fields: paths })).data;
  same<(typeof nested)[number]["author"], { readonly login: string; readonly avatarUrl: string } | null>(true);
  same<(typeof nested)[number]["subIssues"], { readonly completed: number }>(true);
  same<(typeof nested)[number]["milestone"], Issue["milestone"]>(true);
  // @ts-expect-error (8) no such field in the object
  await issues.get({ owner: "o", repo: "r", number: 1, fields: ["author.logn"] });
  // @ts-expect-error (9) no such field in the objects of the list
  await issues.get({ owner: "o", repo: "r", number: 1, fields: [["labels", "nam"]] });
  // @ts-expect-error (10) a text has nothing inside it
  await issues.get({ owner: "o", repo: "r", number: 1, fields: ["title.length"] });
  // What an object of the platform's own has inside it is not known.
  const opened = await issues.create({ owner: "o", repo: "r", title: "t", fields: ["user.login", ["labels", "name"]] });
  same<(typeof opened)["data"]["user"], Readonly<Record<string, unknown>> | null>(true);
  const requested = await issues.get({ owner: "o", repo: "r", number: 1, fields: ["bodyText"] });
  same<(typeof requested)["data"]["bodyText"], string>(true);
  const unknown = await issues.get({ owner: "o", repo: "r", number: 1, fields: names });
  same<(typeof unknown)["data"]["title"], string | undefined>(true);
  const written = await issues.create({ owner: "o", repo: "r", title: "t", fields: ["html_url"] });
  same<(typeof written)["data"], { readonly html_url: string }>(true);
  // @ts-expect-error (11) no such field
  await issues.get({ owner: "o", repo: "r", number: 1, fields: ["number", "titel"] });

  // A dry run.
  const dry = await issues.list({ owner: "o", repo: "r", dryRun: true });
  same<(typeof dry)["data"], null>(true);
  same<(typeof dry)["meta"]["document"], string>(true);
  // @ts-expect-error (12) a write has no dry run
  await issues.create({ owner: "o", repo: "r", title: "t", dryRun: true });

  // Walks.
  for await (const issue of issues.list.all({ owner: "o", repo: "r", fields: ["title"] }, { maxRecords: 10 }))
    same<typeof issue, { readonly title: string }>(true);
  for await (const one of github.viewerRepositories.list.all()) same<(typeof one)["name"], string>(true);

  // Cached search: fields, operators and values have to fit.
  const found = await issues.contextStoreSearch({
    query: {
      filter: {
        eq: { state: "open" },
        gte: { updated_at: "2026-01-01" },
        or: [{ fuzzy: { title: "x" } }, { not: { in: { number: [1, null] } } }],
      },
      sort: [{ updatedAt: "desc" }, { number: "asc" }],
    },
    fields: ["number"],
    count: true,
  });
  same<(typeof found)["data"], readonly { readonly number: number }[]>(true);
  const groups = await issues.contextStoreSearch({ query: {}, groupBy: ["state"] });
  same<(typeof groups)["data"][number]["state"], "closed" | "open" | null>(true);
  same<(typeof groups)["data"][number]["count"], number>(true);
  const hits = await issues.contextStoreSearch({ semantic: { field: "body", prompt: "p", filter: { eq: { state: "open" } } } });
  same<(typeof hits)["data"][number]["metadata"]["score"], number>(true);
  // A list field is compared by its elements, and has no order.
  await issues.contextStoreSearch({ query: { filter: { eq: { labels: "bug" }, in: { assignees: ["octocat", null] } } } });
  // @ts-expect-error (13) lists have no order
  await issues.contextStoreSearch({ query: { filter: { gt: { labels: "bug" } } } });
  // @ts-expect-error (14) lists have no order
  await issues.contextStoreSearch({ query: { sort: [{ labels: "asc" }] } });
  // @ts-expect-error (15) no such field
  await issues.contextStoreSearch({ query: { filter: { eq: { stat: "open" } } } });
  // @ts-expect-error (16) no such operator
  await issues.contextStoreSearch({ query: { filter: { equals: { state: "open" } } } });
  // @ts-expect-error (17) booleans have no order
  await issues.contextStoreSearch({ query: { filter: { gt: { locked: true } } } });
  // @ts-expect-error (18) a number is not a text
  await issues.contextStoreSearch({ query: { filter: { like: { number: "1%" } } } });
  // @ts-expect-error (19) a timestamp is not a text to search words in
  await issues.contextStoreSearch({ query: { filter: { keyword: { updatedAt: "2026" } } } });
  // @ts-expect-error (20) no such value
  await issues.contextStoreSearch({ query: { filter: { eq: { state: "OPEN" } } } });
  // @ts-expect-error (21) null has no order
  await issues.contextStoreSearch({ query: { filter: { gt: { closedAt: null } } } });
  // @ts-expect-error (22) no such direction
  await issues.contextStoreSearch({ query: { sort: [{ number: "down" }] } });
  // @ts-expect-error (23) labels are not searched by meaning
  await github.labels.contextStoreSearch({ semantic: { field: "body", prompt: "p" } });

  // The triple of a request.
  const same1 = await github.execute("pull_requests", "list", { owner: "o", repo: "r", fields: ["mergedAt"] });
  same<(typeof same1)["data"], readonly { readonly mergedAt: string | null }[]>(true);
  // @ts-expect-error (24) no such field
  await github.execute("pull_requests", "list", { owner: "o", repo: "r", fields: ["mergdAt"] });
  // @ts-expect-error (25) no such field in the object
  await github.execute("issues", "context_store_search", { query: {}, fields: ["author.logn"] });
  const same2 = await github.execute("issues", "context_store_search", { query: { filter: { eq: { number: 1 } } } });
  same<(typeof same2)["meta"]["synced_at"], string | null>(true);
  await github.execute("viewer", "get", {});
  const counted = await github.execute("issues", "context_store_search", { query: {}, groupBy: ["state"] });
  same<(typeof counted)["data"][number]["state"], "closed" | "open" | null>(true);
  same<(typeof counted)["data"][number]["count"], number>(true);
  const meant = await github.execute("issues", "context_store_search", { semantic: { field: "body", prompt: "p" }, limit: 5 });
  same<(typeof meant)["data"][number]["metadata"]["score"], number>(true);
  const planned = await github.execute("issues", "list", { owner: "o", repo: "r", dryRun: true });
  same<(typeof planned)["meta"]["document"], string>(true);
  // @ts-expect-error (26) there is no such field to group by
  await github.execute("issues", "context_store_search", { query: {}, groupBy: ["stat"] });
  // @ts-expect-error (27) labels are not searched by meaning
  await github.execute("labels", "context_store_search", { semantic: { field: "body", prompt: "p" } });
  // @ts-expect-error (28) `query` and `semantic` exclude each other
  await github.execute("issues", "context_store_search", { semantic: { field: "body", prompt: "p" }, query: {} });
  // @ts-expect-error (29) a write cannot be tried without being sent
  await github.execute("issues", "create", { owner: "o", repo: "r", title: "t", dryRun: true });
  // @ts-expect-error (30) no such entity
  await github.execute("issue", "list", { owner: "o", repo: "r" });
  // @ts-expect-error (31) no such action
  await github.execute("labels", "create", { owner: "o", repo: "r" });
  // @ts-expect-error (32) `repo` is required
  await github.execute("issues", "list", { owner: "o" });

  // Options: one mode, not both.
  new GitHub({ baseUrl: "https://tenon.example.com", clientId: "id", clientSecret: "secret", workspace: "w", organization: "o" });
  new GitHub({ accessToken: async () => "token" });
  const user = { refreshToken: "r", clientId: "c", clientSecret: "s" };
  new GitHub({
    ...user,
    accessToken: "t",
    expiresAt: new Date(),
    onTokens: async ({ accessToken, refreshToken, expiresAt }) => {
      same<typeof accessToken, string>(true);
      same<typeof refreshToken, string | undefined>(true);
      same<typeof expiresAt, Date | null>(true);
    },
  });
  // @ts-expect-error (33) new tokens would be lost
  new GitHub(user);
  // @ts-expect-error (34) a refresh token belongs to a client
  new GitHub({ refreshToken: "r", onTokens: () => undefined });
  new GitHub({ credential: { kind: "app", appId: "1", privateKey: "k", installationId: "2" } });
  // @ts-expect-error (35) no such kind
  new GitHub({ credential: { kind: "zzz" } });
  // @ts-expect-error (36) the kind has more values
  new GitHub({ credential: { kind: "app", appId: "1" } });
  const options: ClientOptions = { credential: { kind: "token", token: "t" } };
  new GitHub(options);
  // @ts-expect-error (37) a credential has a kind
  new GitHub({ credential: { appId: "1" } });
  // @ts-expect-error (38) one credential
  new GitHub({ credential: { kind: "app" }, accessToken: "t" });
  // @ts-expect-error (39) hosted and local at once
  new GitHub({ accessToken: "token", baseUrl: "https://tenon.example.com" });

  // Only a service remembers the writes that it did. Otherwise a local client fits wherever a client does.
  const issue = { owner: "o", repo: "r", title: "t" } as const;
  await new GitHub({ token: "t" }).issues.create(issue, { idempotencyKey: "k" });
  const local = new GitHub({ accessToken: "t" });
  await local.issues.create(issue, { timeout: 1000 });
  // @ts-expect-error (40) hosted mode only
  await local.issues.create(issue, { idempotencyKey: "k" });
  // @ts-expect-error (41) hosted mode only
  await local.execute("issues", "create", issue, { idempotencyKey: "k" });
  // @ts-expect-error (42) a misspelled option
  new GitHub({ baseUrl: "https://tenon.example.com", apiKy: "k" });
  const hosted: HostedOptions = { token: "t" };
  await new GitHub(hosted).issues.create(issue, { idempotencyKey: "k" });
  const either: GitHub = local;
  await either.issues.list({ owner: "o", repo: "r" });
}

/** The code of an error is a literal type, by its class and by a comparison. */
export function failures(thrown: unknown): number | undefined {
  if (thrown instanceof CallError) {
    same<typeof thrown.code, ErrorCode>(true);
    // @ts-expect-error (43) no such code
    if (thrown.code === "rate_limitted") return 0;
  }
  if (thrown instanceof errors.RateLimitedError) {
    same<typeof thrown.code, "rate_limited">(true);
    return thrown.retryAfter;
  }
  const never = (error: CallError) => {
    // @ts-expect-error (44) no such code
    return error.code === "rate_limitted";
  };
  return never.length;
}
