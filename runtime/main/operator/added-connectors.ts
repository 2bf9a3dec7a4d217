import { randomBytes } from "node:crypto";
import { type AccountStore, type SecretKeys, type StoredInstance, sealCredential } from "../../accounts/index.ts";
import { invalidRequest, shown, TenonError } from "../../base/errors.ts";
import { Faults } from "../../base/faults.ts";
import type { Connector } from "../../contract/index.ts";
import { endpointsOf, missingVariables } from "../../execute/index.ts";
import { addressProblem } from "../../platform/address-rules.ts";
import { settingsPlace } from "../../server/instance-of.ts";
import { readScopes } from "../../sync/index.ts";
import { isVariable, type PlatformSettings, variableRule } from "../settings/platform-settings.ts";
import { type GivenCredential, readCredential } from "./read-credential.ts";

/** A connector instance as an operator describes it. */
export interface NewConnector {
  readonly connector: string;
  readonly id: string | undefined;
  readonly workspace: string | undefined;
  readonly organization: string | undefined;
  readonly rest: string | undefined;
  readonly graphql: string | undefined;
  /** Values of the platform's variables, each as `name=value`. */
  readonly variables: readonly string[];
  readonly scopes: readonly string[];
  readonly minutes: number;
  readonly credential: Omit<GivenCredential, "shared">;
}

export interface AddOptions {
  readonly store: AccountStore;
  readonly keys: SecretKeys;
  readonly connectors: readonly Connector[];
  readonly allowPrivate: boolean;
  /** What the settings say of each platform. */
  readonly platforms: Readonly<Record<string, Pick<PlatformSettings, "shared">>>;
}

/** The forms of names that stand in addresses and headers. */
const idForm = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/;
const nameForm = /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/;

/**
 * Checks an instance and stores it with its encrypted credential.
 *
 * @returns its id
 * @throws TenonError as {@link checkedConnector} and {@link storeConnector}
 */
export async function addConnector(options: AddOptions, given: NewConnector): Promise<string> {
  const instance = await checkedConnector(options, given);
  await storeConnector(options, instance);
  return instance.id;
}

/**
 * Checks an instance.
 *
 * @returns it, with its encrypted credential
 * @throws TenonError `invalid_request` that names everything that is wrong, `id_taken`
 */
export async function checkedConnector(
  { store, keys, connectors, allowPrivate, platforms }: AddOptions,
  given: NewConnector,
): Promise<StoredInstance> {
  const faults = new Faults();
  const connector = connectors.find(({ name }) => name === given.connector);
  const names = connectors.map(({ name }) => name);
  if (connector === undefined)
    faults.unknown(
      ["connector"],
      "unknown_connector",
      `There is no connector "${shown(given.connector)}".`,
      given.connector,
      names,
    );
  else readScopes(connector, given.scopes);
  const credential =
    connector === undefined
      ? undefined
      : readCredential(connector, { ...given.credential, shared: platforms[connector.name]?.shared }, faults);
  const { id = `${given.connector}-${randomBytes(4).toString("hex")}`, workspace = settingsPlace.workspace } = given;
  if (!idForm.test(id))
    faults.add(["id"], "wrong_form", "An id has 1 to 64 letters, digits and . _ ~ - and begins with a letter or digit.");
  for (const [name, value] of Object.entries({ workspace, organization: given.organization }))
    if (value !== undefined && !nameForm.test(value))
      faults.add([name], "wrong_form", `${name} has 1 to 100 visible ASCII characters, with spaces between them.`);
  const variables = connector === undefined ? {} : readVariables(connector, given.variables, faults);
  if (connector !== undefined) checkAddresses(connector, given, variables, allowPrivate, faults);
  if (faults.any || credential === undefined) throw invalidRequest(faults.list);
  // The connectors of the settings have the names of their specs as ids.
  if (names.includes(id) || (await store.instance(id)) !== undefined) throw idTaken(id);
  return {
    id,
    connector: given.connector,
    workspace,
    organization: given.organization ?? null,
    rest: given.rest ?? null,
    graphql: given.graphql ?? null,
    variables,
    credential: sealCredential(keys, id, credential),
    scopes: given.scopes,
    minutes: given.minutes,
    createdAt: Date.now(),
    version: 1,
  };
}

/** Stores an instance that was checked. @throws TenonError `id_taken` */
export async function storeConnector({ store }: Pick<AddOptions, "store">, instance: StoredInstance): Promise<void> {
  if (!(await store.addInstance(instance))) throw idTaken(instance.id);
}

function idTaken(id: string): TenonError {
  return new TenonError("id_taken", `The id "${id}" is taken, or was that of a connector which was removed. Choose another one.`);
}

/** Reads values of variables, each written as `name=value`. */
function readVariables(connector: Connector, given: readonly string[], faults: Faults): Record<string, string> {
  const known = connector.platform.variables ?? {};
  const values = new Map<string, string>();
  for (const text of given) {
    const [name = "", ...rest] = text.split("=");
    const value = rest.join("=");
    if (!Object.hasOwn(known, name)) {
      const message = `${connector.title} has no variable "${shown(name)}".`;
      faults.unknown(["variable"], "unknown_variable", message, name, Object.keys(known));
    } else if (values.has(name)) faults.add(["variable", name], "repeated", `The variable "${name}" is given twice.`);
    else if (!isVariable(value)) faults.add(["variable", name], "wrong_form", `The value of "${name}" ${variableRule}.`);
    values.set(name, value);
  }
  for (const name of missingVariables(connector, Object.fromEntries(values)))
    faults.add(["variable", name], "missing", `${connector.title} needs a value: --variable ${name}=… (${known[name]?.doc})`);
  return Object.fromEntries(values);
}

/** Checks the addresses that are given, and those that follow from them and from variables. */
function checkAddresses(
  connector: Connector,
  { rest, graphql }: Pick<NewConnector, "rest" | "graphql">,
  variables: Readonly<Record<string, string>>,
  allowPrivate: boolean,
  faults: Faults,
): void {
  const { platform, title } = connector;
  const check = (place: string, address: string | undefined) => {
    const problem = address === undefined ? undefined : addressProblem(address, allowPrivate);
    if (problem !== undefined) faults.add([place], "bad_address", `The address ${problem}.`);
  };
  check("base-url", rest);
  check("graphql-url", graphql);
  for (const [place, address, api] of [
    ["base-url", rest, platform.rest],
    ["graphql-url", graphql, platform.graphql],
  ] as const)
    if (address !== undefined && api === undefined)
      faults.add([place], "unused", `${title} has no API of this kind, so ${place} has no effect.`);
  if (graphql !== undefined && rest === undefined && platform.rest !== undefined && platform.graphql !== undefined)
    faults.add(
      ["base-url"],
      "missing",
      "base-url is required with graphql-url, because reads and writes must go to the same place.",
    );
  if (faults.any || Object.keys(variables).length === 0) return;
  const endpoints = endpointsOf(connector, { rest, graphql, variables });
  for (const address of [endpoints.rest, endpoints.graphql]) check("variable", address);
}

/** Replaces the credential of an instance. Calls that are under way end with the former one. @throws TenonError `unknown_connector` */
export async function rotateCredential(
  options: Omit<AddOptions, "allowPrivate">,
  id: string,
  given: Omit<GivenCredential, "shared">,
): Promise<void> {
  await storeCredential(options.store, id, await checkedCredential(options, id, given));
}

/** Another credential of an instance, which was checked and is encrypted. */
export interface CheckedCredential {
  readonly kind: string;
  readonly sealed: string;
}

/** Checks another credential of an instance. @throws TenonError `unknown_connector`, `invalid_request` */
export async function checkedCredential(
  { store, keys, connectors, platforms }: Omit<AddOptions, "allowPrivate">,
  id: string,
  given: Omit<GivenCredential, "shared">,
): Promise<CheckedCredential> {
  const { connector: name } = await addedConnector(store, id);
  const connector = connectors.find((one) => one.name === name);
  if (connector === undefined) throw noConnector(id);
  const faults = new Faults();
  const credential = readCredential(connector, { ...given, shared: platforms[name]?.shared }, faults);
  if (credential === undefined) throw invalidRequest(faults.list);
  return { kind: credential.kind, sealed: sealCredential(keys, id, credential) };
}

/** Stores another credential of an instance. @throws TenonError `unknown_connector` */
export async function storeCredential(store: AccountStore, id: string, { sealed }: CheckedCredential): Promise<void> {
  if (!(await store.changeInstance(id, { credential: sealed }))) throw noConnector(id);
}

/** Removes an instance and its credential. @throws TenonError `unknown_connector` */
export async function removeConnector(store: AccountStore, id: string): Promise<void> {
  if (!(await store.removeInstance(id, Date.now()))) throw noConnector(id);
}

/** @throws TenonError `unknown_connector` */
export async function addedConnector(store: AccountStore, id: string): Promise<StoredInstance> {
  const found = await store.instance(id);
  if (found === undefined) throw noConnector(id);
  return found;
}

export function noConnector(id: string): TenonError {
  return new TenonError("unknown_connector", `No connector "${shown(id)}" was added: see \`tenon connector list\`.`);
}
