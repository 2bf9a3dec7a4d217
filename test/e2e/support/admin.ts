import { expect } from "vitest";
import { apiKey, expectNoSecret, type Tenon } from "./service.ts";

// The operator's page, as a browser without scripts uses it.

export interface Visit {
  readonly form?: Readonly<Record<string, string>>;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser in short: it keeps one cookie and follows nothing. */
export async function visit({ url }: Pick<Tenon, "url">, method: string, path: string, options: Visit = {}) {
  const { form, cookie = "", headers = {} } = options;
  const own = method === "POST" ? { origin: url } : {};
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: "manual",
    headers: { ...own, cookie, ...headers },
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
  });
  const text = (await response.text()).replaceAll("&#x3D;", "=");
  expectNoSecret(text);
  const set = response.headers.get("set-cookie") ?? "";
  return { status: response.status, text, headers: response.headers, set, cookie: set.split(";")[0] ?? "" };
}

export const logIn = (tenon: Pick<Tenon, "url">, key = apiKey) => visit(tenon, "POST", "/admin/login", { form: { key } });

/** A page, for whoever has the key. */
export async function page(tenon: Pick<Tenon, "url">, key = apiKey, path = "/admin"): Promise<string> {
  const { cookie } = await logIn(tenon, key);
  const shown = await visit(tenon, "GET", path, { cookie });
  expect(shown.status).toBe(200);
  return shown.text;
}

/** Sends a form that changes something, and gives the page that asks for a confirmation. */
export function ask(tenon: Pick<Tenon, "url">, cookie: string, action: string, form: Readonly<Record<string, string>>) {
  return visit(tenon, "POST", `/admin/actions/${action}`, { cookie, form });
}

/** The token of a page that asks for a confirmation. */
export function tokenIn(text: string): string {
  return /name="token" value="([\w-]{43})"/.exec(text)?.[1] ?? "";
}

/** Does something: sends its form, and then the form of its confirmation. */
export async function act(tenon: Pick<Tenon, "url">, cookie: string, action: string, form: Readonly<Record<string, string>>) {
  const asked = await ask(tenon, cookie, action, form);
  expect([asked.status, asked.text.match(/role="alert">[^<]*/)?.[0]]).toEqual([200, undefined]);
  return visit(tenon, "POST", "/admin/confirm", { cookie, form: { token: tokenIn(asked.text) } });
}
