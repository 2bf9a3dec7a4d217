import type { Request, RequestHandler } from "express";
import { invalidRequest, shown } from "../../base/errors.ts";
import { type FaultPath, Faults } from "../../base/faults.ts";
import type { Answers } from "../answers.ts";
import { callerOf } from "../callers/bearer.ts";
import { isVisible, type ListedInstance, organizationOf } from "../instance-of.ts";
import { queryOf } from "../query.ts";

/** Parameters of the query, and the member of an entry that each one is compared with. */
const filters = { workspace_name: "workspace_name", connector: "connector" } as const;

/**
 * `GET /api/v1/integrations/connectors`: the instances that the caller may use, ordered by id. `workspace_name` and `connector` in the
 * query, and the header `X-Organization-Id`, leave only those that fit. Several pages are not needed: an operator adds instances one by
 * one.
 */
export function connectorsRoute(list: () => Promise<readonly ListedInstance[]>, answers: Answers): RequestHandler {
  return async (request, response) => {
    const looker = { grant: callerOf(response).grant, organization: organizationOf(request) };
    const wanted = filtersOf(request);
    const visible = (await list()).filter((one) => isVisible(looker, one));
    const entries = visible.map(({ id, connector, title, workspace, organization, status, simulated }) => ({
      id,
      connector,
      title,
      workspace_name: workspace,
      organization_id: organization,
      status,
      ...(simulated === undefined ? {} : { simulated }),
    }));
    const data = entries.filter((entry) => wanted.every(([member, value]) => entry[member] === value));
    answers.sendJson(response, { data, meta: {} });
  };
}

type Filter = readonly [member: (typeof filters)[keyof typeof filters], value: string];

/** @throws TenonError `invalid_request` for a parameter that does not exist */
function filtersOf(request: Request): Filter[] {
  const query = Object.entries(queryOf(request, ["query"]));
  const faults = new Faults();
  const found: Filter[] = [];
  const names = Object.keys(filters);
  for (const [name, value] of query) {
    const at: FaultPath = ["query", name];
    if (Object.hasOwn(filters, name)) found.push([filters[name as keyof typeof filters], value]);
    else faults.unknown(at, "unknown_param", `The list of connectors has no parameter "${shown(name)}".`, name, names);
  }
  if (faults.any) throw invalidRequest(faults.list);
  return found;
}
