import type { Credential } from "../../accounts/index.ts";
import { shown } from "../../base/errors.ts";
import type { Faults } from "../../base/faults.ts";
import type { AuthKind, Connector } from "../../contract/index.ts";
import { sharedNames, valueProblem } from "../settings/platform-settings.ts";

export interface GivenCredential {
  /** One value, or a JSON object with the values by their names and, where the platform has several kinds that fit, `kind`. */
  readonly text: string;
  /** The kind, where it is given beside the credential. */
  readonly kind?: string | undefined;
  /** By kind: values of the settings, which need not be given. */
  readonly shared?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** A user authorizes the connector later, so that no refresh token is given. */
  readonly later?: boolean;
}

/**
 * Reads a credential as an operator writes it.
 *
 * @returns undefined when it is wrong, and then a fault was added; no fault shows a value
 */
export function readCredential({ title, platform }: Connector, given: GivenCredential, faults: Faults): Credential | undefined {
  const { kinds } = platform.auth;
  const { kind: asked, shared = {}, later = false } = given;
  const text = given.text.trim();
  const forms = kinds.map(({ name, values }) => `${name} (${Object.keys(values).join(", ")})`);
  const wrong = (message: string) => faults.add(["credential"], "wrong_form", `${message} ${title} takes: ${forms.join("; ")}.`);
  const isKind = (name: string) => kinds.some((one) => one.name === name);
  if (asked !== undefined && !isKind(asked)) return wrong(`There is no kind of credential "${shown(asked)}".`);
  const own = (kind: AuthKind) => Object.keys(kind.values).filter((name) => !sharedNames(kind).includes(name));
  if (!text.startsWith("{") && !later) {
    const kind = kinds.find((one) => (asked ?? one.name) === one.name && own(one).length === 1 && hasShared(one, [], shared));
    if (kind === undefined) return wrong("The credential must be a JSON object with several values.");
    if (!isValue(text) || /\s/.test(text))
      return wrong("The credential must be one value of visible ASCII characters without spaces.");
    return { kind: kind.name, values: { [own(kind)[0] ?? ""]: text } };
  }
  const members = membersOf(text === "" ? "{}" : text);
  if (members === undefined) return wrong("The credential must be a JSON object of strings.");
  const { kind: told, ...values } = members;
  const wanted = asked ?? told;
  if (wanted !== undefined && !isKind(wanted)) return wrong(`There is no kind of credential "${shown(wanted)}".`);
  if (told !== undefined && told !== wanted) return wrong(`The credential is of another kind than "${asked}".`);
  const names = Object.keys(values);
  const fits = (kind: AuthKind) =>
    names.every((name) => Object.hasOwn(kind.values, name)) &&
    own(kind).every((name) => names.includes(name) || (later && name === "refresh_token")) &&
    hasShared(kind, names, shared);
  const kind = kinds.find((one) => (wanted ?? one.name) === one.name && (!later || one.grant?.by === "oauth") && fits(one));
  if (kind === undefined)
    return wrong(
      later
        ? "No user can authorize it: the id and the secret of a client are missing, or the platform has no page for it."
        : "The credential does not have the values of any kind.",
    );
  for (const [name, value] of Object.entries(values)) {
    const problem = kind.grant === undefined ? undefined : valueProblem(kind, name, value);
    if (problem !== undefined) return wrong(`The value "${name}" ${problem}.`);
    if (kind.grant === undefined && !isValue(value))
      return wrong("Each value must have 1 to 4096 visible ASCII characters or spaces.");
  }
  return { kind: kind.name, values };
}

/** Whether the values that belong to an app are all given, or all in the settings. */
function hasShared(kind: AuthKind, given: readonly string[], shared: NonNullable<GivenCredential["shared"]>): boolean {
  const names = sharedNames(kind);
  const own = names.filter((name) => given.includes(name));
  return own.length === names.length || (own.length === 0 && shared[kind.name] !== undefined);
}

function membersOf(text: string): Record<string, string> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const isStrings =
      typeof parsed === "object" && parsed !== null && Object.values(parsed).every((one) => typeof one === "string");
    return isStrings ? (parsed as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}

function isValue(text: string): boolean {
  return /^[\x20-\x7e]{1,4096}$/.test(text);
}
