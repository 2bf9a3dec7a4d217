import type { RequestHandler, Response } from "express";
import { TenonError } from "../base/errors.ts";
import type { Connector } from "../contract/index.ts";
import type { Answers } from "../server/answers.ts";
import { callerOf } from "../server/callers/bearer.ts";
import { isVisible, type ListedInstance, organizationOf } from "../server/instance-of.ts";
import { searchOf } from "../server/query.ts";

export interface LookupOptions {
  /** All instances that there are now, ordered by id. */
  readonly list: () => Promise<readonly ListedInstance[]>;
  readonly connectors: readonly Connector[];
}

/**
 * `GET /api/v1/integrations/connectors`: the instances that the caller may use in the workspace `workspace_name`. With `definition_id` it
 * is the one instance of that connector, or none.
 */
export function compatConnectorsRoute({ list, connectors }: LookupOptions, answers: Answers): RequestHandler {
  return async (request, response) => {
    const query = searchOf(request);
    const workspace = query.get("workspace_name");
    const definition = query.get("definition_id");
    const inWorkspace = visible(await list(), response).filter((one) => workspace === null || one.workspace === workspace);
    // The client cannot see in a list that a connector is off. After a lookup, it gets the error when it uses the connector.
    const usable = inWorkspace.filter(({ status }) => status !== "off");
    const found = definition === null ? usable : theOne(inWorkspace, nameOf(connectors, definition), organizationOf(request));
    const data = found.map(({ id, connector }) => ({
      id,
      name: id,
      summarized_source_template: { name: connector },
      created_at: null,
      updated_at: null,
    }));
    answers.sendJson(response, { data });
  };
}

/** `GET /api/v1/workspaces`: the workspaces of the instances that the caller may use. A workspace has no id but its name. */
export function compatWorkspacesRoute({ list }: Pick<LookupOptions, "list">, answers: Answers): RequestHandler {
  return async (request, response) => {
    const part = searchOf(request).get("name_contains") ?? "";
    const names = new Set(visible(await list(), response).map(({ workspace }) => workspace));
    const data = [...names].filter((name) => name.includes(part)).map((name) => ({ id: name, name }));
    answers.sendJson(response, { data });
  };
}

/**
 * The client always names an organization of the other service if its user gave one, so that it counts only where our caller belongs to an
 * organization itself.
 *
 * @throws TenonError `forbidden` for another organization than the caller's
 */
export const checkOrganization: RequestHandler = (request, response, next) => {
  const { organization } = callerOf(response).grant;
  const named = organizationOf(request);
  if (organization === null || named === undefined || named === organization) next();
  else
    next(new TenonError("forbidden", "This client belongs to another organization than the one that X-Organization-Id names."));
};

function visible(all: readonly ListedInstance[], response: Response): readonly ListedInstance[] {
  const { grant } = callerOf(response);
  return all.filter((one) => isVisible({ grant }, one));
}

/**
 * The client can use only one instance of a connector in a workspace. Where there are several, those of the named organization come before
 * others, those that can be used before others, and the one from the settings before those that were added.
 */
function theOne(
  all: readonly ListedInstance[],
  connector: string | undefined,
  organization: string | undefined,
): readonly ListedInstance[] {
  const preferred: readonly ((one: ListedInstance) => boolean)[] = [
    (one) => one.organization === organization,
    (one) => one.status !== "off",
    (one) => one.id === one.connector,
  ];
  const found = all.filter((one) => one.connector === connector);
  return preferred.reduce((left, is) => (left.some(is) ? left.filter(is) : left), found).slice(0, 1);
}

function nameOf(connectors: readonly Connector[], definition: string): string | undefined {
  return connectors.find(({ compat }) => compat?.definitionId === definition.toLowerCase())?.name;
}
