import type { Signature } from "./credential.ts";

// Addresses and headers of a platform, with the values of an instance and its credential in them.

/** Addresses of a platform for one instance. An API that the platform does not have has no address. */
export interface Endpoints {
  readonly graphql: string | undefined;
  readonly rest: string | undefined;
  /** The REST address, where it is not that of the spec. All other addresses of the platform then follow from it. */
  readonly ownRest?: string;
  /** The instance's values of the platform's variables, which headers may have in them. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Headers of the spec with the values of an instance in them; names in lower case. */
export function filledHeaders(
  headers: Readonly<Record<string, string>> = {},
  variables: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return lowerCase(Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fill(text, variables)])));
}

/** An address of the spec with the values of an instance. A value stays within one part of the address, so it cannot change the host. */
export function fillAddress(address: string, variables: Readonly<Record<string, string>>): string {
  return fill(address, Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, encodeURIComponent(value)])));
}

/** A text of the spec with the values of an instance in the places of `{name}`. */
function fill(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? place) : place,
  );
}

/** The address with the query parameters that hold the credential. */
export function withQuery(address: string, { query }: Signature): string {
  const names = Object.keys(query);
  if (names.length === 0) return address;
  const url = new URL(address);
  for (const name of names) url.searchParams.set(name, query[name] ?? "");
  return url.href;
}

/** Path and query of an address. */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** The same headers, with names in lower case. */
export function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
