import type { Author } from "../world/account.ts";

interface Account {
  readonly __typename: "User" | "Bot" | "Organization";
  readonly id: string;
  readonly databaseId: number;
  readonly login: string;
  readonly isSiteAdmin?: boolean;
}

const ghost: Account = { __typename: "User", id: "MDQ6VXNlcjEwMTM3", databaseId: 10137, login: "ghost" };

/** A user, bot or organization as REST writes it in short. */
export function accountRecord(rest: string, account: Account) {
  const login = account.__typename === "Bot" ? `${account.login}[bot]` : account.login;
  const url = `${rest}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id: account.databaseId,
    node_id: account.id,
    avatar_url: `https://avatars.githubusercontent.com/u/${account.databaseId}?v=4`,
    gravatar_id: "",
    url,
    html_url: `https://github.com/${account.__typename === "Bot" ? `apps/${account.login}` : account.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.__typename,
    user_view_type: "public",
    site_admin: account.isSiteAdmin ?? false,
  };
}

/** A deleted account: where REST must name somebody, it names the ghost. */
export function accountOrGhost(rest: string, author: Author) {
  return accountRecord(rest, author ?? ghost);
}
