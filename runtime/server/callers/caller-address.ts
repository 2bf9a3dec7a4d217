import { isIPv6 } from "node:net";
import type { Request, Response } from "express";

/** Longer texts are no addresses. One that a trusted proxy passes on may be anything. */
const longest = 64;

/**
 * The address for which the attempts of an unknown caller are counted. An IPv6 network of 64 bits counts as one address, because whoever
 * has one address of it has all of them.
 */
export function networkOf(address: string): string {
  const [plain = ""] = withoutPort(address.slice(0, longest)).split("%");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return plain;
  const [before = "", after] = plain.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  // An IPv4 address at the end stands for two groups.
  const last = after === undefined ? [] : groups(after).flatMap((group) => (group.includes(".") ? [group, ""] : [group]));
  const first = groups(before);
  const zeros = after === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const all = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

/** Some proxies pass on the port too, which is another one for each connection. */
function withoutPort(address: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
}

const member = "network";

/** The network of whoever sends a request, which is kept for the log. */
export function networkOfCaller(request: Request, response: Response): string {
  const known: string | undefined = response.locals[member];
  if (known !== undefined) return known;
  const network = networkOf(request.ip ?? "");
  response.locals[member] = network;
  return network;
}

/** The network of a request, where anything was counted for it. */
export function notedNetwork({ locals }: Response): string | undefined {
  return locals[member];
}
