import { type Request, type RequestHandler, Router } from "express";
import { type Caller, hasRight } from "../accounts/index.ts";
import { asTenonError, TenonError } from "../base/errors.ts";
import { allowOnly } from "../server/allow-only.ts";
import { noteCaller, type TokenCheck } from "../server/callers/bearer.ts";
import { networkOfCaller } from "../server/callers/caller-address.ts";
import type { Strangers } from "../server/callers/strangers.ts";
import type { Gate } from "../server/gate.ts";
import { strangerForm } from "../server/intake/body.ts";
import { limitCaller } from "../server/limits/limit-caller.ts";
import type { Usages } from "../server/limits/usages.ts";
import { traceOf } from "../server/monitoring/trace.ts";
import { searchOf } from "../server/query.ts";
import { type ActionRoutesOptions, actionRoutes } from "./action-routes.ts";
import { leadTo } from "./lead-to.ts";
import { loginPage, sendPage, style } from "./pages.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { dropSession, keepSession, sessionOf } from "./session-cookie.ts";
import { Sessions } from "./sessions.ts";
import { viewRoutes } from "./view-routes.ts";

export interface AdminOptions extends ActionRoutesOptions {
  readonly gate: Gate;
  readonly check: TokenCheck;
  /** Limits keys that are not accepted, here and on all other routes together. */
  readonly strangers: Strangers;
  readonly limits: Usages;
}

const home = "/admin";
const login = "/admin/login";
const logout = "/admin/logout";

/**
 * The operator's pages at `/admin`, for callers with the right `admin`. A browser logs in with a key or an access token, and keeps a
 * session of half an hour.
 */
export function adminRoutes(options: AdminOptions): RequestHandler {
  const { gate, check, limits, strangers } = options;
  const sessions = new Sessions();
  const router = Router();
  const form = strangerForm(8 * 1024);

  /** Lets a request through when its session is one of a caller with the right; otherwise the browser is led to the login. */
  const admitted: RequestHandler = async (request, response, next) => {
    const id = sessionOf(request);
    const token = id === undefined ? undefined : sessions.tokenOf(id);
    const caller = token === undefined ? undefined : await check(token);
    if (caller === undefined || !hasRight(caller.grant, "admin")) {
      if (id !== undefined) sessions.end(id);
      dropSession(request, response);
      leadTo(response, request.method === "GET" ? loginFor(request.path) : login);
      return;
    }
    noteCaller(response, caller);
    next();
  };

  /** The caller whose key a form has. @throws TenonError for a form that does not log in */
  const callerOfForm = async (network: () => string, token: string): Promise<Caller> => {
    strangers.requireLookup(network, token);
    const caller = token === "" ? undefined : await check(token);
    if (caller === undefined) {
      strangers.failed(network());
      throw new TenonError("unauthorized", "This key is not valid.");
    }
    strangers.accepted(token);
    if (!hasRight(caller.grant, "admin")) throw new TenonError("forbidden", "This key does not have the right admin.");
    return caller;
  };

  router.get(login, gate.arrival, gate.place, (request, response) =>
    sendPage(response, "text/html", loginPage({ problem: [], action: loginFor(wantedPage(request)) })),
  );
  router.post(login, gate.arrival, form, gate.place, async (request, response) => {
    requireSameOrigin(request);
    const token = keyOf(request);
    try {
      const caller = await callerOfForm(() => networkOfCaller(request, response), token);
      noteCaller(response, caller);
      traceOf(response).deed = "admin.login";
      keepSession(request, response, sessions.begin(caller.id, token));
      leadTo(response, wantedPage(request));
    } catch (thrown) {
      const error = asTenonError(thrown);
      if (error.code === "internal") throw thrown;
      traceOf(response).failure = error;
      response.statusCode = error.status;
      if (error.retryAfter !== undefined) response.setHeader("Retry-After", error.retryAfter);
      sendPage(response, "text/html", loginPage({ problem: [error.message], action: loginFor(wantedPage(request)) }));
    }
  });
  router.post(logout, gate.arrival, gate.place, (request, response) => {
    requireSameOrigin(request);
    const id = sessionOf(request);
    if (id !== undefined) sessions.end(id);
    dropSession(request, response);
    leadTo(response, login);
  });
  router.get("/admin/admin.css", (_request, response) => sendPage(response, "text/css", style));
  const known = [gate.arrival, admitted, limitCaller(limits)];
  const views = viewRoutes(router, options, [...known, gate.place]);
  const actions = actionRoutes(router, options, sessions, known);
  router.all([...views, "/admin/admin.css"], allowOnly("GET, HEAD"));
  router.all(login, allowOnly("GET, HEAD, POST"));
  router.all([logout, ...actions], allowOnly("POST"));
  return router;
}

/** The address of the login that leads to a page afterwards. */
function loginFor(path: string): string {
  return path === home ? login : `${login}?to=${encodeURIComponent(path)}`;
}

/** The page that was requested before the login. Whoever wrote the address: it leads to no other site, and does nothing. */
function wantedPage(request: Request): string {
  const to = searchOf(request).get("to") ?? "";
  return /^\/admin(?:\/[\w-]+)*$/.test(to) && to !== login && to !== logout ? to : home;
}

/** The key of a form, of which nothing is known yet. Spaces around it come from copying. */
function keyOf({ body }: Request): string {
  const given: unknown = typeof body === "object" && body !== null && Object.hasOwn(body, "key") ? body.key : undefined;
  return typeof given === "string" ? given.trim() : "";
}
