import { suggestion } from "../../runtime/base/suggestion.ts";
import { type ActionTraits, actionTraits, type CommonAction, storeAction } from "../../runtime/contract/index.ts";
import { anyName, type Diagnostics } from "../diagnostic/diagnostic.ts";
import type { ActionSpec } from "../load/spec.ts";
import type { PositionOf } from "./operation-context.ts";

/** What an action does: by its name, by what the spec says of it, or both. An action that only a sync calls reads like `list`. */
export function traitsOf(name: string, spec: ActionSpec, at: PositionOf, diagnostics: Diagnostics): ActionTraits | undefined {
  const { effect, list } = spec;
  const known = name === "sync" ? "list" : name;
  if (!isCommon(known)) {
    if (name === storeAction) {
      diagnostics.error(at(), "SPEC010", `every entity has an action "${storeAction}"`);
      return undefined;
    }
    if (effect === undefined) {
      const message = `"${name}" is not one of the usual actions, so it needs \`effect\`: what it does`;
      diagnostics.error(at(), "SPEC016", message, suggestion(name, [...Object.keys(actionTraits), "sync"]), {
        loses: [{ kind: "action", name: anyName }],
      });
      return undefined;
    }
    return { writes: effect !== "none", list: list ?? false, updates: false, idempotent: effect !== "once" };
  }
  const usual = actionTraits[known];
  if (list !== undefined)
    diagnostics.error(
      at("list"),
      "SPEC016",
      `the name of "${name}" already says ${usual.list ? "that it returns a list" : "that it returns one record"}`,
    );
  if (effect === undefined) return usual;
  if ((effect !== "none") !== usual.writes) {
    const does = usual.writes ? "writes" : "only reads";
    diagnostics.error(
      at("effect"),
      "SPEC016",
      `"${name}" always ${does}`,
      "choose another name for an action that does something else",
    );
  }
  return { ...usual, idempotent: usual.writes ? effect === "idempotent" : true };
}

function isCommon(name: string): name is CommonAction {
  return Object.hasOwn(actionTraits, name);
}

/** Methods that a write of a usual name may have: a call that removes must not hide behind another name. */
const methodsOf: Readonly<Record<string, readonly string[]>> = { create: ["POST", "PUT"], update: ["PATCH", "PUT", "POST"] };

/** Whether the method of a REST call fits what the action is said to do. Where it does not, nothing else about the call says anything. */
export function checkMethod(
  name: string,
  spec: ActionSpec,
  traits: ActionTraits,
  at: PositionOf,
  diagnostics: Diagnostics,
): boolean {
  const [method] = spec.rest?.split(" ") ?? [];
  if (method === undefined) return true;
  const wrong = (key: string, message: string, hint?: string) => {
    diagnostics.error(at(key), "SPEC016", message, hint, { loses: [{ kind: "call", name: anyName }] });
    return false;
  };
  const allowed = Object.hasOwn(methodsOf, name) ? methodsOf[name] : undefined;
  if (allowed !== undefined && !allowed.includes(method)) {
    const hint = `allowed: ${allowed.join(", ")}; other actions have other names, such as \`delete\``;
    return wrong("rest", `"${name}" cannot be bound to ${method}`, hint);
  }
  if (traits.writes && method === "GET") return wrong("rest", `"${name}" writes, but GET only reads`);
  if (traits.writes || method === "GET") return true;
  if (method !== "POST") return wrong("effect" in spec ? "effect" : "rest", `"${name}" only reads, but ${method} writes`);
  const hint = "`effect: none` says that this call only reads";
  return spec.effect === undefined ? wrong("rest", `"${name}" only reads, but POST may write`, hint) : true;
}
