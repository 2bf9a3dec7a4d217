import type { Request } from "express";
import { TenonError } from "../base/errors.ts";

/**
 * Refuses a form that a page of another site has sent. Browsers say from where a form comes in `Sec-Fetch-Site` (Fetch Metadata), or at
 * least in `Origin` (Fetch standard), and no page can change either. A request with neither is refused too.
 *
 * @throws TenonError `forbidden`
 */
export function requireSameOrigin(request: Request): void {
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  const isOwn = site === undefined ? isOwnOrigin(request, origin) : site === "same-origin";
  if (!isOwn) throw new TenonError("forbidden", "This form can only be sent from the page itself.");
}

/** Behind a proxy that is trusted, `request.host` is the name that the browser has asked for. */
function isOwnOrigin({ host }: Request, origin: string | undefined): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
