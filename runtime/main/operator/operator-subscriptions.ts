import type { Caller } from "../../accounts/index.ts";
import type { ActionContext, Done, FormFields, PageAction, PreparedAction } from "../../admin/index.ts";
import { invalidRequest } from "../../base/errors.ts";
import { Faults } from "../../base/faults.ts";
import type { WebhookSubscription } from "../../contract/index.ts";
import type { Instances } from "../../server/instance-of.ts";
import type { Manager, Subscriptions } from "../../subscriptions/index.ts";
import { done } from "./operator-pages.ts";
import { finder } from "./operator-proposals.ts";

interface Options {
  readonly subscriptions: Subscriptions;
  readonly instances: Instances;
}

type Given = Readonly<Record<string, unknown>>;
type Facts = PreparedAction["facts"];

const page = "/admin/subscriptions";
const content = ["url", "entity", "filter", "fields"] as const;

/** What a caller of the operator's page manages subscriptions with. */
export function managerOf(options: Pick<Options, "instances">, caller: Caller): Manager {
  return { caller, find: finder(options, caller) };
}

/** Manages webhooks to receivers, for the operator's page. */
export function subscriptionActions(options: Options): [string, PageAction][] {
  const { subscriptions } = options;
  const runOf =
    (
      deed: string,
      run: (manager: Manager) => Promise<{ readonly id: string; readonly text: string; readonly secret?: string }>,
    ) =>
    async ({ caller, trace }: ActionContext): Promise<Done> => {
      trace.deed = deed;
      const { id, text, secret } = await run(managerOf(options, caller));
      trace.target = id;
      const secrets = secret === undefined ? [] : [{ label: "The secret that signs its deliveries", value: secret }];
      return done(text, page, { secrets });
    };
  /** An action about a subscription that is there. */
  const about = (
    name: string,
    words: { readonly question: string; readonly verb: string; readonly warning: string },
    run: (id: string, fields: FormFields, manager: Manager) => Promise<{ readonly text: string; readonly secret?: string }>,
    more: (fields: FormFields) => Facts = () => [],
  ): [string, PageAction] => [
    `subscription.${name}`,
    async (caller, fields) => {
      const { id = "" } = fields;
      const found = await subscriptions.get(id, managerOf(options, caller));
      return {
        ...words,
        question: `${words.question} ${id}?`,
        facts: [...factsOf(found), ...more(fields)],
        back: page,
        run: runOf(`subscription.${name}`, async (manager) => ({ id, ...(await run(id, fields, manager)) })),
      };
    },
  ];
  const create: PageAction = async (caller, fields) => {
    const given = { connector_id: fields["connector_id"], ...contentOf(fields) };
    await subscriptions.check(given, managerOf(options, caller));
    return {
      question: `Send changes of ${fields["connector_id"]} to this address?`,
      facts: content.map((name) => ({ name, value: fields[name] === "" ? "all" : (fields[name] ?? "all") })),
      warning: "Its deliveries are signed with a secret that is shown once. They act for you, and end with your key.",
      verb: "Send changes",
      back: page,
      run: runOf("subscription.create", async (manager) => {
        const { id, secret } = await subscriptions.create(given, manager);
        return { id, secret, text: `Changes are sent from now on (${id}).` };
      }),
    };
  };
  const state = (wanted: "active" | "paused") => async (id: string, _fields: FormFields, manager: Manager) => {
    await subscriptions.update(id, { state: wanted }, manager);
    return { text: `${id} is ${wanted}.` };
  };
  return [
    ["subscription.create", create],
    about("pause", { question: "Pause", verb: "Pause", warning: "Its place in the log stays." }, state("paused")),
    about("resume", { question: "Resume", verb: "Resume", warning: "It continues where it stopped." }, state("active")),
    about(
      "update",
      { question: "Change", verb: "Change", warning: "Its place in the log stays." },
      async (id, fields, manager) => {
        const none = { entity: null, filter: null, fields: null };
        await subscriptions.update(id, { ...none, ...contentOf(fields) }, manager);
        return { text: `${id} is changed.` };
      },
      (fields) => content.map((name) => ({ name: `new ${name}`, value: fields[name] === "" ? "all" : (fields[name] ?? "") })),
    ),
    about(
      "rotate",
      { question: "Replace the secret of", verb: "Replace", warning: "The former secret signs too for a day." },
      async (id, _fields, manager) => {
        const { secret } = await subscriptions.rotate(id, {}, manager);
        return { text: `${id} has a new secret.`, secret };
      },
    ),
    about(
      "redeliver",
      { question: "Deliver again with", verb: "Deliver again", warning: "The receiver gets the same webhook-id again." },
      async (id, { from = "", to = "" }, manager) => {
        const given = { from: placeOf(from), ...(to === "" ? {} : { to: placeOf(to) }) };
        await subscriptions.redeliver(id, given, manager);
        return { text: `${id} delivers again.` };
      },
      ({ from = "", to = "" }) => [{ name: "Range", value: `from ${from} to ${to === "" ? "now" : to}` }],
    ),
    about(
      "delete",
      { question: "Delete", verb: "Delete", warning: "A delivery that is under way may still arrive." },
      async (id, _fields, manager) => {
        await subscriptions.remove(id, manager);
        return { text: `${id} is deleted.` };
      },
    ),
  ];
}

/** A sequence number, or else a `webhook-id` or cursor. */
function placeOf(text: string): string | number {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function factsOf({ connector_id, url, owner, state, reason }: WebhookSubscription): Facts {
  return [
    { name: "Connector", value: connector_id },
    { name: "Address", value: url },
    { name: "Owner", value: owner },
    { name: "State", value: reason === null ? state : `${state} (${reason})` },
  ];
}

/** What a form wants to be sent. @throws TenonError `invalid_request` for a filter or fields that are no JSON */
function contentOf(fields: FormFields): Given {
  const faults = new Faults();
  const { url = "", entity = "" } = fields;
  const names = entity.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
  const json = (name: "filter" | "fields"): Given => {
    const text = fields[name]?.trim() ?? "";
    if (text === "") return {};
    try {
      return { [name]: JSON.parse(text) };
    } catch {
      faults.add([name], "wrong_form", `${name} must be JSON.`);
      return {};
    }
  };
  const given = { url: url.trim(), ...(names.length === 0 ? {} : { entity: names }), ...json("filter"), ...json("fields") };
  if (faults.any) throw invalidRequest(faults.list);
  return given;
}
