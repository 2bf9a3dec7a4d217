import { EventEmitter } from "node:events";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import { expect, it, vi } from "vitest";
import { accessLog, auditEntry, repeatedRequests } from "../../../runtime/server/monitoring/access-log.ts";
import type { Metrics } from "../../../runtime/server/monitoring/metrics.ts";
import { Trace } from "../../../runtime/server/monitoring/trace.ts";
import { until } from "../../e2e/support/service.ts";
import { request, statuses, viewer } from "../../support/http.ts";
import { standIn } from "../../support/shaped.ts";
import { useHttp } from "../../support/use-http.ts";

const { start, open } = useHttp();

it.each([
  ["/healthz", 200],
  ["/nothing", 404],
  ["/api/v1/problem.schema.json", 200],
])("requests for %s without a caller leave one line in a minute, however many there are", async (path, status) => {
  const http = await start();
  const wire = await open(http, "");
  for (let count = 1; count <= 20; count++) {
    wire.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await until(() => statuses(wire.text()).length === count);
  }
  wire.socket.write(request(viewer));
  await until(() => http.lines.some(({ caller }) => caller === "operator"));
  expect(http.lines.filter((line) => line["status"] === status && line["caller"] === undefined)).toHaveLength(1);
});

it("the end of the minute says how many more there were", () => {
  const lines: unknown[] = [];
  const repeated = repeatedRequests({ info: (fields: unknown) => void lines.push(fields) } as never, undefined);
  for (let count = 0; count < 5; count++) repeated.add("kind", { fields: { route: "/healthz", status: 200 } });
  repeated.flush();
  expect(lines.at(-1)).toEqual({ route: "/healthz", status: 200, times: 4 });
});

it("the end of the minute counts those of many callers together, of whom the last one says nothing", () => {
  const lines: unknown[] = [];
  const entries: unknown[] = [];
  const log = standIn<Logger>({ info: (...line: readonly unknown[]) => void lines.push(line) });
  const audit = standIn<NonNullable<Parameters<typeof repeatedRequests>[1]>>({ add: (entry) => void entries.push(entry) });
  const repeated = repeatedRequests(log, audit);
  const add = (caller: number) =>
    repeated.add(`caller ${caller}`, {
      fields: { requestId: `r${caller}`, ms: 5, caller: `c${caller}`, status: 401, code: "unauthorized" },
      entry: auditEntry(new Trace(), `c${caller}`, `r${caller}`, "unauthorized"),
    });
  // Beyond ten thousand, callers are not told apart.
  for (let caller = 0; caller < 10_003; caller++) add(caller);
  add(7);
  expect([lines.length, entries.length]).toEqual([10_001, 10_001]);
  repeated.flush();
  expect(lines.slice(10_001)).toEqual([
    [{ caller: "c7", status: 401, code: "unauthorized", times: 1 }, "more requests of this kind"],
    [{ status: 401, code: "unauthorized", times: 2 }, "more requests of many callers"],
  ]);
  expect(entries.slice(10_001)).toMatchObject([{ caller: "c7", requestId: "r7", times: 1 }]);
});

it("a line has the time of its request in tenths of a millisecond", () => {
  const lines: object[] = [];
  const log = accessLog({
    log: standIn<Logger>({ info: (fields: object) => void lines.push(fields) }),
    metrics: standIn<Metrics>({ ended: () => undefined }),
    repeated: repeatedRequests(standIn<Logger>({}), undefined),
  });
  const ended = {
    locals: { caller: { id: "operator" } },
    headersSent: true,
    statusCode: 200,
    writableFinished: true,
    app: { locals: {} },
  };
  const response = Object.assign(new EventEmitter(), ended);
  const clock = vi.spyOn(performance, "now").mockReturnValueOnce(100).mockReturnValueOnce(112.34);
  log(standIn<Request>({ method: "GET", headers: {} }), standIn<Response>(response as object), () => undefined);
  response.emit("close");
  clock.mockRestore();
  expect(lines).toEqual([expect.objectContaining({ caller: "operator", method: "GET", status: 200, ms: 12.3 })]);
});
