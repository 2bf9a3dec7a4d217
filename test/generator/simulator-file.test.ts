import { describe, expect, it } from "vitest";
import { Results } from "../../generator/cache/results.ts";
import { Diagnostics, formatDiagnostic } from "../../generator/diagnostic/diagnostic.ts";
import { readSource } from "../../generator/load/source.ts";
import type { ConnectorSpec } from "../../generator/load/spec.ts";
import { OpenApi } from "../../generator/model/open-api.ts";
import { describePlatform } from "../../generator/model/platform-description.ts";
import { checkSimulator } from "../../generator/model/simulator-file.ts";

const note = { type: "object", properties: { text: { type: "string" }, notes: { type: "array", items: { type: "object" } } } };
const body = { content: { "application/json": { schema: note } } };
const rest = new OpenApi({
  paths: { "/notes": { get: {}, post: { requestBody: body } }, "/notes/{id}": { get: {} } },
});
const platform = describePlatform({ key: "", graphql: undefined, scalars: {}, rest });

const right = `token: secret
web: https://notes.example
viewer: { id: 1 }
errors:
  unauthorized: { status: 401, body: {} }
  missing: { status: 404, body: {} }
  invalid: { status: 422, body: { message: "{message}" } }
  limited: { status: 429, body: {} }
records:
  notes: [&note { id: 1, text: Bread }, { <<: *note, repeat: 4, id: "{n}" }]
routes:
  GET /notes: { list: notes, page: { by: number, size: per_page, default: 30, max: 100, param: page } }
  GET /notes/{id}: { get: notes, where: { id: id } }
  POST /notes: { create: notes, set: { id: "{serial}", title: "{text}" } }
`;

function found(text: string, places = "message", part?: string): string[] {
  const diagnostics = new Diagnostics();
  const folder = { path: "spec/notes", read: () => text };
  const source = readSource(
    { path: "spec/notes/connector.yaml", text: `errors: { places: { message: ${places} } }` },
    diagnostics,
  );
  if (source === undefined) throw new Error("the connector cannot be read");
  const spec: Partial<ConnectorSpec> = { simulator: "simulator.yaml", ...(source.value as object) };
  const create = { doc: "Creates a note.", rest: "POST /notes", body: part };
  const entities = [{ spec: { entity: "notes", actions: { create } } as never, source }];
  checkSimulator(folder, { spec: spec as ConnectorSpec, source, entities }, platform, diagnostics, new Results());
  return diagnostics.sorted().map((one) => formatDiagnostic(one).replace("spec/notes/simulator.yaml:", ""));
}

describe("a file of a simulator", () => {
  it("is accepted when it is right", () => expect(found(right)).toEqual([]));

  it.each([
    ["get: notes", "gett: notes", '13:22 SPEC002 unknown key "gett" (did you mean "get"?)'],
    ["viewer:", "vieweer: {}\nviewer:", '3:1 SPEC002 unknown key "vieweer" (did you mean "viewer"?)'],
    [
      "GET /notes/{id}",
      "GET /note/{id}",
      '13:3 SPEC014 the platform\'s description has no "GET /note/{id}" (did you mean "GET /notes/{id}"?)',
    ],
    ["create: notes", "create: note", '14:18 SPEC003 `records` has no collection "note" (did you mean "notes"?)'],
    [
      "{serial}",
      "{bogus}",
      '14:40 SPEC003 nothing gives "{bogus}" here (allowed: serial, count, now, seconds, viewer, text, notes)',
    ],
    ['"{n}"', '"{m}"', '10:65 SPEC003 nothing gives "{m}" here (did you mean "n"?)'],
    ["{message}", "{msg}", '7:35 SPEC003 nothing gives "{msg}" here (allowed: message, param)'],
    ["list: notes,", "list: notes, get: notes,", "12:30 SPEC016 the route has `list` and `get`, and can do one thing"],
    ["list: notes, ", "", "12:3 SPEC016 the route does nothing (it needs one of: list, get, create, update, delete)"],
    ["max: 100", "max: many", '12:79 SPEC002 "max" must be a whole number'],
    ["viewer: { id: 1 }", "viewer: { id: 1", "SPEC001"],
    [
      "{ list: notes,",
      '{ list: notes, with: { of: "{id}" },',
      '12:38 SPEC003 nothing gives "{id}" here (a text is sent here as it is)',
    ],
    [
      "where: { id: id }",
      'where: { id: id }, with: { of: "{idd}" }',
      '13:61 SPEC003 nothing gives "{idd}" here (did you mean "id"?)',
    ],
    [
      "create: notes,",
      'create: notes, defaults: { at: "{now}" },',
      '14:45 SPEC003 nothing gives "{now}" here (a text is sent here as it is)',
    ],
    [
      "routes:",
      'graphql: { path: /graphql, header: token, page: { default: 1, max: 2 }, invalidCode: BAD, defaults: { Note: { at: "{count}" } } }\nroutes:',
      '11:111 SPEC003 nothing gives "{count}" here (allowed: serial, now, viewer)',
    ],
  ])("with %j written as %j is reported at its place", (text, wrong, message) => {
    expect(right).toContain(text);
    const all = found(right.replace(text, wrong));
    expect(all).toHaveLength(1);
    expect(all[0]).toContain(message);
  });

  it("takes the params of a write from the part of the body into which the spec puts them", () => {
    expect(found(right, "message", "notes[0]")).toEqual([
      '14:3 SPEC016 the params of notes.create are in "notes[0]" of the body, which no record of "notes" has (`from: notes[0]` takes them from there)',
    ]);
    expect(found(right.replace("create: notes,", 'create: notes, from: "notes[0]",'), "message", "notes[0]")).toEqual([
      expect.stringContaining('nothing gives "{text}" here'),
    ]);
    // The records of some platforms have the part themselves.
    expect(found(right, "message", "text")).toEqual([]);
  });

  it.each([
    ["[mesage]", '1:31 SPEC007 no error of the simulated platform has "mesage" (did you mean "message"?)'],
    ["reason", '1:21 SPEC007 no error of the simulated platform has "reason" (allowed: message)'],
  ])("whose errors have no %s contradicts the places of errors", (places, message) => {
    expect(found(right, places)).toEqual([`spec/notes/connector.yaml:${message}`]);
  });

  it("says nothing of further places of errors, which other errors may have", () => {
    expect(found(right, "[message, reason]")).toEqual([]);
  });
});
