import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Request, RequestHandler } from "express";
import { shown, TenonError } from "../base/errors.ts";
import type { Edge } from "./edge.ts";

/** Whether a request has several headers `Host`, of which programs may follow different ones (RFC 9112, 3.2). */
export function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count > 1;
}

/**
 * Refuses what a web page of another site sends. The page may have made its own name lead to this service (DNS rebinding): browsers then
 * take the service for the page's own site, but the name is in `Host`. Programs that are no browsers send no `Origin`.
 */
export function onlyOwnPages({ hosts, origins }: Pick<Edge, "hosts" | "origins">): RequestHandler {
  const names = hosts && new Set(hosts.map((name) => name.toLowerCase()));
  return (request, _response, next) => {
    const name = nameOf(request.headers.host ?? "");
    if (names !== undefined && !isOfMachine(name) && !names.has(name))
      throw new TenonError("forbidden", `This address is not available by the name "${shown(name)}". TENON_HOSTS allows names.`);
    if (!isOwnOrigin(request) && !origins.includes(request.headers.origin ?? ""))
      throw new TenonError("forbidden", "Pages of this origin may not use this address. TENON_CORS_ORIGINS allows origins.");
    next();
  };
}

/** The name of a host, without its port. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, "").toLowerCase();
}

/** Whether a host is not looked up in the DNS, so that nobody else can make it lead here. */
function isOfMachine(name: string): boolean {
  return name === "localhost" || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
}

/**
 * Whether a request comes from a page of this service, or from no page. `Sec-Fetch-Site` tells it where a page hides its origin. Behind a
 * proxy that is trusted, `request.host` is the name that the browser has asked for.
 */
function isOwnOrigin({ headers, host }: Request): boolean {
  const { origin } = headers;
  if (origin === undefined || headers["sec-fetch-site"] === "same-origin") return true;
  const asked = URL.canParse(origin) ? new URL(origin).host : "";
  return asked !== "" && (asked === host || asked === headers.host);
}
