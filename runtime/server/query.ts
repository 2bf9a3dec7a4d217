import type { Request } from "express";
import { invalidRequest, shown } from "../base/errors.ts";
import { type FaultPath, Faults } from "../base/faults.ts";

/** What stands behind the `?` of an address. The rest of it may name any host, or be no address at all. */
export function searchOf({ url }: Pick<Request, "url">): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}

/**
 * The parameters in the address of a request.
 *
 * @param at the place of all of them, for faults
 * @throws TenonError `invalid_request` for one that comes several times: any choice among its values would be silent
 */
export function queryOf(request: Pick<Request, "url">, at: FaultPath = []): Readonly<Record<string, string>> {
  const pairs = [...searchOf(request)];
  const found = new Map(pairs);
  if (found.size === pairs.length) return Object.fromEntries(found);
  const faults = new Faults();
  for (const name of found.keys())
    if (pairs.filter(([one]) => one === name).length > 1)
      faults.add([...at, name], "duplicate_member", `The address has the parameter "${shown(name)}" several times.`);
  throw invalidRequest(faults.list);
}
