import type { FaultPath, Faults } from "../base/faults.ts";
import { isObject } from "../base/is-object.ts";
import { type Action, isSamePlace, type SentParam, sentParam } from "../contract/index.ts";

type Params = Readonly<Record<string, unknown>>;

/** Adds a fault for every value that the call has no way to send: it would be left out, or sent as something else. */
export function checkSendable({ operation }: Action, params: Params, faults: Faults): void {
  if (operation.kind !== "rest") return;
  const { query, headers = [], form, body, list } = operation;
  for (const sent of [query, headers, body]) refuseTwice(sent, params, faults);
  const ofPage = list !== undefined && "param" in list.by ? [list.by.param] : [];
  for (const [place, sent] of [
    ["query", query],
    ["header", headers],
    ["form", form ? body : []],
  ] as const)
    for (const one of sent) {
      const { param, join = place === "form" ? "brackets" : undefined } = sentParam(one);
      const at = ["params", param];
      // A form says with an empty text that something has no value.
      if (params[param] === null && place !== "form") refuse(at, "null", place, faults);
      else if (join === "brackets") refuseEmpty(params[param], at, place, faults);
      else if (join !== "json") refuseInText(params[param], at, place, join, faults);
      if (join === "repeat" && isObject(params[param]))
        refuseNames(params[param], at, [...sent.map((other) => sentParam(other).name), ...ofPage], faults);
    }
}

/** One place takes one value: of two parameters that are sent there, the second would take the place of the first. */
function refuseTwice(sent: readonly SentParam[], params: Params, faults: Faults): void {
  const given = sent.map(sentParam).filter(({ param }) => params[param] !== undefined);
  for (const [index, { param, name }] of given.entries()) {
    const first = given.slice(0, index).find((one) => isSamePlace(one.name, name));
    if (first !== undefined)
      faults.add(["params", param], "not_sendable", `${param} and ${first.param} are sent in the same place. Give one of them.`);
  }
}

/** Members that stand beside the other parameters must not take the place of one. */
function refuseNames(value: Params, at: FaultPath, names: readonly string[], faults: Faults): void {
  for (const name of Object.keys(value))
    if (names.includes(name))
      faults.add([...at, name], "not_sendable", `${nameOf(at)} cannot have "${name}", which is another parameter.`);
}

/**
 * A text has no way to say what is inside an object, nor that a list is empty: it would be left out, or be a list with an empty text.
 *
 * @param join how the members of an object are sent; undefined where they cannot be
 */
function refuseInText(value: unknown, at: FaultPath, place: string, join: string | undefined, faults: Faults): void {
  if (isObject(value) && join !== undefined) {
    if (Object.keys(value).length === 0) refuseEmpty(value, at, place, faults);
    for (const [key, one] of Object.entries(value)) if (one !== null) refuseInText(one, [...at, key], place, undefined, faults);
    return;
  }
  if (Array.isArray(value) && value.length === 0) refuse(at, "an empty list", place, faults);
  if (Array.isArray(value) && join !== undefined && join !== "repeat") refuseSeparators(value, at, join, faults);
  for (const [index, one] of Array.isArray(value) ? value.entries() : [[undefined, value] as const])
    if (typeof one === "object" && one !== null)
      faults.add(
        index === undefined ? at : [...at, index],
        "not_sendable",
        `${nameOf(at)} is sent in a ${place}, which takes no object.`,
      );
}

/** A list that is sent as one text: an element with the separator would be read as two, whatever else was decided about it. */
function refuseSeparators(value: readonly unknown[], at: FaultPath, separator: string, faults: Faults): void {
  for (const [index, one] of value.entries())
    if (typeof one === "string" && one.includes(separator))
      faults.add(
        [...at, index],
        "not_sendable",
        `${nameOf(at)} is sent with "${separator}" between its elements, so that no element can have one.`,
      );
}

/** A query or a form has no way to say that a list or an object is empty. */
function refuseEmpty(value: unknown, at: FaultPath, place: string, faults: Faults): void {
  if (typeof value !== "object" || value === null) return;
  const inner = Object.entries(value);
  if (inner.length === 0) refuse(at, Array.isArray(value) ? "an empty list" : "an empty object", place, faults);
  for (const [key, one] of inner) refuseEmpty(one, [...at, isObject(value) ? key : Number(key)], place, faults);
}

function refuse(at: FaultPath, what: string, place: string, faults: Faults): void {
  faults.add(
    at,
    "not_sendable",
    `${nameOf(at)} is ${what}, which a ${place} has no way to send. Leave it out, or give it something.`,
  );
}

function nameOf(at: FaultPath): string {
  return at.slice(1).join(".");
}
