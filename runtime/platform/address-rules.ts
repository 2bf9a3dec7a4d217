import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { RequestInit } from "undici";

/** Address ranges that do not belong to the public internet (RFC 6890 and the registries that it names). */
const notPublic = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/127",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001:db8::/32",
  "fc00::/7",
  "fe80::/10",
  "ff00::/8",
];

const blocked = new BlockList();
for (const range of notPublic) {
  const [network = "", prefix = ""] = range.split("/");
  blocked.addSubnet(network, Number(prefix), network.includes(":") ? "ipv6" : "ipv4");
}

/** Whether an IP address belongs to the public internet. An IPv4 address in the form of an IPv6 address counts as what it is. */
export function isPublicAddress(address: string): boolean {
  return !blocked.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** Whether an address of a platform names this machine itself. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * What is wrong with the address of a platform that somebody gave for a connector instance, or undefined. It has to be https, except on
 * this machine. Names are looked up only when a connection is made: see {@link publicFetch}.
 *
 * @param allowPrivate whether addresses of private networks are allowed
 */
export function addressProblem(text: string, allowPrivate: boolean): string | undefined {
  if (!URL.canParse(text)) return "must be a whole address, such as https://platform.example/api";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || /[?#]/.test(text)) return "must have no user, query or fragment";
  if (isLoopback(url)) return url.protocol === "http:" || url.protocol === "https:" ? undefined : "must be http or https";
  if (url.protocol !== "https:") return "must be https, because the credential is sent there";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) return "is in a private network";
  return undefined;
}

/** Looks up a name, and fails when one of its addresses is not public. It runs for each connection, so that a name cannot change later. */
const publicLookup: LookupFunction = (host, options, done) => {
  systemLookup(host, { ...options, all: true }, (error, addresses) => {
    const found = addresses ?? [];
    if (error !== null) done(error, "");
    else if (found.some(({ address }) => !isPublicAddress(address)))
      done(Object.assign(new Error(`${host} is in a private network`), { code: "ENOTFOUND" }), "");
    else if (options.all === true) done(null, found);
    else done(null, found[0]?.address ?? "", found[0]?.family);
  });
};

/**
 * A `fetch` that connects to public addresses only. A refused address counts as one that does not exist. What it needs is loaded with the
 * first call, because most services have no such connector.
 */
export function publicFetch(): typeof globalThis.fetch {
  let loaded: Promise<(address: string, init: RequestInit) => Promise<unknown>> | undefined;
  const load = async () => {
    const { Agent, fetch } = await import("undici");
    const dispatcher = new Agent({ connect: { lookup: publicLookup } });
    return (address: string, init: RequestInit) => fetch(address, { ...init, dispatcher });
  };
  const call = async (address: string, init: RequestInit = {}) => {
    loaded ??= load();
    return (await loaded)(address, init);
  };
  return call as typeof globalThis.fetch;
}

/** How calls to an address go out: straight, where it is this machine or private addresses are allowed. */
export function fetchFor(address: string, allowPrivate: boolean): typeof globalThis.fetch {
  return allowPrivate || isLoopback(new URL(address)) ? globalThis.fetch : publicFetch();
}
