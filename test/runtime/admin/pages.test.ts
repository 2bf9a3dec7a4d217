import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, it } from "vitest";
import { keysView } from "../../../runtime/admin/keys.ts";
import { sendPage } from "../../../runtime/admin/pages.ts";

it("a page has only visible characters", async () => {
  const app = express().use((_request, response) => sendPage(response, "text/html", "<p>why\u202E not\u{E0041}é</p>"));
  const server = createServer(app).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("<p>why noté</p>");
  } finally {
    server.close();
  }
});

it.each([
  [{}, ["read"]],
  [{ name: "mine" }, []],
  [{ name: "mine", "right.write": "on" }, ["write"]],
])("the form for a new key suggests the right read, and keeps what was chosen: %j", (given, chosen) => {
  expect(keysView([], given).rights.flatMap((right) => (right.chosen ? [right.name] : []))).toEqual(chosen);
});
