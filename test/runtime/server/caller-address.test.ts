import { expect, it } from "vitest";
import { networkOf } from "../../../runtime/server/callers/caller-address.ts";

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::192.0.2.7", "0:0:0:0::/64"],
  ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
  // Some proxies pass on the port too.
  ["192.0.2.7:50312", "192.0.2.7"],
  ["[2001:db8:1:2::1]:50312", "2001:db8:1:2::/64"],
  ["[2001:db8:1:2::1]", "2001:db8:1:2::/64"],
  ["[::ffff:192.0.2.7]:50312", "192.0.2.7"],
  ["", ""],
  ["no address", "no address"],
  ["x".repeat(1_000), "x".repeat(64)],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
