import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, it } from "vitest";
import { keysView } from "../../../runtime/admin/keys.ts";
import { sendPage } from "../../../runtime/admin/pages.ts";
import { noteFailure } from "../../../runtime/admin/view-routes.ts";
import { milliseconds } from "../../../runtime/admin/words.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import { shaped } from "../../support/shaped.ts";

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

it.each([
  [0, "0.0 ms"],
  [9.94, "9.9 ms"],
  [10, "10 ms"],
  [9_999, "9999 ms"],
  [10_000, "10 s"],
  [61_400, "61 s"],
])("%d milliseconds are shown as %s", (ms, text) => {
  expect(milliseconds(ms)).toBe(text);
});

it.each([[7], [undefined]])("a page about a failure says to a program when it may try again: after %s seconds", (retryAfter) => {
  const headers: unknown[] = [];
  const response = { locals: {}, statusCode: 200, setHeader: (...header: readonly unknown[]) => headers.push(header) };
  const error = new TenonError("overloaded", "Later.", retryAfter === undefined ? {} : { retryAfter });
  expect(noteFailure(shaped(response), error)).toBe(error);
  expect([response.statusCode, headers]).toEqual([503, retryAfter === undefined ? [] : [["Retry-After", 7]]]);
});
