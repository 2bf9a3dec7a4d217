/** Prefixes of the platform's global ids. */
const prefixes = {
  User: "U",
  Bot: "BOT",
  Organization: "O",
  Team: "T",
  Repository: "R",
  Issue: "I",
  PullRequest: "PR",
  IssueComment: "IC",
  PullRequestReview: "PRR",
  PullRequestReviewThread: "PRRT",
  PullRequestReviewComment: "PRRC",
  Label: "LA",
  Milestone: "MI",
  Release: "RE",
  ReleaseAsset: "RA",
  Reaction: "REA",
  Discussion: "D",
  DiscussionComment: "DC",
  DiscussionCategory: "DIC",
  ProjectV2: "PVT",
  ProjectV2Item: "PVTI",
  ProjectV2Field: "PVTF",
  ProjectV2Value: "PVTFV",
  DraftIssue: "DI",
  Gist: "G",
  Language: "LAN",
  Topic: "TOP",
  License: "LIC",
} as const;

export type IdentityKind = keyof typeof prefixes;

/**
 * First numeric id of some kinds. Several start just below 2^31 or 2^32, so that the data holds numbers on both sides of what an
 * `Int` of GraphQL can carry: the real platform has long passed them.
 */
const firsts: Partial<Record<IdentityKind, number>> = {
  User: 583_231,
  Organization: 9_919_000,
  Repository: 1_296_269,
  Issue: 2_147_483_600,
  PullRequest: 2_147_483_630,
  IssueComment: 4_294_967_250,
  PullRequestReview: 2_147_483_640,
  PullRequestReviewComment: 4_294_967_290,
  Label: 5_208_045_946,
  Team: 4_800_000,
  ProjectV2Item: 4_294_967_200,
};

export interface Identity {
  readonly id: string;
  readonly databaseId: number;
}

export interface Identities {
  make(kind: IdentityKind): Identity;
}

export function createIdentities(): Identities {
  const last = new Map<IdentityKind, number>();
  return {
    make(kind) {
      const databaseId = (last.get(kind) ?? (firsts[kind] ?? 1000) - 1) + 1;
      last.set(kind, databaseId);
      return { id: globalId(prefixes[kind], databaseId.toString(16)), databaseId };
    },
  };
}

/** An opaque global id in the platform's newer form, such as `I_kwDOMTBhYQ`. */
export function globalId(prefix: string, key: string): string {
  return `${prefix}_kwDO${Buffer.from(key).toString("base64url")}`;
}
