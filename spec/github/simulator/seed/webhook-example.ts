import { installedText } from "../installed-file.ts";

/** The parts of real webhook payloads that become records. Everything else in them is left alone. */
export interface RealUser {
  readonly login: string;
  readonly id: number;
  readonly node_id: string;
}
export interface RealLabel {
  readonly id: number;
  readonly node_id: string;
  readonly name: string;
  readonly color: string;
  readonly default: boolean;
  readonly description?: string | null;
}
export interface RealMilestone {
  readonly id: number;
  readonly node_id: string;
  readonly number: number;
  readonly title: string;
  readonly description: string | null;
  readonly due_on: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}
export interface RealText {
  readonly id: number;
  readonly node_id: string;
  readonly body: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}
export interface RealIssue extends RealText {
  readonly number: number;
  readonly title: string;
}
export interface RealPullRequest extends RealIssue {
  readonly head: { readonly ref: string; readonly sha: string };
  readonly base: { readonly sha: string };
}
export interface RealReview extends Omit<RealText, "created_at" | "updated_at"> {
  readonly submitted_at: string;
}
export interface RealReviewComment extends RealText {
  readonly path: string;
  readonly diff_hunk: string;
}
export interface RealRelease extends Omit<RealText, "updated_at"> {
  readonly tag_name: string;
  readonly name: string | null;
  readonly published_at: string;
}
export interface RealRepository {
  readonly id: number;
  readonly node_id: string;
  readonly name: string;
  readonly default_branch: string;
  readonly created_at: string;
  readonly owner: RealUser;
}

export interface RealRecords {
  readonly repository: RealRepository;
  readonly label: RealLabel;
  readonly emojiLabel: RealLabel;
  readonly milestone: RealMilestone;
  readonly issue: RealIssue;
  readonly comment: RealText;
  readonly pullRequest: RealPullRequest;
  readonly review: RealReview;
  readonly reviewComment: RealReviewComment;
  readonly release: RealRelease;
}

interface Payload {
  readonly action?: string;
  readonly repository?: RealRepository & { readonly full_name: string };
  readonly [key: string]: unknown;
}

const fullName = "Codertocat/Hello-World";
let cached: RealRecords | undefined;

/** Real records of `Codertocat/Hello-World` from the examples of webhook payloads. */
export function realRecords(): RealRecords {
  cached ??= readRecords();
  return cached;
}

function readRecords(): RealRecords {
  const text = installedText("@octokit/webhooks-examples/api.github.com/index.json");
  const events: readonly { readonly name: string; readonly examples: readonly Payload[] }[] = JSON.parse(text);
  const payload = (name: string, action: string): Payload => {
    const examples = events.find((event) => event.name === name)?.examples ?? [];
    const found = examples.find((example) => example.repository?.full_name === fullName && example.action === action);
    if (found === undefined) throw new Error(`no example of ${name}.${action}`);
    return found;
  };
  const part = <T>(name: string, action: string, key: string): T => payload(name, action)[key] as T;
  const issue = part<RealIssue & { readonly labels: readonly RealLabel[] }>("issues", "edited", "issue");
  const [label] = issue.labels;
  if (label === undefined) throw new Error("the example issue has no label");
  return {
    repository: part("issues", "edited", "repository"),
    issue,
    label,
    emojiLabel: part("label", "created", "label"),
    milestone: part("milestone", "created", "milestone"),
    comment: part("issue_comment", "created", "comment"),
    pullRequest: part("pull_request", "opened", "pull_request"),
    review: part("pull_request_review", "submitted", "review"),
    reviewComment: part("pull_request_review_comment", "created", "comment"),
    release: part("release", "published", "release"),
  };
}
