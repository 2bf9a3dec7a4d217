import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { platform } from "./setup.ts";
import { send } from "./write-setup.ts";

describe("a webhook", () => {
  it("is sent as a form unless its configuration says JSON", async () => {
    const received: { readonly type: string | undefined; readonly body: string }[] = [];
    const server = createServer(async (request, response) => {
      received.push({ type: request.headers["content-type"], body: await text(request) });
      response.end();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await send("POST", "/repos/octocat/hello-world/hooks", { config: { url } });
    await platform().world.hookSender.idle();
    server.close();
    const [{ type, body } = { type: "", body: "" }] = received;
    expect(type).toBe("application/x-www-form-urlencoded");
    const payload = JSON.parse(new URLSearchParams(body).get("payload") ?? "");
    expect(payload).toMatchObject({ zen: expect.any(String), repository: { full_name: "octocat/hello-world" } });
  });
});
