import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connectors } from "../../generated/index.ts";
import type { ActionModel, ConnectorModel } from "../../generator/model/types.ts";
import { Faults } from "../../runtime/base/faults.ts";
import type { Action } from "../../runtime/contract/index.ts";
import { checkParams } from "../../runtime/execute/params-check.ts";
import { allModels } from "../support/specs.ts";
import { actionsOf, invalidValue, validParams, withoutTwins } from "./arbitraries.ts";

const actions = allModels().flatMap((model) =>
  actionsOf(model).map((action) => [`${model.name}: ${action.entity}.${action.name}`, action, model] as const),
);
const runs = { numRuns: 25 };

function handlerOf(action: ActionModel, { name }: ConnectorModel): Action {
  const connector = connectors.find((one) => one.name === name);
  const found = connector?.entities[action.entity]?.actions[action.name];
  if (found === undefined) throw new Error(`${action.entity}.${action.name} has no handler`);
  return found;
}

/** Faults of rules beyond types: they may refuse parameters that are right one by one. */
const beyondTypes = ["forbidden_transition", "empty_update"];

describe.each(actions)("%s", (_name, action, model) => {
  const handler = handlerOf(action, model);
  const check = (params: unknown) => {
    const faults = new Faults();
    const { params: checked } = checkParams(handler, params, faults);
    return { faults: faults.list.filter((fault) => !beyondTypes.includes(fault.code)), params: checked };
  };

  it("accepts every set of valid parameters, and leaves it as it was", () => {
    fc.assert(
      fc.property(validParams(action, model), (params) => {
        const before = structuredClone(params);
        const { faults, params: checked } = check(params);
        expect(faults).toEqual([]);
        expect(params).toEqual(before);
        expect(checked).toMatchObject(params);
        for (const param of action.params)
          if (param.default !== undefined && !(param.name in params)) expect(checked[param.name]).toEqual(param.default);
      }),
      runs,
    );
  });

  it("refuses one wrong value, at its place", () => {
    if (action.params.length === 0) return;
    const broken = fc
      .constantFrom(...action.params)
      .chain((param) => fc.tuple(fc.constant(param.name), validParams(action, model), invalidValue(param, model)));
    fc.assert(
      fc.property(broken, ([name, params, wrong]) => {
        const { faults } = check(withoutTwins(action, { ...params, [name]: wrong }, name));
        expect(faults.length).toBeGreaterThan(0);
        expect(faults.every((fault) => fault.pointer === `/params/${name}` || fault.pointer.startsWith(`/params/${name}/`))).toBe(
          true,
        );
      }),
      runs,
    );
  });

  it("refuses a missing required parameter, at its place", () => {
    const required = action.params.filter((param) => param.required);
    if (required.length === 0) return;
    fc.assert(
      fc.property(fc.constantFrom(...required), validParams(action, model), ({ name }, params) => {
        const { [name]: _gone, ...rest } = params;
        expect(check(rest).faults).toEqual([expect.objectContaining({ pointer: `/params/${name}`, code: "missing_param" })]);
      }),
      runs,
    );
  });

  it("refuses an unknown parameter, at its place, and says what is allowed", () => {
    const common = handler.traits.writes ? ["fields"] : ["fields", "dryRun"];
    const names = new Set([...action.params.map((param) => param.name), ...common]);
    const unknown = fc
      .oneof(fc.string({ minLength: 1, maxLength: 20 }), fc.constantFrom("__proto__", "constructor", "toString", "Owner"))
      .filter((name) => !names.has(name));
    fc.assert(
      fc.property(unknown, validParams(action, model), (name, params) => {
        const given = JSON.parse(`{${JSON.stringify(name)}: 1}`) as Record<string, unknown>;
        for (const [key, value] of Object.entries(params)) given[key] = value;
        const pointer = `/params/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        expect(check(given).faults).toEqual([
          expect.objectContaining({ pointer, code: "unknown_param", allowed: [...handler.params, ...common] }),
        ]);
      }),
      runs,
    );
  });
});
