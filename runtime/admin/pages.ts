import { readFileSync } from "node:fs";
import type { Response } from "express";
import Handlebars from "handlebars";
import { visibleText } from "../base/visible-text.ts";
import type { Overview } from "./overview.ts";

/** What the page for logging in says about the last attempt: at most one sentence. */
export interface LoginView {
  readonly problem: readonly string[];
}

const read = (name: string) => readFileSync(new URL(`templates/${name}`, import.meta.url), "utf8");
// With `strict`, a misspelled name in a template is an error. Handlebars escapes every value for HTML.
const handlebars = Handlebars.create();
for (const name of ["head", "call", "time"])
  handlebars.registerPartial(name, handlebars.compile(read(`${name}.hbs`), { strict: true }));

export const overviewPage = handlebars.compile<Overview>(read("overview.hbs"), { strict: true });
export const loginPage = handlebars.compile<LoginView>(read("login.hbs"), { strict: true });
export const style = read("admin.css");

/** Nothing but the page's own style is loaded, no script runs, forms go to the page itself, and nothing may show it in a frame. */
const policy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Sends a page or its style, with only visible characters. Nothing of it is kept by a browser or a proxy. */
export function sendPage(response: Response, type: "text/html" | "text/css", given: string): void {
  const text = visibleText(given);
  response.writeHead(response.statusCode, {
    "X-Request-Id": String(response.locals["requestId"]),
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": policy,
    // With `no-referrer`, browsers would not say from where a form comes.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}
