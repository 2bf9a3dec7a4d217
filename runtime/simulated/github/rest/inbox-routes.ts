import { hash } from "node:crypto";
import { type Answer, json } from "../../../simulator/answer.ts";
import { hasScope } from "../tokens.ts";
import type { Gist, Notification } from "../world/inbox.ts";
import { accountRecord } from "./account-record.ts";
import { numberedPage, pageOf } from "./page.ts";
import { invalid, refuseWrite } from "./problem.ts";
import { repositoryRecord, repositoryUrl } from "./repository-record.ts";
import { now, text, type WriteCall } from "./write.ts";

// What belongs to the owner of the token: notifications and gists.

type Body = Readonly<Record<string, unknown>>;

const done: Answer = { status: 204, headers: {}, body: "" };
const read: Answer = { status: 205, headers: {}, body: "" };

export function listNotifications(call: WriteCall): Answer {
  checkScope(call, ["notifications", "repo"]);
  const { text: given } = pageOf(call);
  const taking = ["assign", "author", "mention"];
  const found = call.world.notifications
    .filter((one) => one.user === call.viewer.user)
    .filter((one) => one.unread || given("all") === "true")
    .filter((one) => given("participating") !== "true" || taking.includes(one.reason))
    .filter((one) => Date.parse(one.updatedAt) > Date.parse(given("since") ?? "1970-01-01"))
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  return numberedPage(
    call,
    found.map((one) => notificationRecord(call, one)),
    undefined,
    50,
  );
}

export function readNotification(call: WriteCall): Answer {
  return json(200, notificationRecord(call, notificationOf(call)));
}

export function markRead(call: WriteCall): Answer {
  const found = notificationOf(call);
  found.unread = false;
  found.lastReadAt = now();
  return read;
}

export function markDone(call: WriteCall): Answer {
  const found = notificationOf(call);
  call.world.notifications = call.world.notifications.filter((one) => one !== found);
  return done;
}

function notificationOf(call: WriteCall): Notification {
  checkScope(call, ["notifications", "repo"]);
  const { world, viewer, params } = call;
  const found = world.notifications.find((one) => one.user === viewer.user && String(one.id) === params["thread_id"]);
  if (found === undefined) throw refuseWrite(404, "Not Found");
  return found;
}

function notificationRecord({ rest, viewer }: WriteCall, { id, about, reason, unread, updatedAt, lastReadAt }: Notification) {
  const url = `${rest}/notifications/threads/${id}`;
  const kind = about.__typename === "Issue" ? "issues" : "pulls";
  const subject = `${repositoryUrl(rest, about.repository)}/${kind}/${about.number}`;
  return {
    id: String(id),
    repository: repositoryRecord(rest, about.repository, viewer),
    subject: { title: about.title, url: subject, latest_comment_url: subject, type: about.__typename },
    reason,
    unread,
    updated_at: updatedAt,
    last_read_at: lastReadAt,
    url,
    subscription_url: `${url}/subscription`,
  };
}

export function listGists(call: WriteCall): Answer {
  const since = Date.parse(pageOf(call).text("since") ?? "1970-01-01");
  const found = call.world.gists
    .filter((one) => one.owner === call.viewer.user && (one.public || hasScope(call.viewer.token, "gist")))
    .filter((one) => Date.parse(one.updatedAt) > since)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  return numberedPage(
    call,
    found.map((one) => gistRecord(call, one, false)),
  );
}

export function readGist(call: WriteCall): Answer {
  // Whoever knows the ID of a secret gist may read it.
  return json(200, gistRecord(call, gistOf(call), true));
}

export function createGist(call: WriteCall, body: Body): Answer {
  checkScope(call, ["gist"]);
  const files = new Map<string, string>();
  change(files, body);
  if (files.size === 0) throw invalid({ resource: "Gist", field: "files", code: "missing_field" });
  const at = now();
  const made: Gist = {
    id: hash("sha1", call.world.identities.make("Gist").id).slice(0, 20),
    owner: call.viewer.user,
    description: body["description"] === undefined ? null : text(body["description"]),
    public: body["public"] === true || body["public"] === "true",
    files,
    createdAt: at,
    updatedAt: at,
  };
  call.world.gists.push(made);
  const record = gistRecord(call, made, true);
  return json(201, record, { location: record.url });
}

export function updateGist(call: WriteCall, body: Body): Answer {
  checkScope(call, ["gist"]);
  const gist = ownGist(call);
  const files = new Map(gist.files);
  change(files, body);
  if (files.size === 0) throw invalid({ resource: "Gist", field: "files", code: "missing_field" });
  gist.files = files;
  if (body["description"] !== undefined) gist.description = text(body["description"]);
  gist.updatedAt = now();
  return json(200, gistRecord(call, gist, true));
}

export function removeGist(call: WriteCall): Answer {
  checkScope(call, ["gist"]);
  const gist = ownGist(call);
  call.world.gists = call.world.gists.filter((one) => one !== gist);
  return done;
}

/** Changes files by name: null removes one, `filename` renames it, and a file without content is refused. */
function change(files: Map<string, string>, { files: given }: Body): void {
  for (const [name, one] of Object.entries(
    (given ?? {}) as Readonly<Record<string, { content?: unknown; filename?: unknown }>>,
  )) {
    if (one === null) {
      files.delete(name);
      continue;
    }
    const content = one.content === undefined ? files.get(name) : text(one.content);
    if (content === undefined || content === "") throw invalid({ resource: "Gist", field: "files", code: "missing_field" });
    if (one.filename !== undefined) files.delete(name);
    files.set(one.filename === undefined ? name : text(one.filename), content);
  }
}

function gistOf({ world, params }: WriteCall): Gist {
  const found = world.gists.find(({ id }) => id === params["gist_id"]);
  if (found === undefined) throw refuseWrite(404, "Not Found");
  return found;
}

function ownGist(call: WriteCall): Gist {
  const found = gistOf(call);
  if (found.owner !== call.viewer.user) throw refuseWrite(404, "Not Found");
  return found;
}

/** GitHub says of what a token may not do at all only that it is not there. */
function checkScope({ viewer }: WriteCall, scopes: readonly string[]): void {
  if (!scopes.some((scope) => hasScope(viewer.token, scope))) throw refuseWrite(404, "Not Found");
}

function gistRecord({ rest }: WriteCall, gist: Gist, whole: boolean) {
  const { id, owner, description, files, createdAt, updatedAt } = gist;
  const url = `${rest}/gists/${id}`;
  const git = `https://gist.github.com/${id}.git`;
  const shown = [...files].map(([filename, content]) => {
    const raw_url = `https://gist.githubusercontent.com/${owner.login}/${id}/raw/${encodeURIComponent(filename)}`;
    const file = { filename, type: "text/plain", language: "Text", raw_url, size: Buffer.byteLength(content) };
    return [filename, whole ? { ...file, truncated: false, content, encoding: "utf-8" } : file] as const;
  });
  return {
    url,
    forks_url: `${url}/forks`,
    commits_url: `${url}/commits`,
    id,
    node_id: `G_${id}`,
    git_pull_url: git,
    git_push_url: git,
    html_url: `https://gist.github.com/${owner.login}/${id}`,
    files: Object.fromEntries(shown),
    public: gist.public,
    created_at: createdAt,
    updated_at: updatedAt,
    description,
    comments: 0,
    user: null,
    comments_url: `${url}/comments`,
    owner: accountRecord(rest, owner),
    truncated: false,
  };
}
