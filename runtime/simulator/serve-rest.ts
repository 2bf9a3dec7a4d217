import { pause } from "../base/pause.ts";
import { type Answer, Refused } from "./answer.ts";
import type { Fault } from "./fault.ts";
import { parseBody, type ReceivedRequest } from "./request.ts";
import type { RestApi, RestCall, RestRoute } from "./rest/api.ts";
import { bodyType, formType, parseForm, partsType } from "./rest/form.ts";
import { parseParts } from "./rest/parts.ts";
import { findRoute } from "./rest/router.ts";
import type { Served } from "./simulation.ts";

/** Answers a REST request: lets a fault strike it, takes it off the quota, checks it by the description, and carries it out. */
export async function serveRest<World extends object, Viewer>(
  { simulation, url }: Served<World, Viewer>,
  viewer: Viewer,
  received: ReceivedRequest,
): Promise<Answer> {
  const { platform, world, limits, faults } = simulation;
  const { rest: api, quota } = platform;
  const account = quota.account(viewer);
  const fault = faults.take("rest", (one) => one.kind !== "answer" || one.above === undefined);
  if (fault?.kind === "answer") return fault.answer("rest", viewer);
  await delay(fault);
  const path = received.path.split("?")[0] ?? "/";
  const found = findRoute(api.routes, received.method, path);
  if (found?.route.free !== true && !limits.spend(account, "rest", 1)) return quota.exceeded("rest", viewer);
  const call = () => {
    if (found === undefined) return api.refusals.path;
    const { method } = received;
    const { route, params } = found;
    const budget = (one: "graphql" | "rest") => limits.budget(account, one);
    return carryOut(
      api,
      route,
      {
        world,
        viewer,
        rest: url,
        method,
        path,
        query: received.path.slice(path.length),
        headers: received.headers,
        params,
        budget,
      },
      received,
    );
  };
  const answer = api.negotiate?.(received.headers) ?? call();
  const complete = { ...answer, headers: { ...api.headers?.(received.headers), ...answer.headers } };
  return fault?.kind === "change" ? fault.change(complete) : complete;
}

function carryOut<World, Viewer>(
  api: RestApi<World, Viewer>,
  route: RestRoute<World, Viewer>,
  call: RestCall<World, Viewer>,
  { text, bytes }: ReceivedRequest,
): Answer {
  const refused = route.admit?.(call);
  if (refused !== undefined) return refused;
  const type = bodyType(call.headers);
  const form = type === formType;
  const parts = type === partsType;
  const body =
    text === ""
      ? { value: {} }
      : parts
        ? parseParts(bytes ?? Buffer.from(text), call.headers["content-type"] ?? "")
        : form
          ? { value: parseForm(text) }
          : parseBody(text);
  if (body === undefined) return api.refusals.syntax;
  const { value } = body;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return api.refusals.object;
  const operation = { method: route.method, path: route.describedAs ?? route.path };
  // A read has no body, and need not wait until the description is read and compiled.
  const [error] = route.method === "GET" ? [] : api.description.requestErrors(operation, value, type);
  if (error !== undefined) return api.refusals.body(error);
  try {
    return route.run(call, value as Readonly<Record<string, unknown>>);
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown.answer;
    throw thrown;
  }
}

/** Waits for as long as a fault holds a request back. */
export async function delay<Viewer>(fault: Fault<Viewer> | undefined): Promise<void> {
  if (fault?.kind === "slow") await pause(fault.ms);
  if (fault?.kind === "held") await fault.until;
}
