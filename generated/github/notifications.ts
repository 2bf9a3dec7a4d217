// Generated from spec/github/notifications.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { notificationsStore } from "./facts.ts";
import { getParams, listParams, markDoneActionParams, markReadActionParams } from "./validators/notifications.js";

/** Notifications for the owner of the token. It needs a classic personal access token. */
export interface Notification {
  /** Numeric ID as text. */
  readonly id: string;
  /** When it was last read. */
  readonly lastReadAt: string | null;
  /** Why it was sent. */
  readonly reason: string;
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** Title of what it is about. */
  readonly subjectTitle: string;
  /** `Issue`, `PullRequest` or another kind. */
  readonly subjectType: string;
  /** API address of what it is about; null where the REST API has none, as of a discussion. */
  readonly subjectUrl: string | null;
  /** Whether it was not read. */
  readonly unread: boolean;
  /** When it was last changed. */
  readonly updatedAt: string;
}

/** Names the notification. */
export interface NotificationDone {
  /** ID of the notification. */
  readonly thread_id: number;
}

export interface NotificationsGetParams {
  /** ID of the notification. */
  readonly thread_id: number;
  readonly fields?: readonly FieldPath[];
}

export interface NotificationsListParams {
  /** Whether to list those that were read too. */
  readonly all?: boolean;
  /** Whether to list only those in which the owner of the token takes part or is mentioned. */
  readonly participating?: boolean;
  /** Only those that changed after this time. */
  readonly since?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 50. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface NotificationsMarkDoneParams {
  /** ID of the notification. */
  readonly thread_id: number;
  readonly fields?: readonly FieldPath[];
}

export interface NotificationsMarkReadParams {
  /** ID of the notification. */
  readonly thread_id: number;
  readonly fields?: readonly FieldPath[];
}

export const notificationPlan: RecordPlan = {
  name: "Notification",
  fields: {
    id: { read: "id", always: true },
    lastReadAt: { read: "last_read_at", is: "timestamp" },
    reason: { read: "reason", always: true },
    repository: { read: "repository.full_name", always: true },
    subjectTitle: { read: "subject.title", always: true },
    subjectType: { read: "subject.type", always: true },
    subjectUrl: { read: "subject.url" },
    unread: { read: "unread", always: true, is: "boolean" },
    updatedAt: { read: "updated_at", always: true, is: "timestamp" },
  },
};

export const notificationDonePlan: RecordPlan = { name: "NotificationDone", fields: { thread_id: { param: "thread_id" } } };

/** Reads one notification. */
export const get: Action<NotificationsGetParams, Single<Notification>> = {
  name: "notifications.get",
  traits: actionTraits.get,
  params: ["thread_id"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/notifications/threads/{thread_id}",
    query: [],
    body: [],
    record: notificationPlan,
  },
};

/** Lists notifications, those with the newest changes first. */
export const list: Action<NotificationsListParams, Page<Notification>> = {
  name: "notifications.list",
  traits: actionTraits.list,
  params: ["all", "participating", "since", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/notifications",
    query: ["all", "participating", "since", "per_page"],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: notificationPlan,
  },
};

/** Marks a notification as done, which removes it from the list. */
export const markDoneAction: Action<NotificationsMarkDoneParams, Answer<NotificationDone>> = {
  name: "notifications.mark_done",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["thread_id"],
  validate: markDoneActionParams,
  operation: {
    kind: "rest",
    method: "DELETE",
    path: "/notifications/threads/{thread_id}",
    query: [],
    body: [],
    record: notificationDonePlan,
  },
};

/** Marks a notification as read. */
export const markReadAction: Action<NotificationsMarkReadParams, Answer<NotificationDone>> = {
  name: "notifications.mark_read",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["thread_id"],
  validate: markReadActionParams,
  operation: {
    kind: "rest",
    method: "PATCH",
    path: "/notifications/threads/{thread_id}",
    query: [],
    body: [],
    record: notificationDonePlan,
  },
};

/** Notifications for the owner of the token. It needs a classic personal access token. */
export const entity: Entity = {
  actions: { get, list, mark_done: markDoneAction, mark_read: markReadAction },
  record: notificationPlan,
  store: notificationsStore,
  aliases: ["notification", "inbox"],
  brief: ["id", "unread", "reason", "subjectType", "subjectTitle", "repository"],
  sync: [],
};
