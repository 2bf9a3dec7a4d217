import type { Request, RequestHandler, Response } from "express";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lateRoute } from "../../../runtime/server/late-route.ts";
import { standIn } from "../../support/shaped.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const call = (route: RequestHandler) => route(standIn<Request>({}), standIn<Response>({}), () => undefined);

it("a route that loads late is loaded by its first call, or by itself after a while, and once", async () => {
  const handler = vi.fn();
  const load = vi.fn(async () => handler);
  const called = lateRoute(load);
  lateRoute(load);
  expect(load).not.toHaveBeenCalled();
  await call(called);
  expect([load.mock.calls.length, handler.mock.calls.length]).toEqual([1, 1]);
  vi.advanceTimersByTime(10_000);
  expect(load).toHaveBeenCalledTimes(2);
});

it("a route that could not be loaded fails its calls, and nothing before", async () => {
  const route = lateRoute(() => Promise.reject(new Error("it is not there")));
  vi.advanceTimersByTime(10_000);
  await expect(call(route)).rejects.toThrow("it is not there");
});
