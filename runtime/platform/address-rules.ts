import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { RequestInit } from "undici";

/** All IPv4 addresses, and the IPv6 addresses that are allocated as global unicast (RFC 4291, 2.4). Any other address is not public. */
const allocated = ["0.0.0.0/0", "2000::/3"];

/**
 * Ranges of these that do not belong to the public internet: the special-purpose registries of IANA (RFC 6890), and forms of IPv6 addresses
 * that lead to the IPv4 address within them (Teredo in 2001::/23, 6to4 in 2002::/16).
 */
const special = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
];

const allowed = ranges(allocated);
const refused = ranges(special);

function ranges(list: readonly string[]): BlockList {
  const found = new BlockList();
  for (const range of list) {
    const [network = "", prefix = ""] = range.split("/");
    found.addSubnet(network, Number(prefix), network.includes(":") ? "ipv6" : "ipv4");
  }
  return found;
}

/** Whether a text is an IP address of the public internet. An IPv4-mapped address (`::ffff:a.b.c.d`) counts as the IPv4 address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address) === 6 ? "ipv6" : "ipv4";
  return allowed.check(address, version) && !refused.check(address, version);
}

/** Whether an address of a platform names this machine itself. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * Whether a text has only characters that an address has when it is sent. Others are dropped or changed by whoever parses it, so that the
 * address would not be the one that was written, and shown.
 */
function isPlain(text: string): boolean {
  return /^[!-~]*$/.test(text);
}

const mustBePlain = "must have visible ASCII characters only: write others in their percent-encoded or xn-- form";

/**
 * What is wrong with the address of a platform that somebody gave for a connector instance, or undefined. It has to be https, except on
 * this machine. Names are looked up only when a connection is made: see {@link fetchFor}.
 *
 * @param allowPrivate whether addresses of private networks are allowed
 */
export function addressProblem(text: string, allowPrivate: boolean): string | undefined {
  if (!isPlain(text)) return mustBePlain;
  if (!URL.canParse(text)) return "must be a whole address, such as https://platform.example/api";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || /[?#]/.test(text)) return "must have no user, query or fragment";
  if (isLoopback(url)) return url.protocol === "http:" || url.protocol === "https:" ? undefined : "must be http or https";
  if (url.protocol !== "https:") return "must be https, because the credential is sent there";
  return allowPrivate || !isPrivateHost(url) ? undefined : "is in a private network";
}

/**
 * What is wrong with an address to which a caller wants something to be sent, or undefined. Unlike {@link addressProblem}, this machine is
 * as private as its network.
 */
export function receiverProblem(text: string, allowPrivate: boolean): string | undefined {
  if (!isPlain(text)) return mustBePlain;
  if (!URL.canParse(text)) return "must be a whole address, such as https://receiver.example/tenon";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.hash !== "") return "must have no user and no fragment";
  if (allowPrivate) return url.protocol === "http:" || url.protocol === "https:" ? undefined : "must be https or http";
  if (url.protocol !== "https:") return "must be https";
  // RFC 6761, 6.3: each name below it is this machine, too.
  const isOurs = isLoopback(url) || /(^|\.)localhost\.?$/.test(url.hostname);
  return isOurs || isPrivateHost(url) ? "is in a private network" : undefined;
}

/** Whether the host of a URL is an IP address that is not public. */
function isPrivateHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && !isPublicAddress(host);
}

/** Counts as the error of a name that does not exist: nothing was sent. */
function privateHost(host: string): Error {
  return Object.assign(new Error(`${host} is in a private network`), { code: "ENOTFOUND" });
}

/** Finds all addresses of a name. */
type LookupAll = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Looks up a name, and fails when one of its addresses is not public. It runs for each connection, so that a name cannot change later.
 */
export function publicOnly(lookup: LookupAll): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const found = addresses ?? [];
      if (error !== null) done(error, "");
      else if (found.some(({ address }) => !isPublicAddress(address))) done(privateHost(host), "");
      else if (options.all === true) done(null, found);
      else done(null, found[0]?.address ?? "", found[0]?.family);
    });
  };
}

/**
 * A `fetch` that connects to public addresses only, and besides to those of the given addresses that name this machine. It checks the
 * address of each connection. A refused address counts as one that does not exist. What it needs is loaded with the first call, because
 * most services have no such connector.
 *
 * @param addresses what an operator gave, and what follows from it
 */
function publicFetch(addresses: readonly string[]): typeof globalThis.fetch {
  const ownOrigins = new Set(
    addresses
      .map((address) => new URL(address))
      .filter(isLoopback)
      .map(({ origin }) => origin),
  );
  let loaded: Promise<(address: string, init: RequestInit) => Promise<unknown>> | undefined;
  const load = async () => {
    const { Agent, fetch } = await import("undici");
    const dispatcher = new Agent({ connect: { lookup: publicOnly(systemLookup) } });
    return (address: string, init: RequestInit) => fetch(address, { ...init, dispatcher });
  };
  const call = async (address: string, init: RequestInit = {}) => {
    const url = new URL(address);
    if (ownOrigins.has(url.origin)) return globalThis.fetch(address, init as globalThis.RequestInit);
    // An IP address is not looked up.
    if (isPrivateHost(url)) throw new TypeError("fetch failed", { cause: privateHost(url.hostname) });
    loaded ??= load();
    return (await loaded)(address, init);
  };
  return call as typeof globalThis.fetch;
}

/**
 * How calls to the addresses of an instance go out. Each call is checked by the address that it goes to, whatever the other addresses are.
 */
export function fetchFor(addresses: readonly string[], allowPrivate: boolean): typeof globalThis.fetch {
  return allowPrivate ? globalThis.fetch : publicFetch(addresses);
}
