import { readFileSync } from "node:fs";
import type { Response } from "express";
import Handlebars from "handlebars";
import { visibleText } from "../base/visible-text.ts";
import type { ConnectorForm, Done, Permissions, PreparedAction, WaitingWrite } from "./actions.ts";
import type { CallPage } from "./call-page.ts";
import type { CallsView } from "./calls.ts";
import type { InstanceView } from "./instance-view.ts";
import type { KeysView } from "./keys.ts";
import type { Overview } from "./overview.ts";
import type { SubscriptionsView } from "./subscriptions.ts";
import type { ShownTime } from "./words.ts";

/** What the page for logging in says about the last attempt: at most one sentence. */
export interface LoginView {
  readonly problem: readonly string[];
  /** Where its form goes, with the page that was requested. */
  readonly action: string;
}

/** What every page shows beside its own. */
export interface Frame {
  readonly process: string;
  readonly made: readonly ShownTime[];
  /** The address of the page, and its refreshes: the present one has no link. */
  readonly here: string;
  readonly refreshes: readonly { readonly href: string; readonly text: string; readonly chosen: boolean }[];
  readonly may: Permissions;
}

/** One instance, with what can be done about it. */
export interface InstancePage {
  readonly instance: InstanceView;
  /** Whether it was added, so that it has a credential of its own. */
  readonly added: boolean;
  readonly callsHref: string;
  readonly kinds: readonly string[];
}

/** The form for a new connector or key, with what was given last. A secret is never among it. */
export interface FormPage {
  readonly problem: readonly string[];
  readonly given: Readonly<Record<string, string>>;
}

export interface ConnectorPage extends FormPage {
  readonly connectors: readonly (ConnectorForm & { readonly chosen: boolean })[];
}

/** Something that could not be done. */
export interface FailedPage {
  readonly message: string;
  readonly faults: readonly string[];
  readonly code: string;
  readonly back: string;
}

const read = (name: string) => readFileSync(new URL(`templates/${name}`, import.meta.url), "utf8");
// With `strict`, a misspelled name in a template is an error. Handlebars escapes every value for HTML.
interface ProposalsPage {
  readonly proposals: readonly (WaitingWrite & { readonly expires: readonly ShownTime[]; readonly mayDecide: boolean })[];
  readonly none: readonly string[];
}

const handlebars = Handlebars.create();
for (const name of ["head", "bar", "call", "time", "scope", "trouble"])
  handlebars.registerPartial(name, handlebars.compile(read(`${name}.hbs`), { strict: true }));

function page<View>(name: string): (view: View) => string {
  return handlebars.compile<View>(read(`${name}.hbs`), { strict: true });
}

export const overviewPage = page<Overview & { readonly frame: Frame }>("overview");
export const instancePage = page<InstancePage & { readonly frame: Frame }>("instance");
export const callsPage = page<CallsView & { readonly frame: Frame }>("calls");
export const callPage = page<CallPage & { readonly frame: Frame }>("call-page");
export const keysPage = page<KeysView & FormPage & { readonly frame: Frame }>("keys");
export const proposalsPage = page<ProposalsPage & { readonly frame: Frame }>("proposals");
export const subscriptionsPage = page<SubscriptionsView & { readonly frame: Frame }>("subscriptions");
export const connectorPage = page<ConnectorPage & { readonly frame: Frame }>("connector");
export const confirmPage = page<Omit<PreparedAction, "run"> & { readonly token: string; readonly frame: Frame }>("confirm");
export const donePage = page<Done & { readonly frame: Frame }>("done");
export const failedPage = page<FailedPage & { readonly frame: Frame }>("failed");
export const loginPage = page<LoginView>("login");
export const style = read("admin.css");

/** Nothing but the page's own style is loaded, no script runs, forms go to the page itself, and nothing may show it in a frame. */
const policy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Sends a page or its style, with only visible characters. Nothing of it is kept by a browser or a proxy.
 *
 * @param refresh seconds after which a browser asks for the page again; 0 for never
 */
export function sendPage(response: Response, type: "text/html" | "text/css", given: string, refresh = 0): void {
  const text = visibleText(given);
  response.writeHead(response.statusCode, {
    "X-Request-Id": String(response.locals["requestId"]),
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": policy,
    // With `no-referrer`, browsers would not say from where a form comes.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
    ...(refresh === 0 ? {} : { Refresh: String(refresh) }),
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}
