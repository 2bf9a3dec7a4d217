import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { asTenonError } from "../../base/errors.ts";
import type { EndedCall } from "../../base/platform-use.ts";
import type { Trace } from "./trace.ts";

export interface SpanOptions {
  /** Headers of the request: a `traceparent` (W3C Trace Context) in them becomes the parent. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly trace: Trace;
}

const tracer = trace.getTracer("tenon");

/** As {@link inSpan} of `spans.ts`, in a process with an SDK. */
export function inOpenTelemetrySpan<Result>(
  { headers, trace: noted }: SpanOptions,
  work: (called: (call: EndedCall) => void) => Promise<Result>,
): Promise<Result> {
  const parent = propagation.extract(context.active(), headers);
  return tracer.startActiveSpan("tenon.action", { kind: SpanKind.SERVER }, parent, async (span) => {
    const within = context.active();
    const called = ({ bucket, waited, took, good, points }: EndedCall) => {
      const end = Date.now();
      const attributes = { "tenon.api": bucket, "tenon.good": good, "tenon.points": points, "tenon.waited_ms": waited };
      tracer.startSpan("tenon.platform_call", { kind: SpanKind.CLIENT, startTime: end - took, attributes }, within).end(end);
    };
    let outcome = "done";
    try {
      return await work(called);
    } catch (thrown) {
      outcome = asTenonError(thrown).code;
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw thrown;
    } finally {
      const { instance, entity, action } = noted;
      span.setAttributes({
        "tenon.outcome": outcome,
        ...(instance === undefined ? {} : { "tenon.instance": instance.id, "tenon.connector": instance.connector.name }),
        ...(entity === undefined ? {} : { "tenon.entity": entity }),
        ...(action === undefined ? {} : { "tenon.action": action }),
      });
      span.end();
    }
  });
}
