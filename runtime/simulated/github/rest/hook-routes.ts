import { type Answer, json } from "../../../simulator/answer.ts";
import { permission } from "../access.ts";
import { isNear } from "../hooks/send.ts";
import { instant } from "../seed/seed.ts";
import { hasScope } from "../tokens.ts";
import { hookSnapshot } from "../webhook-events.ts";
import type { Hook, HookDelivery } from "../world/hook.ts";
import { nameWithOwner, type World } from "../world/world.ts";
import { numberedPage, pageAnswer, pageOf } from "./page.ts";
import { invalid, refuseWrite } from "./problem.ts";
import { now, type Write, type WriteCall } from "./write.ts";

/** The most webhooks of one repository that hear of the same event, as GitHub documents it. */
const mostHooks = 20;
const done: Answer = { status: 204, headers: {}, body: "" };

export function listHooks(write: Write, call: WriteCall): Answer {
  checkAdministers(write);
  const hooks = hooksOf(write).map((one) => hookRecord(write, one));
  return numberedPage(call, hooks);
}

export function createHook(write: Write): Answer {
  checkAdministers(write);
  const { world, repository, body } = write;
  const config = configOf(body, undefined);
  if (hooksOf(write).some((one) => one.config.url === config.url))
    throw invalid({ resource: "Hook", code: "custom", message: "Hook already exists on this repository" });
  if (hooksOf(write).length >= mostHooks)
    throw invalid({ resource: "Hook", code: "custom", message: `The "push" event cannot have more than ${mostHooks} hooks` });
  const at = now();
  const hook: Hook = {
    id: 501 + world.hooks.length,
    repository,
    config,
    events: eventsOf(body) ?? ["push"],
    active: body["active"] !== false,
    createdAt: at,
    updatedAt: at,
    lastStatus: null,
    deliveries: [],
    seen: hookSnapshot(repository),
  };
  world.hooks.push(hook);
  ping(world, hook);
  const record = hookRecord(write, hook);
  return json(201, record, { location: record.url });
}

export function readHook(write: Write, call: WriteCall): Answer {
  return json(200, hookRecord(write, hookOf(write, call)));
}

export function updateHook(write: Write, call: WriteCall): Answer {
  const { body } = write;
  const hook = hookOf(write, call);
  if (body["config"] !== undefined) hook.config = configOf(body, hook);
  hook.events = eventsOf(body) ?? hook.events;
  if (body["active"] !== undefined) {
    // It hears only of what comes from now on.
    if (!hook.active) hook.seen = hookSnapshot(hook.repository);
    hook.active = body["active"] === true;
  }
  hook.updatedAt = now();
  return json(200, hookRecord(write, hook));
}

export function removeHook(write: Write, call: WriteCall): Answer {
  const hook = hookOf(write, call);
  hook.active = false;
  write.world.hooks = write.world.hooks.filter((one) => one !== hook);
  return done;
}

export function pingHook(write: Write, call: WriteCall): Answer {
  ping(write.world, hookOf(write, call));
  return done;
}

export function listDeliveries(write: Write, call: WriteCall): Answer {
  const { deliveries } = hookOf(write, call);
  const { cursor, text, size } = pageOf(call);
  const status = text("status");
  const wanted = deliveries.filter((one) => status === undefined || isGood(one) === (status === "success"));
  const from = cursor === undefined ? 0 : wanted.findIndex(({ id }) => id < Number(cursor));
  const last = wanted[from + size - 1];
  return pageAnswer(call, wanted.map(deliveryRecord(write)), {
    size,
    from: from < 0 ? wanted.length : from,
    next: ["cursor", last?.id ?? 0],
  });
}

export function redeliver(write: Write, call: WriteCall): Answer {
  const hook = hookOf(write, call);
  const former = hook.deliveries.find(({ id }) => id === Number(call.params["delivery_id"]));
  if (former === undefined) throw refuseWrite(404, "Not Found");
  write.world.hookSender.send(hook, { ...former, redelivery: true });
  return json(202, {});
}

function isGood({ status }: HookDelivery): boolean {
  return status >= 200 && status < 300;
}

/** Who may not administer a repository is not told that it has webhooks. */
function checkAdministers({ viewer, repository }: Write): void {
  if (permission(viewer, repository) !== "ADMIN" || !hasScope(viewer.token, "repo")) throw refuseWrite(404, "Not Found");
}

const hooksOf = ({ world, repository }: Write) => world.hooks.filter((one) => one.repository === repository);

function hookOf(write: Write, { params }: WriteCall): Hook {
  checkAdministers(write);
  const found = hooksOf(write).find(({ id }) => id === Number(params["hook_id"]));
  if (found === undefined) throw refuseWrite(404, "Not Found");
  return found;
}

function ping({ hookSender }: World, hook: Hook): void {
  const { repository, id } = hook;
  const { name, owner } = repository;
  const about = { name, full_name: nameWithOwner(repository), owner: { login: owner.login } };
  const payload = { zen: "Keep it logically awesome.", hook_id: id, repository: about };
  hookSender.send(hook, { event: { name: "ping", payload }, guid: crypto.randomUUID(), redelivery: false });
}

/** As on the platform, a secret that is not given with the rest of the configuration is forgotten. */
function configOf(body: Write["body"], former: Hook | undefined): Hook["config"] {
  const {
    url = former?.config.url,
    content_type: type = "form",
    secret,
  } = (body["config"] ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof url !== "string") throw invalid({ resource: "Hook", field: "url", code: "missing_field" });
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalid({ resource: "Hook", field: "url", code: "invalid" });
  return { url, content_type: type === "json" ? "json" : "form", secret: typeof secret === "string" ? secret : undefined };
}

function eventsOf({ events }: Write["body"]): readonly string[] | undefined {
  return Array.isArray(events) ? events.map(String) : undefined;
}

function hookRecord({ rest, repository }: Pick<Write, "rest" | "repository">, hook: Hook) {
  const { id, active, events, config, createdAt, updatedAt, lastStatus } = hook;
  const url = `${rest}/repos/${nameWithOwner(repository)}/hooks/${id}`;
  return {
    type: "Repository",
    id,
    name: "web",
    active,
    events,
    config: {
      content_type: config.content_type,
      insecure_ssl: "0",
      url: config.url,
      ...(config.secret === undefined ? {} : { secret: "********" }),
    },
    updated_at: updatedAt,
    created_at: createdAt,
    url,
    test_url: `${url}/test`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response: {
      code: lastStatus,
      status: lastStatus === null ? "unused" : "active",
      message: isNear(config.url) ? null : "The simulated platform calls only addresses of this machine",
    },
  };
}

function deliveryRecord({ repository }: Write) {
  return (delivery: HookDelivery) => {
    const { id, guid, event, redelivery, deliveredAt, duration, status } = delivery;
    return {
      id,
      guid,
      delivered_at: instant(deliveredAt),
      redelivery,
      duration,
      status: status === 0 ? "failed to connect" : isGood(delivery) ? "OK" : `Invalid HTTP Response: ${status}`,
      status_code: status,
      event: event.name,
      action: typeof event.payload["action"] === "string" ? event.payload["action"] : null,
      installation_id: null,
      repository_id: repository.databaseId,
      throttled_at: null,
    };
  };
}
