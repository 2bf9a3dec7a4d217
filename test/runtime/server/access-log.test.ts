import { EventEmitter } from "node:events";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import { expect, it, vi } from "vitest";
import { accessLog, repeatedRequests } from "../../../runtime/server/monitoring/access-log.ts";
import type { Metrics } from "../../../runtime/server/monitoring/metrics.ts";
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
