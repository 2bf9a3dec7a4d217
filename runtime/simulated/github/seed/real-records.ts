import records from "./real-records.json" with { type: "json" };

// The parts of real webhook payloads that become records of the data set.

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

/** Records of `Codertocat/Hello-World` from GitHub's examples of webhook payloads. */
export const realRecords: RealRecords = records;
