import { association, canPush, canTriage } from "../access.ts";
import type { Context, Fields, Resolver, Tables } from "../resolver.ts";
import type { Discussion } from "../world/discussion.ts";
import type { Issue, LockReason, PullRequest, Written } from "../world/issue.ts";
import { webPath } from "../world/path.ts";
import type { Repository } from "../world/repository.ts";

/** A field that has the same answer for every record. */
export const always =
  (value: unknown): Resolver<never, never> =>
  () =>
    value;

export const url: Resolver<Parameters<typeof webPath>[0]> = (record, _args, context) => `${context.web}${webPath(record)}`;
export const resourcePath: Resolver<Parameters<typeof webPath>[0]> = (record) => webPath(record);

/** The repository that a written text stands in. */
function homeOf(record: Written): Repository | undefined {
  const places = record as Partial<{ repository: Repository; parent: unknown; pullRequest: PullRequest; discussion: Discussion }>;
  if (places.repository !== undefined) return places.repository;
  if (places.pullRequest !== undefined) return places.pullRequest.repository;
  if (places.discussion !== undefined) return places.discussion.repository;
  const { parent } = places;
  return typeof parent === "object" && parent !== null ? (parent as Issue | PullRequest).repository : undefined;
}

const mayEdit = (record: Written, context: Context): boolean => {
  const home = homeOf(record);
  return record.author?.id === context.viewer.user.id || (home !== undefined && canPush(context.viewer, home));
};
const edit: Resolver<Written> = (record, _args, context) => mayEdit(record, context);

/** Markdown is not rendered here: the text in a paragraph, escaped, is enough to tell the fields apart. */
export const html = (text: string | null): string =>
  text === null || text === ""
    ? ""
    : `<p dir="auto">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`;

const comment: Fields = {
  bodyHTML: (record: Written) => html(record.body),
  bodyText: (record: Written) => record.body.replaceAll(/[*_`#>]/g, ""),
  authorAssociation: (record: Written) => {
    const home = homeOf(record);
    return home === undefined ? "NONE" : association(record.author, home);
  },
  createdViaEmail: always(false),
  includesCreatedEdit: (record: Written) => record.lastEditedAt !== null,
  editor: (record: Written) => (record.lastEditedAt === null ? null : record.author),
  publishedAt: (record: Written) => record.createdAt,
  viewerDidAuthor: (record: Written, _args, context: Context) => record.author?.id === context.viewer.user.id,
  userContentEdits: always(null),
};

const locked = (record: { readonly locked: boolean; readonly activeLockReason: LockReason | null }) => record.locked;

/** What records have through the interfaces of their type; a record's own property comes first. */
export const sharedTables: Tables = {
  Comment: comment,
  UniformResourceLocatable: { url, resourcePath },
  Lockable: { locked },
  Updatable: { viewerCanUpdate: edit },
  UpdatableComment: {
    viewerCannotUpdateReasons: (record: Written, _args, context: Context) =>
      mayEdit(record, context) ? [] : ["INSUFFICIENT_ACCESS"],
  },
  Deletable: { viewerCanDelete: edit },
  Minimizable: {
    isMinimized: always(false),
    minimizedReason: always(null),
    viewerCanMinimize: (record: Written, _args, context: Context) => {
      const home = homeOf(record);
      return home !== undefined && canPush(context.viewer, home);
    },
  },
  Labelable: {
    viewerCanLabel: (record: { repository: Repository }, _args, context: Context) => canTriage(context.viewer, record.repository),
  },
  Subscribable: { viewerCanSubscribe: always(true), viewerSubscription: always("UNSUBSCRIBED") },
  SubscribableThread: { viewerThreadSubscriptionFormAction: always("SUBSCRIBE"), viewerThreadSubscriptionStatus: always("NONE") },
  Votable: { viewerCanUpvote: always(true), viewerHasUpvoted: always(false) },
  Starrable: { viewerHasStarred: always(false) },
  GitObject: {
    abbreviatedOid: (record: { oid: string }) => record.oid.slice(0, 7),
    commitResourcePath: (record: { oid: string; repository: Repository }) => `${webPath(record.repository)}/commit/${record.oid}`,
    commitUrl: (record: { oid: string; repository: Repository }, _args, context: Context) =>
      `${context.web}${webPath(record.repository)}/commit/${record.oid}`,
  },
};
