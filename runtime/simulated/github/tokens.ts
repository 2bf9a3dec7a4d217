/** Path of the GraphQL API below the server's address. */
export const graphqlPath = "/graphql";

/** A token that the simulated platform knows. The strings have the shape of real ones and are plainly not real. */
export interface Token {
  readonly name: string;
  readonly token: string;
  readonly login: string;
  readonly scopes: readonly string[];
  readonly expired: boolean;
}

const classic = (name: string) => `ghp_${`simulated${name}`.padEnd(36, "0")}`;

/** The scopes of a token that may do everything. */
export const allTokenScopes = ["admin:org", "gist", "notifications", "project", "repo", "user", "write:discussion"];

export const ownerToken = classic("Owner");
export const readerToken = classic("Reader");
export const limitedToken = classic("Limited");
export const expiredToken = classic("Expired");
export const memberToken = classic("Member");
/** No scopes at all: reads what is public, writes nothing. */
export const bareToken = classic("Bare");

export const tokens: readonly Token[] = [
  { name: "owner", token: ownerToken, login: "octocat", scopes: allTokenScopes, expired: false },
  {
    name: "reader",
    token: readerToken,
    login: "hubot",
    scopes: ["public_repo", "read:org", "read:project", "read:user"],
    expired: false,
  },
  { name: "limited", token: limitedToken, login: "octocat", scopes: ["repo"], expired: false },
  {
    name: "member",
    token: memberToken,
    login: "monalisa",
    scopes: ["read:org", "read:project", "repo", "user:email"],
    expired: false,
  },
  { name: "bare", token: bareToken, login: "hubot", scopes: [], expired: false },
  { name: "expired", token: expiredToken, login: "octocat", scopes: allTokenScopes, expired: true },
];

const implied: Readonly<Record<string, readonly string[]>> = {
  repo: ["public_repo", "repo:status"],
  "admin:org": ["write:org", "read:org"],
  "write:org": ["read:org"],
  user: ["read:user", "user:email"],
  project: ["read:project"],
  "write:discussion": ["read:discussion"],
};

/** Whether the token was granted the scope or one that includes it. */
export function hasScope(token: Token, scope: string): boolean {
  return token.scopes.some((granted) => granted === scope || (implied[granted] ?? []).includes(scope));
}
