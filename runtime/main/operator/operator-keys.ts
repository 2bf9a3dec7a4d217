import {
  type AccountStore,
  type Caller,
  type CallerKind,
  type CallerLimits,
  canonical,
  checkCallerName,
  checkFreeName,
  createCaller,
  type Grant,
  limitNames,
  type MadeCaller,
  nameOfNew,
  revokeCaller,
  rights,
  rotateSecret,
  type SecretKeys,
  type StoredCaller,
  seesInstance,
} from "../../accounts/index.ts";
import type { FormFields, PageAction } from "../../admin/index.ts";
import { invalidRequest, TenonError } from "../../base/errors.ts";
import type { Connector } from "../../contract/index.ts";
import { done, linesOf } from "./operator-pages.ts";
import { readGrant } from "./read-grant.ts";

interface Options {
  readonly store: AccountStore;
  readonly keys: SecretKeys;
  readonly connectors: readonly Connector[];
}

const keysPage = "/admin/keys";
const day = 86_400_000;

/** Creates, rotates and revokes keys and clients, for the operator's page. Nobody gives more than the caller has who does it. */
export function keyActions(options: Options): [string, PageAction][] {
  const { store } = options;
  const kinds = ["key", "client"] as const satisfies readonly CallerKind[];
  return kinds.flatMap((kind): [string, PageAction][] => [
    [`${kind}.create`, createAction(options, kind)],
    [`${kind}.rotate`, rotateAction(options, kind)],
    [
      `${kind}.revoke`,
      async ({ grant }, { id = "" }) => {
        const found = await seenCaller(store, kind, id, grant);
        return {
          question: `Revoke the ${kind} ${found.name}?`,
          facts: factsOf(found),
          warning: "It is refused at once, and cannot be made valid again.",
          verb: "Revoke",
          back: keysPage,
          run: async ({ trace }) => {
            trace.deed = `${kind}.revoke`;
            trace.target = id;
            await revokeCaller(store, kind, id);
            return done(`The ${kind} ${found.name} (${id}) is refused from now on.`, keysPage);
          },
        };
      },
    ],
  ]);
}

/** @throws TenonError `unknown_caller` for one that is not there, is revoked, or may not be seen */
async function seenCaller(store: AccountStore, kind: CallerKind, id: string, by: Grant): Promise<StoredCaller> {
  const found = await store.caller(id);
  if (found?.kind !== kind || found.revokedAt !== null || !seesCaller(by, found))
    throw new TenonError("unknown_caller", `There is no such ${kind}, or it is revoked already.`);
  return found;
}

function factsOf({ id, grant }: StoredCaller) {
  return [
    { name: "Id", value: id },
    { name: "Rights", value: grant.rights.join(", ") },
  ];
}

/** Whoever rotates a key has its new secret, so that the key must not allow more than the one that rotates it, nor for longer. */
function rotateAction({ store, keys }: Options, kind: CallerKind): PageAction {
  return async (caller, { id = "" }) => {
    const found = await seenCaller(store, kind, id, caller.grant);
    const own = (await store.caller(caller.id))?.expiresAt ?? Number.POSITIVE_INFINITY;
    const isWithin = canonical(bounded(found.grant, caller.grant)) === canonical(found.grant);
    if (!isWithin || (found.expiresAt ?? Number.POSITIVE_INFINITY) > own)
      throw new TenonError(
        "forbidden",
        `This ${kind} may do more, or for longer, than your own key, which therefore cannot rotate it.`,
      );
    return {
      question: `Replace the secret of the ${kind} ${found.name}?`,
      facts: [...factsOf(found), { name: "Former secret", value: "valid for 24 more hours" }],
      warning: `The new secret is shown once, on the next page. To end the former one at once, use tenon ${kind} rotate ${id} --overlap 0h.`,
      verb: "Replace the secret",
      back: keysPage,
      run: async ({ trace }) => {
        trace.deed = `${kind}.rotate`;
        trace.target = id;
        const made = await rotateSecret(store, keys, kind, id, day);
        return done(`The ${kind} ${found.name} has a new secret. Copy it now: it is not shown again.`, keysPage, {
          secrets: secretsOf(made),
        });
      },
    };
  };
}

/** What the new caller sends, as the page shows it once. */
function secretsOf({ caller: { id, kind }, secret }: MadeCaller) {
  return kind === "key"
    ? [{ label: "Key", value: secret }]
    : [
        { label: "Client id", value: id },
        { label: "Client secret", value: secret },
      ];
}

function createAction({ store, keys, connectors }: Options, kind: CallerKind): PageAction {
  return async (caller, fields) => {
    checkCallerName(fields["name"] ?? "");
    const name = nameOfNew(fields["name"] ?? "", caller);
    checkCallerName(name);
    await checkFreeName(store, name);
    // An instance that the caller does not see does not exist for it.
    const ids = (await store.instances()).filter((one) => seesInstance(caller.grant, one)).map(({ id }) => id);
    const grant = bounded(readGrant(connectors, ids, givenGrant(fields)), caller.grant);
    const expiresAt = await expiryOf(fields, caller, store);
    return {
      question: `Create the ${kind} ${name}?`,
      facts: [
        { name: "Rights", value: grant.rights.join(", ") },
        { name: "Instances", value: shownList(grant.instances) },
        { name: "Workspaces", value: shownList(grant.workspaces) },
        { name: "Organization", value: grant.organization ?? "all" },
        { name: "Entities", value: shownList(grant.entities) },
        {
          name: "Limits",
          value: Object.entries(grant.limits ?? {})
            .map(([limit, value]) => `${limit}=${value}`)
            .join(", "),
        },
        { name: "Valid until", value: expiresAt === null ? "it is revoked" : new Date(expiresAt).toISOString() },
      ].filter(({ value }) => value !== ""),
      warning: "Its secret is shown once, on the next page.",
      verb: `Create the ${kind}`,
      back: keysPage,
      run: async ({ trace }) => {
        trace.deed = `${kind}.create`;
        // It may have been given away since the form was checked.
        await checkFreeName(store, name);
        const made = await createCaller(store, keys, { kind, name, grant, expiresAt });
        trace.target = made.caller.id;
        return done(`The ${kind} ${name} is created. Copy it now: it is not shown again.`, keysPage, {
          secrets: secretsOf(made),
        });
      },
    };
  };
}

function givenGrant(fields: FormFields) {
  return {
    // A form has each field once, so that every right has one of its own.
    right: rights.filter((right) => fields[`right.${right}`] === "on"),
    instance: linesOf(fields["instances"]),
    workspace: linesOf(fields["workspaces"]),
    organization: fields["organization"]?.trim() || undefined,
    entity: linesOf(fields["entities"]),
    limit: linesOf(fields["limits"]),
  };
}

/**
 * A grant as far as another one allows it. Lists that are not given become those of the other one, and so do limits.
 *
 * @throws TenonError `forbidden` when it asks for more
 */
function bounded(grant: Grant, by: Grant): Grant {
  const beyond = (what: string): never => {
    throw new TenonError("forbidden", `Your own key does not allow ${what}, so that no key with more can be made with it.`);
  };
  const lacking = grant.rights.filter((right) => !by.rights.includes(right));
  if (lacking.length > 0) beyond(`the right ${lacking.join(", ")}`);
  const list = (name: "instances" | "workspaces" | "entities") => {
    const [given, own] = [grant[name], by[name]];
    if (own === null) return given;
    return given === null || given.every((one) => own.includes(one)) ? (given ?? own) : beyond(`all of these ${name}`);
  };
  const organization = by.organization === null ? grant.organization : (grant.organization ?? by.organization);
  if (by.organization !== null && organization !== by.organization) beyond("this organization");
  const limits = smaller(grant.limits, by.limits);
  return {
    rights: grant.rights,
    instances: list("instances"),
    workspaces: list("workspaces"),
    organization,
    entities: list("entities"),
    ...(limits === undefined ? {} : { limits }),
  };
}

function smaller(given: CallerLimits | undefined, own: CallerLimits | undefined): CallerLimits | undefined {
  if (own === undefined) return given;
  const least = limitNames.flatMap((name) => {
    const both = [given?.[name], own[name]].filter((limit) => limit !== undefined);
    return both.length === 0 ? [] : [[name, Math.min(...both)] as const];
  });
  return Object.fromEntries(least);
}

/** When a new key ends: not later than the one that makes it. @throws TenonError `invalid_request` */
async function expiryOf({ days = "365" }: FormFields, caller: Caller, store: AccountStore): Promise<number | null> {
  if (days !== "never" && !/^[1-9]\d{0,3}$/.test(days))
    throw invalidRequest([
      { pointer: "/days", code: "wrong_form", message: 'The days are a whole number from 1 to 9999, or "never".' },
    ]);
  const wanted = days === "never" ? Number.POSITIVE_INFINITY : Date.now() + Number(days) * day;
  const own = (await store.caller(caller.id))?.expiresAt ?? Number.POSITIVE_INFINITY;
  const earliest = Math.min(wanted, own);
  return Number.isFinite(earliest) ? earliest : null;
}

function shownList(list: readonly string[] | null): string {
  return list === null ? "all" : list.join(", ");
}

/** Whether a key or a client is among those that somebody may see and revoke: it can be used for nothing that the other cannot see. */
export function seesCaller(by: Grant, { grant }: StoredCaller): boolean {
  const within = (given: readonly string[] | null, own: readonly string[] | null) =>
    own === null || given?.every((one) => own.includes(one)) === true;
  return (
    within(grant.instances, by.instances) &&
    within(grant.workspaces, by.workspaces) &&
    within(grant.entities, by.entities) &&
    (by.organization === null || grant.organization === by.organization)
  );
}
