import { describe, expect, it } from "vitest";
import { addressProblem, isPublicAddress, publicFetch } from "../../../runtime/platform/address-rules.ts";

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
    ["64:ff9b::a00:1", false],
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
    ["https://user:x@platform.example", "no user"],
    ["https://platform.example/?a", "no user"],
    ["https://platform.example/#a", "no user"],
    ["ftp://localhost", "must be http or https"],
    ["file:///etc/passwd", "must be https"],
    ["platform.example", "must be a whole address"],
    ["http://localhost.example", "must be https"],
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

describe("a call to a name", () => {
  it("fails as one to a name that does not exist, when the name leads to this machine", async () => {
    const call = publicFetch()("https://localhost:4433/");
    await expect(call).rejects.toMatchObject({ cause: { code: "ENOTFOUND", message: "localhost is in a private network" } });
  });
});
