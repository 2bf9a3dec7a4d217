import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { readDescribed } from "../../generator/extract/source.ts";

it("a description's source has nothing of its address that may be secret, and messages neither", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.statusCode = url?.startsWith("/none") === true ? 404 : 200;
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    expect(await readDescribed(`http://${host}/api.json?token=canary`)).toEqual({
      text: "{}",
      source: `http://${host}/api.json`,
    });
    const failed = async (address: string) => String(await readDescribed(address).catch((thrown: unknown) => thrown));
    expect(await failed(`http://${host}/none?token=canary`)).toBe(
      `Error: cannot read "http://${host}/none": the response has status 404`,
    );
    const named = await failed(`http://me:canary@${host}/api.json`);
    expect(named).toContain("without a user");
    expect(named).not.toContain("canary");
    expect(asked).toEqual(["/api.json?token=canary", "/none?token=canary"]);
  } finally {
    server.close();
  }
});
