import { madeOnce } from "../../base/made-once.ts";
import type { EndedCall } from "../../base/platform-use.ts";
import type { SpanOptions } from "./open-telemetry.ts";

/** Where all copies of the API of OpenTelemetry find the SDK that was registered in the process. */
const sdk = Symbol.for("opentelemetry.js.api.1");
const openTelemetry = madeOnce(() => import("./open-telemetry.ts"));

/**
 * Runs an action in an OpenTelemetry span. Where the process has no SDK, which is the usual case, this does nothing, and the API is not
 * loaded. A span has names of the specs, ids of instances and codes of errors, never a value of the request.
 *
 * @param work gets a function that notes a call to the platform as a span of its own
 */
export async function inSpan<Result>(
  options: SpanOptions,
  work: (called?: (call: EndedCall) => void) => Promise<Result>,
): Promise<Result> {
  if (!(sdk in globalThis)) return work();
  return (await openTelemetry()).inOpenTelemetrySpan(options, work);
}
