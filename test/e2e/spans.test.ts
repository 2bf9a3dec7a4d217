import { InMemorySpanExporter, NodeTracerProvider, type ReadableSpan, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bad, good, useTenon } from "./support/service.ts";

// The OpenTelemetry spans of actions, with an SDK in the process.

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
beforeAll(() => provider.register());
afterAll(() => provider.shutdown());
beforeEach(() => exporter.reset());
const at = useTenon();

const named = (name: string): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.name === name);

describe("a span", () => {
  it("tells of an action, continues the trace of the caller, and has the calls to the platform below it", async () => {
    const headers = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
    good(await at.tenon.run("viewer", "get", { fields: ["login"] }, { headers }));
    const [action, ...others] = named("tenon.action");
    expect(others).toEqual([]);
    expect(action?.attributes).toEqual({
      "tenon.connector": "github",
      "tenon.instance": "github",
      "tenon.entity": "viewer",
      "tenon.action": "get",
      "tenon.outcome": "done",
    });
    expect([action?.spanContext().traceId, action?.parentSpanContext?.spanId]).toEqual([
      "0af7651916cd43dd8448eb211c80319c",
      "b7ad6b7169203331",
    ]);
    const [call] = named("tenon.platform_call");
    expect(call?.parentSpanContext?.spanId).toBe(action?.spanContext().spanId);
    expect(call?.attributes).toMatchObject({ "tenon.api": "graphql", "tenon.good": true });
  });

  it("tells the code of an error, and nothing of the request", async () => {
    bad(await at.tenon.run("issues", "get", { owner: "canary", repo: "canary", number: 1 }), 404, "not_found");
    bad(await at.tenon.run("canary", "canary"), 422, "invalid_request");
    expect(named("tenon.action").map(({ attributes }) => attributes["tenon.outcome"])).toEqual(["not_found", "invalid_request"]);
    const all = exporter.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
    expect(JSON.stringify(all)).not.toContain("canary");
  });
});
