import type { AuditStore } from "../accounts/index.ts";
import { type ErrorCode, errorCodes } from "../base/error-codes.ts";
import {
  type CallerNames,
  type CallView,
  callerName,
  callPath,
  callViews,
  isError,
  type Sight,
  seesEntry,
} from "./call-views.ts";
import { callsPath } from "./calls.ts";
import { keyOf, type RecentCalls } from "./recent-calls.ts";
import { milliseconds } from "./words.ts";

/** One call as its page shows it. A value that may be absent is a list of at most one element. */
export interface CallPage extends CallView {
  readonly time: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly messages: readonly string[];
  readonly faults: readonly { readonly pointer: string; readonly code: string; readonly message: string }[];
  readonly codes: readonly { readonly code: string; readonly title: string; readonly advice: string }[];
  /** Says what is not known of the call, and where it can be found. */
  readonly unknown: readonly string[];
  readonly others: readonly { readonly href: string; readonly text: string }[];
}

/** Entries on both sides of a call among which the other one of a write is. */
const near = 500;

/** The page of a call. @returns undefined where there is none of this number, or none that the viewer may see */
export async function callPage(
  audit: Pick<AuditStore, "audited">,
  number: number,
  sight: Sight,
  { calls, callers }: { readonly calls: RecentCalls; readonly callers: CallerNames },
): Promise<CallPage | undefined> {
  const around = await audit.audited(Math.max(0, number - near), 0, 2 * near);
  const entry = around.find((one) => one.number === number);
  if (entry === undefined || !seesEntry(entry, sight)) return undefined;
  const [view] = await callViews([entry], callers);
  if (view === undefined) return undefined;
  const { caller, outcome, requestId, at, action, target } = entry;
  const details = outcome === "begun" ? undefined : calls.of(entry, at, isError(entry));
  const code = codeOf(outcome);
  const status = details?.status ?? (code === undefined ? undefined : errorCodes[code].status);
  const same = around.filter((one) => one.number !== number && requestId !== null && keyOf(one) === keyOf(entry));
  return {
    ...view,
    time: new Date(at).toISOString(),
    facts: [
      { name: "Caller", value: await callerName(caller, callers) },
      { name: "Status", value: status === undefined ? "not known" : String(status) },
      { name: "Duration", value: details === undefined ? "not known" : milliseconds(details.ms) },
      ...(details?.parts ?? []).map((part) => ({ name: `of that, ${part.name}`, value: milliseconds(part.ms) })),
      { name: "Intent", value: view.intent },
      { name: "Request id", value: view.requestId },
    ].filter(({ value }) => value !== ""),
    messages: details?.message == null ? [] : [details.message],
    faults: (details?.faults ?? []).map((fault) => ({
      ...fault,
      pointer: fault.pointer === "" ? "(the whole body)" : fault.pointer,
    })),
    codes: code === undefined ? [] : [{ code, ...errorCodes[code] }],
    unknown:
      details === undefined && outcome !== "begun"
        ? [
            "This process does not have the message and the duration: it keeps those of its last 1,000 failed and 1,000 other calls.",
          ]
        : [],
    others: [
      ...same.map((one) => ({
        href: callPath(one),
        text: one.outcome === "begun" ? "The beginning of this write" : `Its end: ${one.outcome}`,
      })),
      { href: callsPath({ caller }), text: "All calls of this caller" },
      ...(target === null ? [] : [{ href: callsPath({ instance: target }), text: `All calls of ${target}` }]),
      { href: callsPath({ action }), text: `All calls of ${action}` },
    ],
  };
}

function codeOf(outcome: string): ErrorCode | undefined {
  return Object.keys(errorCodes).find((code): code is ErrorCode => code === outcome);
}
