import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connectors } from "../../generated/index.ts";
import { Diagnostics } from "../../generator/diagnostic/diagnostic.ts";
import { loadConnector } from "../../generator/load/load.ts";
import { documentProblems } from "../../generator/model/documents.ts";
import { buildGraphqlSchema } from "../../generator/model/read-platform.ts";
import { Faults } from "../../runtime/base/faults.ts";
import { snakeCase } from "../../runtime/base/text.ts";
import type { RecordPlan } from "../../runtime/contract/index.ts";
import { chooseFields } from "../../runtime/execute/field-choice.ts";
import { compileReader } from "../../runtime/execute/record-reader.ts";
import { Selections } from "../../runtime/execute/selections.ts";
import { allFolders } from "../support/specs.ts";

/** The schema of every connector that has one, by the connector's name. */
const schemas = new Map(
  allFolders().flatMap((folder) => {
    const loaded = loadConnector(folder.path, folder.files, new Diagnostics());
    const file = loaded?.spec.platform.graphql?.schema;
    return loaded === undefined || file === undefined
      ? []
      : [[loaded.spec.connector, buildGraphqlSchema(folder.read(file) ?? "")] as const];
  }),
);
const state = { params: {}, restUrl: "https://api.example.test", warn: () => {}, count: () => {} };

function choose(plan: RecordPlan, fields: unknown) {
  const faults = new Faults();
  return { choice: chooseFields(plan, fields, faults), faults: faults.list };
}

/** Every path into a plan, objects themselves included. */
function pathsOf(plan: RecordPlan): string[][] {
  return Object.entries(plan.fields).flatMap(([name, field]) => [
    [name],
    ...(field.of === undefined ? [] : pathsOf(field.of()).map((path) => [name, ...path])),
  ]);
}

/** What a set of paths must give for an answer that has an empty object for every object: names, and names inside. */
function expectedKeys(plan: RecordPlan, paths: readonly (readonly string[])[]): Record<string, unknown> {
  const wanted = Object.entries(plan.fields).filter(([name]) => paths.some(([first]) => first === name));
  return Object.fromEntries(
    wanted.map(([name, field]) => {
      const inner = paths.filter(([first, second]) => first === name && second !== undefined).map((path) => path.slice(1));
      const whole = paths.some((path) => path.length === 1 && path[0] === name);
      const type = field.of?.();
      if (type === undefined) return [name, null];
      const defaults = whole
        ? Object.entries(type.fields)
            .filter(([, one]) => one.onRequest === undefined)
            .map(([one]) => [one])
        : [];
      return [name, expectedKeys(type, [...defaults, ...inner])];
    }),
  );
}

/** The names that the selection of a choice gives, read through an answer that is an object wherever an object is expected. */
function keysOf(plan: RecordPlan, choice: Parameters<typeof compileReader>[1]): Record<string, unknown> {
  const record = compileReader(plan, choice)({}, "data", state);
  return Object.fromEntries(
    Object.keys(record).map((name) => {
      const type = plan.fields[name]?.of?.();
      return [name, type === undefined ? null : keysOf(type, choice?.get(name) ?? null)];
    }),
  );
}

const operations = connectors.flatMap((connector) =>
  Object.entries(connector.entities).flatMap(([entity, { actions }]) =>
    Object.entries(actions).flatMap(([name, { operation }]) =>
      operation.kind === "rest"
        ? []
        : [[`${connector.name}: ${entity}.${name}`, operation, schemas.get(connector.name)] as const],
    ),
  ),
);

describe.each(operations)("fields of %s", (_name, operation, schema) => {
  const paths = pathsOf(operation.record);
  const subset = fc
    .subarray(paths, { minLength: 1, maxLength: Math.min(12, paths.length) })
    .chain((some) => fc.shuffledSubarray(some, { minLength: some.length }));

  it("give a valid document and exactly those fields", () => {
    const selections = new Selections();
    fc.assert(
      fc.property(subset, (chosen) => {
        const { choice, faults } = choose(
          operation.record,
          chosen.map((path) => path.join(".")),
        );
        expect(faults).toEqual([]);
        const { document } = selections.get(operation.document, operation.record, choice);
        expect(schema).toBeDefined();
        if (schema !== undefined) expect(documentProblems(schema, document)).toEqual([]);
        expect(keysOf(operation.record, choice)).toEqual(expectedKeys(operation.record, chosen));
      }),
      { numRuns: 12 },
    );
  });

  it("mean the same in every spelling", () => {
    fc.assert(
      fc.property(subset, (chosen) => {
        const dotted = choose(
          operation.record,
          chosen.map((path) => path.join(".")),
        ).choice;
        expect(
          choose(
            operation.record,
            chosen.map((path) => path.map(snakeCase)),
          ).choice,
        ).toEqual(dotted);
      }),
      { numRuns: 12 },
    );
  });

  it("refuse whatever is not a field", () => {
    const names = new Set(Object.keys(operation.record.fields).flatMap((name) => [name, snakeCase(name)]));
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom("id } viewer { login", "__proto__", "constructor", "id{", "...record")),
        (text) => {
          fc.pre(!names.has(text.split(".")[0] ?? ""));
          const { faults } = choose(operation.record, [text]);
          expect(faults).toEqual([expect.objectContaining({ pointer: "/params/fields/0", code: "unknown_field" })]);
        },
      ),
      { numRuns: 30 },
    );
  });
});
