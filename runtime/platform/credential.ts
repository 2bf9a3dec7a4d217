import { createHash, createHmac } from "node:crypto";
import type { AuthKind, BodySignature, CredentialPlace } from "../contract/index.ts";

/** The credential of an instance: the kind of authentication that it is for, and its values. */
export interface Credential {
  /** One of the names in the connector's `auth.kinds`. */
  readonly kind: string;
  /** The values, by the names that the kind of authentication gives them, such as `token`. */
  readonly values: Readonly<Record<string, string>>;
}

/** What authenticates a call. */
export interface Signature {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Turns a credential into the headers and query parameters of a call.
 *
 * @param kinds those of the connector's platform
 * @throws Error when the platform has no such kind, or a value is missing: the credential was not checked
 */
export function signatureOf(kinds: readonly AuthKind[], { kind, values }: Credential): Signature {
  const found = kinds.find((one) => one.name === kind);
  if (found === undefined) throw new Error(`the platform takes no credential of the kind "${kind}"`);
  const place = placeOf(found, values);
  const text = place.template
    .map((part, index) => {
      if (index % 2 === 0) return part;
      const value = Object.hasOwn(values, part) ? values[part] : undefined;
      if (value === undefined) throw new Error(`the credential has no "${part}"`);
      return value;
    })
    .join("");
  switch (place.in) {
    case "header":
      return { headers: { [place.name.toLowerCase()]: text }, query: {} };
    case "query":
      return { headers: {}, query: { [place.name]: text } };
    case "basic":
      return { headers: { authorization: `Basic ${Buffer.from(text).toString("base64")}` }, query: {} };
  }
}

/** Where a credential stands: in the place of the form that its value has. */
function placeOf({ place, forms = [] }: AuthKind, values: Credential["values"]): CredentialPlace {
  const [value = ""] = Object.values(values);
  return forms.find(({ matches }) => new RegExp(matches).test(value))?.place ?? place;
}

/**
 * The values of a credential that are in a call, or sign it, and are secret. A user name before a colon, as in Basic authentication, is
 * none where another value comes after it: records have it for good reasons.
 */
export function secretsOf(kinds: readonly AuthKind[], { kind, values }: Credential): string[] {
  const found = kinds.find((one) => one.name === kind);
  const template = found === undefined ? [] : placeOf(found, values).template;
  const colon = template.findIndex((part, index) => index % 2 === 0 && part.includes(":"));
  const names = template.filter((_part, index) => index % 2 === 1);
  const behind = template.filter((_part, index) => index % 2 === 1 && index > colon);
  const secret = [...(behind.length > 0 ? behind : names), ...(found?.sign === undefined ? [] : [found.sign.with])];
  return secret.flatMap((name) => (Object.hasOwn(values, name) ? (values[name] ?? []) : []));
}

/** The credential of a platform whose first kind needs one value: all simulated platforms, and most real ones. */
export function singleCredential([first]: readonly AuthKind[], value: string): Credential {
  if (first === undefined) throw new Error("the platform takes no credential");
  return { kind: first.name, values: Object.fromEntries(Object.keys(first.values).map((name) => [name, value])) };
}

/**
 * For signing cursors: a text that stays the same while the tokens of a credential change.
 *
 * @returns undefined where the credential does not change, so that its own values sign
 */
export function lastingSecret(kinds: readonly AuthKind[], { kind, values }: Credential): string | undefined {
  if (kinds.find(({ name }) => name === kind)?.grant === undefined) return undefined;
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url");
}

/** The parts of a call that a signature may be made of. */
export interface SignedCall {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/**
 * The headers that sign a call.
 *
 * @param now milliseconds since 1970
 */
export function bodySignature(
  sign: BodySignature,
  { values }: Credential,
  call: SignedCall,
  now: number,
): Record<string, string> {
  const { header, of, algorithm, encoding, prefix = "", timestamp } = sign;
  const at = String(timestamp?.as === "milliseconds" ? now : Math.floor(now / 1000));
  const parts: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>> = { ...call, timestamp: at };
  const key = Object.hasOwn(values, sign.with) ? values[sign.with] : undefined;
  if (key === undefined) throw new Error(`the credential has no "${sign.with}"`);
  const hmac = createHmac(algorithm, key);
  for (const [index, part] of of.entries()) hmac.update(index % 2 === 0 ? part : (parts[part] ?? ""));
  return {
    [header.toLowerCase()]: prefix + hmac.digest(encoding),
    ...(timestamp === undefined ? {} : { [timestamp.header.toLowerCase()]: at }),
  };
}
