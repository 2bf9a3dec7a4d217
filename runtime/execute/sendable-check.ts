import type { FaultPath, Faults } from "../base/faults.ts";
import { isObject } from "../base/is-object.ts";
import { type Action, type SentParam, sentParam } from "../contract/index.ts";

type Params = Readonly<Record<string, unknown>>;

/** Adds a fault for every value that the call has no way to send: it would be left out, or sent as something else. */
export function checkSendable({ operation }: Action, params: Params, faults: Faults): void {
  if (operation.kind !== "rest") return;
  for (const [place, sent] of [
    ["query", operation.query],
    ["header", operation.headers ?? []],
  ] as const)
    for (const name of paramsOf(sent)) refuseInText(params[name], ["params", name], place, faults);
  if (operation.form) for (const name of paramsOf(operation.body)) refuseEmpty(params[name], ["params", name], faults);
}

function paramsOf(sent: readonly SentParam[]): string[] {
  return sent.map((one) => sentParam(one).param);
}

/** A text has no way to say what an object is, nor that a list is empty: it would be left out, or be a list with an empty text. */
function refuseInText(value: unknown, at: FaultPath, place: string, faults: Faults): void {
  if (Array.isArray(value) && value.length === 0)
    faults.add(
      at,
      "not_sendable",
      `${nameOf(at)} is an empty list, which a ${place} has no way to send. Leave it out, or give it something.`,
    );
  for (const [index, one] of Array.isArray(value) ? value.entries() : [[undefined, value] as const])
    if (typeof one === "object" && one !== null)
      faults.add(
        index === undefined ? at : [...at, index],
        "not_sendable",
        `${nameOf(at)} is sent in a ${place}, which takes no object.`,
      );
}

/** A form has no way to say that a list or an object is empty. */
function refuseEmpty(value: unknown, at: FaultPath, faults: Faults): void {
  if (typeof value !== "object" || value === null) return;
  const inner = Object.entries(value);
  if (inner.length === 0) {
    const what = Array.isArray(value) ? "list" : "object";
    const message = `${nameOf(at)} is an empty ${what}, which this call has no way to send: its body is a form. Leave it out, or give it something.`;
    faults.add(at, "not_sendable", message);
  }
  for (const [key, one] of inner) refuseEmpty(one, [...at, isObject(value) ? key : Number(key)], faults);
}

function nameOf(at: FaultPath): string {
  return at.slice(1).join(".");
}
