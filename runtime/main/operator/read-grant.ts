import { type Grant, limitNames, type Right, rights } from "../../accounts/index.ts";
import { invalidRequest, shown } from "../../base/errors.ts";
import { Faults } from "../../base/faults.ts";
import { nearest } from "../../base/text.ts";
import type { Connector } from "../../contract/index.ts";

/** A grant as an operator writes it. An empty list allows everything of its kind, but no right beside `read`. */
export interface GivenGrant {
  readonly right: readonly string[];
  readonly instance: readonly string[];
  readonly workspace: readonly string[];
  readonly organization: string | undefined;
  readonly entity: readonly string[];
  /** Each `name=number`. */
  readonly limit: readonly string[];
}

/**
 * Checks the names of a grant.
 *
 * @param ids of the connectors that were added
 * @throws TenonError `invalid_request` that names every right, connector and entity that does not exist
 */
export function readGrant(connectors: readonly Connector[], ids: readonly string[], given: GivenGrant): Grant {
  const faults = new Faults();
  const found: Right[] = [];
  for (const [index, text] of given.right.entries()) {
    const right = rights.find((one) => one === text);
    if (right === undefined)
      faults.unknown(["right", index], "unknown_right", `There is no right "${shown(text)}".`, text, rights);
    else found.push(right);
  }
  // Those of the settings have the names of their specs as ids.
  const instances = [...connectors.map(({ name }) => name), ...ids];
  for (const [index, text] of given.instance.entries())
    if (!instances.includes(text))
      faults.unknown(["instance", index], "unknown_connector", `There is no connector "${shown(text)}".`, text, instances);
  const entities = [...new Set(connectors.flatMap((connector) => Object.keys(connector.entities)))];
  for (const [index, text] of given.entity.entries())
    if (!entities.includes(text))
      faults.unknown(["entity", index], "unknown_entity", `No connector has an entity "${shown(text)}".`, text, entities);
  const limits: Record<string, number> = {};
  for (const [index, text] of given.limit.entries()) {
    const [name = "", ...values] = text.split("=");
    const value = values.join("=");
    if (!limitNames.some((one) => one === name)) {
      const near = nearest(name, limitNames);
      const meant = near === undefined ? near : near + text.slice(name.length);
      faults.unknown(["limit", index], "unknown_limit", `There is no limit "${shown(name)}".`, name, limitNames, meant);
    } else if (!/^[1-9]\d{0,8}$/.test(value))
      faults.add(["limit", index], "wrong_type", `The limit ${name} takes a whole number from 1: ${name}=100.`);
    else limits[name] = Number(value);
  }
  if (faults.any) throw invalidRequest(faults.list);
  return {
    rights: found.length === 0 ? ["read"] : [...new Set(found)],
    instances: listOrAll(given.instance),
    workspaces: listOrAll(given.workspace),
    organization: given.organization ?? null,
    entities: listOrAll(given.entity),
    ...(given.limit.length === 0 ? {} : { limits }),
  };
}

function listOrAll(given: readonly string[]): readonly string[] | null {
  return given.length === 0 ? null : [...new Set(given)];
}
