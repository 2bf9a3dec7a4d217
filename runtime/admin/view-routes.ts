import type { Request, RequestHandler, Response, Router } from "express";
import { type Grant, hasRight } from "../accounts/index.ts";
import { asTenonError, TenonError } from "../base/errors.ts";
import { callerOf } from "../server/callers/bearer.ts";
import { isVisible } from "../server/instance-of.ts";
import { traceOf } from "../server/monitoring/trace.ts";
import { searchOf } from "../server/query.ts";
import type { Administration } from "./actions.ts";
import { callPage as callPageOf } from "./call-page.ts";
import { mostEntries, type Sight, seesAll } from "./call-views.ts";
import { callsPath, callsQuery, callsView } from "./calls.ts";
import { instanceView } from "./instance-view.ts";
import { keysView } from "./keys.ts";
import { type OverviewOptions, overview } from "./overview.ts";
import {
  callPage,
  callsPage,
  connectorPage,
  type FormPage,
  type Frame,
  failedPage,
  instancePage,
  keysPage,
  overviewPage,
  proposalsPage,
  sendPage,
  subscriptionsPage,
} from "./pages.ts";
import { subscriptionsPath, subscriptionsView, subscriptionTroubles } from "./subscriptions.ts";
import { refusedCredentials } from "./troubles.ts";
import { timeOf } from "./words.ts";

export interface ViewOptions extends OverviewOptions {
  readonly administration: Administration;
}

/** Scopes that the page of one instance shows. */
const mostScopes = 500;
/** Seconds between two refreshes that somebody may choose; 0 for none. */
const refreshTimes = [0, 10, 30, 60];

const paths = [
  "/admin",
  "/admin/instances/:id",
  "/admin/calls",
  "/admin/calls/:number",
  "/admin/keys",
  "/admin/connectors/new",
  "/admin/proposals",
  subscriptionsPath,
];

/** The pages that only show something. @param admitted lets only admitted callers through @returns their addresses */
export function viewRoutes(router: Router, options: ViewOptions, admitted: readonly RequestHandler[]): readonly string[] {
  const { administration, audit, calls, callers } = options;
  const [home = "", instance = "", list = "", call = "", keys = "", connector = "", proposals = ""] = paths;

  const show = (path: string, handler: (request: Request, response: Response) => Promise<void>) =>
    router.get(path, ...admitted, async (request, response) => {
      await handler(request, response).catch((thrown: unknown) =>
        sendFailure(options, request, response, { thrown, back: home }),
      );
    });

  show(home, async (request, response) => {
    const caller = callerOf(response);
    const sent = await administration.subscriptions(caller).catch(() => []);
    const view = await overview(options, caller.grant, subscriptionTroubles(sent));
    const shown = { ...view, frame: await frame(options, request, response, "may refresh") };
    sendPage(response, "text/html", overviewPage(shown), refreshOf(request));
  });
  show(instance, async (request, response) => {
    const { grant } = callerOf(response);
    const listed = (await options.list()).find((one) => one.id === request.params["id"] && isVisible({ grant }, one));
    if (listed === undefined) throw new TenonError("unknown_connector", "There is no connector with this id.");
    const entries = (await audit?.lastAudited(mostEntries)) ?? [];
    const refused = refusedCredentials(entries).get(listed.id);
    const view = {
      instance: await instanceView(listed, options, grant, { most: mostScopes, refused }),
      added: (await administration.added()).has(listed.id),
      callsHref: callsPath({ instance: listed.id }),
      kinds: administration.connectors.find(({ name }) => name === listed.connector)?.kinds ?? [],
    };
    const shown = { ...view, frame: await frame(options, request, response, "may refresh") };
    sendPage(response, "text/html", instancePage(shown), refreshOf(request));
  });
  show(list, async (request, response) => {
    const query = callsQuery(searchOf(request));
    const sight = await sightOf(options, callerOf(response).grant);
    const view = await callsView(requireAudit(options), query, sight, callers);
    const shown = { ...view, frame: await frame(options, request, response, "may refresh") };
    sendPage(response, "text/html", callsPage(shown), refreshOf(request));
  });
  show(call, async (request, response) => {
    const given = String(request.params["number"]);
    const sight = await sightOf(options, callerOf(response).grant);
    const number = /^\d{1,15}$/.test(given) ? Number(given) : 0;
    const view = await callPageOf(requireAudit(options), number, sight, { calls, callers });
    if (view === undefined) throw new TenonError("unknown_route", "There is no such call, or the audit log has it no longer.");
    sendPage(response, "text/html", callPage({ ...view, frame: await frame(options, request, response) }));
  });
  show(keys, (request, response) => sendKeys(options, request, response, nothingGiven));
  show(proposals, async (request, response) => {
    const caller = callerOf(response);
    const found = await administration.proposals(caller);
    const now = Date.now();
    const view = {
      proposals: found.map((one) => ({
        ...one,
        expires: timeOf(Date.parse(one.expires_at), now),
        // Nobody decides about a write of their own.
        mayDecide: hasRight(caller.grant, "approve") && one.proposed_by.id !== caller.id,
      })),
      none: found.length === 0 ? ["No write waits for an approval."] : [],
    };
    const shown = { ...view, frame: await frame(options, request, response, "may refresh") };
    sendPage(response, "text/html", proposalsPage(shown), refreshOf(request));
  });
  show(subscriptionsPath, async (request, response) => {
    const caller = callerOf(response);
    const view = subscriptionsView(await administration.subscriptions(caller), caller);
    const shown = { ...view, frame: await frame(options, request, response, "may refresh") };
    sendPage(response, "text/html", subscriptionsPage(shown), refreshOf(request));
  });
  show(connector, (request, response) => sendConnector(options, request, response, nothingGiven));
  return paths;
}

const nothingGiven: FormPage = { problem: [], given: {} };

/** The page of all keys, with the form for a new one. */
export async function sendKeys(options: ViewOptions, request: Request, response: Response, form: FormPage): Promise<void> {
  const view = keysView(await options.administration.callers(callerOf(response)), form.given);
  const given = { ...emptyKey, ...form.given };
  sendPage(response, "text/html", keysPage({ ...view, ...form, given, frame: await frame(options, request, response) }));
}

/** The form for a new connector. */
export async function sendConnector(options: ViewOptions, request: Request, response: Response, form: FormPage): Promise<void> {
  const given = { ...emptyConnector, ...form.given };
  const connectors = options.administration.connectors.map((one) => ({ ...one, chosen: one.name === given["connector"] }));
  sendPage(response, "text/html", connectorPage({ ...form, given, connectors, frame: await frame(options, request, response) }));
}

/**
 * Shows why something could not be done, and notes it for the log, the audit log and the status of the response.
 *
 * @throws the same error, unless the viewer may see it
 */
export async function sendFailure(
  options: ViewOptions,
  request: Request,
  response: Response,
  { thrown, back }: { readonly thrown: unknown; readonly back: string },
): Promise<void> {
  const error = noteFailure(response, thrown);
  const view = { code: error.code, message: error.message, faults: faultsOf(error), back };
  sendPage(response, "text/html", failedPage({ ...view, frame: await frame(options, request, response) }));
}

/** Notes a failure. @throws the same error, unless the viewer may see it */
export function noteFailure(response: Response, thrown: unknown): TenonError {
  const error = asTenonError(thrown);
  if (error.code === "internal") throw thrown;
  traceOf(response).failure = error;
  response.statusCode = error.status;
  if (error.retryAfter !== undefined) response.setHeader("Retry-After", error.retryAfter);
  return error;
}

/** The faults after the first, which is the message of the error itself. */
export function faultsOf({ faults }: TenonError): string[] {
  return faults.slice(1).map(({ pointer, message }) => `${pointer}: ${message}`);
}

// A template names every field, also where nothing was given.
const emptyKey = { name: "", instances: "", workspaces: "", organization: "", entities: "", limits: "", days: "365" };
const emptyConnector = {
  connector: "",
  id: "",
  workspace: "",
  organization: "",
  kind: "",
  later: "",
  rest: "",
  graphql: "",
  variables: "",
  scopes: "",
  minutes: "60",
};

/**
 * What every page shows beside its own.
 *
 * @param refreshes whether the page may be refreshed by itself: a form would lose what somebody has typed
 */
export async function frame(
  options: ViewOptions,
  request: Request,
  response: Response,
  refreshes?: "may refresh",
): Promise<Frame> {
  const { process } = await options.system();
  const now = Date.now();
  const chosen = refreshOf(request);
  const addressOf = (refresh: number) => {
    const query = searchOf(request);
    query.delete("refresh");
    if (refresh > 0) query.set("refresh", String(refresh));
    return query.size === 0 ? request.path : `${request.path}?${query}`;
  };
  return {
    process,
    made: timeOf(now, now),
    // What a form has sent is not sent again.
    here: request.method === "POST" ? "/admin" : addressOf(chosen),
    refreshes: (refreshes === undefined ? [] : refreshTimes).map((seconds) => {
      return { href: addressOf(seconds), text: seconds === 0 ? "off" : `${seconds} s`, chosen: seconds === chosen };
    }),
    may: options.administration.permissions(callerOf(response)),
  };
}

function refreshOf(request: Request): number {
  const given = Number(searchOf(request).get("refresh"));
  return refreshTimes.find((seconds) => seconds === given) ?? 0;
}

async function sightOf({ list }: ViewOptions, grant: Grant): Promise<Sight> {
  const visible = seesAll(grant) ? [] : (await list()).filter((one) => isVisible({ grant }, one));
  return { grant, instances: new Set(visible.map(({ id }) => id)) };
}

function requireAudit({ audit }: ViewOptions): NonNullable<ViewOptions["audit"]> {
  if (audit === undefined) throw new TenonError("unknown_route", "TENON_AUDIT_DAYS is 0, so that no audit log is kept.");
  return audit;
}
