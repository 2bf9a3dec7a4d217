import type { Credential } from "../accounts/index.ts";
import { shown } from "../base/errors.ts";
import type { Faults } from "../base/faults.ts";
import type { Connector } from "../contract/index.ts";

/**
 * Reads a credential as an operator writes it: the value alone, where the platform takes a credential of one value, or a JSON object with
 * the values by their names and, where the platform has several kinds that fit, `kind`.
 *
 * @param asked the kind, where it is told beside the credential
 * @returns undefined when it is wrong, and then a fault was added; no fault shows a value
 */
export function readCredential(
  { title, platform }: Connector,
  given: string,
  faults: Faults,
  asked?: string,
): Credential | undefined {
  const { kinds } = platform.auth;
  const text = given.trim();
  const forms = kinds.map(({ name, values }) => `${name} (${Object.keys(values).join(", ")})`);
  const wrong = (message: string) => faults.add(["credential"], "wrong_form", `${message} ${title} takes: ${forms.join("; ")}.`);
  const isKind = (name: string) => kinds.some((one) => one.name === name);
  if (asked !== undefined && !isKind(asked)) return wrong(`There is no kind of credential "${shown(asked)}".`);
  if (!text.startsWith("{")) {
    const kind = kinds.find(({ name, values }) => (asked ?? name) === name && Object.keys(values).length === 1);
    if (kind === undefined) return wrong("The credential must be a JSON object with several values.");
    if (!isValue(text) || /\s/.test(text))
      return wrong("The credential must be one value of visible ASCII characters without spaces.");
    return { kind: kind.name, values: Object.fromEntries(Object.keys(kind.values).map((name) => [name, text])) };
  }
  const members = membersOf(text);
  if (members === undefined) return wrong("The credential must be a JSON object of strings.");
  const { kind: told, ...values } = members;
  const wanted = asked ?? told;
  if (wanted !== undefined && !isKind(wanted)) return wrong(`There is no kind of credential "${shown(wanted)}".`);
  if (told !== undefined && told !== wanted) return wrong(`The credential says that it is of another kind than "${asked}".`);
  const names = Object.keys(values).sort().join();
  const kind = kinds.find((one) => (wanted ?? one.name) === one.name && Object.keys(one.values).sort().join() === names);
  if (kind === undefined) return wrong("The credential does not have the values of any kind.");
  if (!Object.values(values).every(isValue)) return wrong("Each value must have 1 to 4096 visible ASCII characters or spaces.");
  return { kind: kind.name, values };
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
