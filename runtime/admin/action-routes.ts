import type { Request, RequestHandler, Router } from "express";
import type { AuditLog } from "../accounts/index.ts";
import { TenonError } from "../base/errors.ts";
import { callerOf } from "../server/callers/bearer.ts";
import { whileOpen } from "../server/callers/while-open.ts";
import type { Gate } from "../server/gate.ts";
import { strangerForm } from "../server/intake/body.ts";
import { auditEntry } from "../server/monitoring/access-log.ts";
import { traceOf } from "../server/monitoring/trace.ts";
import type { FormFields } from "./actions.ts";
import { confirmPage, donePage, sendPage } from "./pages.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { sessionOf } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";
import { subscriptionsPath } from "./subscriptions.ts";
import { faultsOf, frame, noteFailure, sendConnector, sendFailure, sendKeys, type ViewOptions } from "./view-routes.ts";

export interface ActionRoutesOptions extends ViewOptions {
  readonly gate: Pick<Gate, "working" | "most" | "arrival" | "place" | "hold">;
  /** Absent where no audit log is kept. */
  readonly log: Pick<AuditLog, "keep"> | undefined;
}

const action = "/admin/actions/:action";
const confirm = "/admin/confirm";
/** Bytes of a form: the private key of an app is the longest of what it has. */
const mostBytes = 32 * 1024;
/** Fields that are never shown again. */
const secretFields = ["credential"];

/**
 * The forms that change something. Each is checked first, and answered with a page that says what will be done; it is done when the form of
 * that page comes, which has a token that counts once. So nothing is done that its viewer has not seen.
 *
 * @param known lets only admitted callers through
 * @returns the addresses
 */
export function actionRoutes(
  router: Router,
  options: ActionRoutesOptions,
  sessions: Sessions,
  known: readonly RequestHandler[],
): readonly string[] {
  const { administration, gate, log } = options;
  const form = strangerForm(mostBytes);
  const own: RequestHandler = (request, _response, next) => {
    requireSameOrigin(request);
    next();
  };

  router.post(action, ...known, own, form, gate.place, async (request, response): Promise<void> => {
    const name = String(request.params["action"]);
    const prepare = administration.actions.get(name);
    if (prepare === undefined) throw new TenonError("unknown_route", "There is nothing at this address.");
    const fields = fieldsOf(request);
    try {
      const { run, ...view } = await prepare(callerOf(response), fields);
      const token = sessions.propose(sessionOf(request) ?? "", { ...view, run });
      sendPage(response, "text/html", confirmPage({ ...view, token, frame: await frame(options, request, response) }));
    } catch (thrown) {
      traceOf(response).deed = name;
      const back = backOf(name, fields);
      if (!["connector.add", "key.create", "client.create"].includes(name))
        return sendFailure(options, request, response, { thrown, back });
      const error = noteFailure(response, thrown);
      const page = { problem: [error.message, ...faultsOf(error)], given: shownAgain(fields) };
      if (name === "connector.add") await sendConnector(options, request, response, page);
      else await sendKeys(options, request, response, page);
    }
  });

  router.post(confirm, ...known, own, form, gate.place, async (request, response) => {
    const prepared = sessions.confirmed(sessionOf(request) ?? "", fieldsOf(request)["token"] ?? "");
    const caller = callerOf(response);
    const trace = traceOf(response);
    try {
      if (prepared === undefined)
        throw new TenonError(
          "invalid_request",
          "This was confirmed already, or another confirmation came in between. Begin again.",
        );
      const done = await gate.hold(prepared.run({ caller, trace, signal: whileOpen(response) }));
      if (!trace.isAudited) await log?.keep(auditEntry(trace, caller.id, String(response.locals["requestId"]), "done"));
      trace.isAudited = true;
      sendPage(response, "text/html", donePage({ ...done, frame: await frame(options, request, response) }));
    } catch (thrown) {
      await sendFailure(options, request, response, { thrown, back: prepared?.back ?? "/admin" });
    }
  });
  return [action, confirm];
}

/** What `formOf` has read: an object of strings. */
function fieldsOf({ body }: Request): FormFields {
  const given: unknown = body;
  if (typeof given !== "object" || given === null) return {};
  return Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === "string"));
}

function shownAgain(fields: FormFields): FormFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !secretFields.includes(name)));
}

function backOf(name: string, { instance }: FormFields): string {
  if (name.startsWith("subscription.")) return subscriptionsPath;
  return instance === undefined ? "/admin/keys" : `/admin/instances/${encodeURIComponent(instance)}`;
}
