import { isIP } from "node:net";
import { describe, expect, it } from "vitest";
import {
  addressProblem,
  fetchFor,
  isPublicAddress,
  publicOnly,
  receiverProblem,
} from "../../../runtime/platform/address-rules.ts";

describe("an address", () => {
  it.each([
    ["8.8.8.8", true],
    ["2606:4700::1111", true],
    ["172.15.255.255", true],
    ["172.16.0.1", false],
    ["10.0.0.1", false],
    ["127.0.0.1", false],
    ["169.254.169.254", false],
    ["100.64.0.1", false],
    ["0.0.0.0", false],
    ["::1", false],
    ["::", false],
    ["fd00::1", false],
    ["fe80::1", false],
    ["::ffff:10.0.0.1", false],
    ["::ffff:a00:1", false],
    ["::ffff:8.8.8.8", true],
    ["192.88.99.1", false],
    ["255.255.255.255", false],
    ["64:ff9b::a00:1", false],
    ["64:ff9b:1::a00:1", false],
    ["::10.0.0.1", false],
    ["::8.8.8.8", false],
    ["::ffff:0:10.0.0.1", false],
    ["100::1", false],
    ["2001::1", false],
    ["2001:0:4136:e378:8000:63bf:3fff:fdd2", false],
    ["2001:1ff:ffff::1", false],
    ["2001:200::1", true],
    ["2001:db8::1", false],
    ["2002:a00:1::1", false],
    ["2003::1", true],
    ["3ffe::1", true],
    ["3fff::1", false],
    ["4000::1", false],
    ["5f00::1", false],
    ["fec0::1", false],
    ["fe80::1%1", false],
    ["ff02::1", false],
    ["platform.example", false],
  ])("%s is public: %s", (address, is) => {
    expect(isPublicAddress(address)).toBe(is);
  });

  it.each<[string, string | undefined]>([
    ["https://platform.example/api/v3", undefined],
    ["http://127.0.0.1:9000", undefined],
    ["http://localhost:9000", undefined],
    ["http://[::1]:9000", undefined],
    ["http://platform.example", "must be https"],
    ["https://10.0.0.1", "private network"],
    ["https://0x7f.1/", undefined],
    ["https://0xa.1/", "private network"],
    ["https://[fd00::1]/", "private network"],
    ["https://[::127.0.0.1]/", "private network"],
    ["https://[2002:7f00:1::]/", "private network"],
    ["https://[2606:4700::1111]/", undefined],
    ["https://user:x@platform.example", "no user"],
    ["https://platform.example/?a", "no user"],
    ["https://platform.example/#a", "no user"],
    ["ftp://localhost", "must be http or https"],
    ["file:///etc/passwd", "must be https"],
    ["platform.example", "must be a whole address"],
    ["http://localhost.example", "must be https"],
    ["https://plat\nform.example", "visible ASCII"],
    ["https://platform.example/\u202eapi", "visible ASCII"],
  ])("%s of a platform has the problem %s", (address, problem) => {
    const found = addressProblem(address, false);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  it("in a private network is allowed where the operator says so, and still has to be https", () => {
    expect(addressProblem("https://10.0.0.1", true)).toBeUndefined();
    expect(addressProblem("http://10.0.0.1", true)).toContain("must be https");
  });
});

describe("an address to which a caller wants something to be sent", () => {
  it.each<[string, string | undefined]>([
    ["https://receiver.example/tenon?token=x", undefined],
    ["https://[2606:4700::1111]/", undefined],
    ["http://receiver.example", "must be https"],
    ["http://127.0.0.1:9000", "must be https"],
    ["https://127.0.0.1:9000", "private network"],
    ["https://localhost/", "private network"],
    ["https://localhost./", "private network"],
    ["https://any.LOCALHOST/", "private network"],
    ["https://localhost.example/", undefined],
    ["https://receiver\n.example/", "visible ASCII"],
    [" https://receiver.example/", "visible ASCII"],
    ["https://receiver.example/\u{e0041}", "visible ASCII"],
    ["https://127\u30020\u30020\u30021/", "visible ASCII"],
    ["https://xn--bcher-kva.example/", undefined],
    ["https://0x7f.1/", "private network"],
    ["https://[::1]/", "private network"],
    ["https://[::ffff:10.0.0.1]/", "private network"],
    ["https://169.254.169.254/latest/meta-data", "private network"],
    ["https://user:x@receiver.example", "no user"],
    ["https://receiver.example/#a", "no user"],
    ["file:///etc/passwd", "must be https"],
    ["receiver.example", "must be a whole address"],
  ])("%s has the problem %s", (address, problem) => {
    const found = receiverProblem(address, false);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  it("may be in a private network, also without TLS, where the operator says so", () => {
    expect(["http://127.0.0.1:9000", "https://10.0.0.1"].map((one) => receiverProblem(one, true))).toEqual([
      undefined,
      undefined,
    ]);
    expect(receiverProblem("file:///etc/passwd", true)).toContain("must be https or http");
  });
});

describe("a name", () => {
  const looked = (addresses: readonly string[], all: boolean) =>
    new Promise((resolve, reject) => {
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const lookup = publicOnly((_host, _options, done) => done(null, found));
      lookup("receiver.example", { all }, (error, address) => (error === null ? resolve(address) : reject(error)));
    });

  it("is refused when any of its addresses is not public, wherever that one is among them", async () => {
    for (const all of [true, false])
      for (const addresses of [
        ["8.8.8.8", "10.0.0.1"],
        ["10.0.0.1", "8.8.8.8"],
        ["2606:4700::1111", "8.8.8.8", "fd00::1"],
      ])
        await expect(looked(addresses, all)).rejects.toThrow("receiver.example is in a private network");
  });

  it("that does not exist is an error, and not an address", async () => {
    const gone = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    // The lookup of Node gives no addresses then.
    const lookup = publicOnly((_host, _options, done) => done(gone, undefined as never));
    const [error, address] = await new Promise<unknown[]>((resolve) =>
      lookup("receiver.example", { all: true }, (...given) => resolve(given)),
    );
    expect([error, address]).toEqual([gone, ""]);
  });

  it("leads to all of its addresses when they are public, or to the first", async () => {
    const addresses = ["8.8.8.8", "2606:4700::1111"];
    expect(await looked(addresses, true)).toMatchObject(addresses.map((address) => ({ address })));
    expect(await looked(addresses, false)).toBe("8.8.8.8");
  });
});

describe("a call of an instance", () => {
  const own = "http://127.0.0.1:1/api";
  const refusal = (host: string) => ({ cause: { code: "ENOTFOUND", message: `${host} is in a private network` } });

  it("fails as one to a name that does not exist, when the name leads to this machine", async () => {
    const call = fetchFor(["https://platform.example"], false)("https://localhost:4433/");
    await expect(call).rejects.toMatchObject(refusal("localhost"));
  });

  it.each([
    ["https://localhost:4433/", "localhost"],
    ["https://10.0.0.1/", "10.0.0.1"],
    ["https://[::127.0.0.1]/", "[::7f00:1]"],
    ["http://127.0.0.1:2/", "127.0.0.1"],
  ])("to %s is refused also where another address of the instance is this machine", async (address, host) => {
    await expect(fetchFor([own], false)(address)).rejects.toMatchObject(refusal(host));
  });

  it("reaches this machine at the address that the instance has", async () => {
    await expect(fetchFor([own], false)(`${own}/viewer`)).rejects.not.toMatchObject(refusal("127.0.0.1"));
  });
});
