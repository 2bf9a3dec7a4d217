import type { Request, Response } from "express";
import { sessionTime } from "./sessions.ts";

const name = "tenon_admin";

/** The id of the session that a request names. */
export function sessionOf({ headers }: Request): string | undefined {
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/**
 * Lets the browser keep the id of a session (RFC 6265bis). No script reads it, no request from another site carries it, and over TLS it is
 * never sent without TLS.
 */
export function keepSession(request: Request, response: Response, id: string): void {
  response.setHeader("Set-Cookie", cookie(request, id, sessionTime / 1000));
}

export function dropSession(request: Request, response: Response): void {
  response.setHeader("Set-Cookie", cookie(request, "", 0));
}

function cookie({ secure }: Request, value: string, seconds: number): string {
  return [
    `${name}=${value}`,
    "Path=/admin",
    `Max-Age=${seconds}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(secure ? ["Secure"] : []),
  ].join("; ");
}
