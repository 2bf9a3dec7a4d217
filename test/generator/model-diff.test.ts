import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { Results } from "../../generator/cache/results.ts";
import { Diagnostics } from "../../generator/diagnostic/diagnostic.ts";
import { compareModels } from "../../generator/diff/models.ts";
import { connectorModel } from "../../generator/model/connector.ts";
import type { ActionModel, ConnectorModel, EntityModel, FieldModel, ParamModel } from "../../generator/model/types.ts";

// Each kind of difference between two models, forward and backward.

const folder = join(import.meta.dirname, "../golden/base");
const library = libraryModel();
const [books] = library.entities as [EntityModel];
const [list] = books.actions as [ActionModel];
const [id, title] = books.record.fields as [FieldModel, FieldModel];

function libraryModel(): ConnectorModel {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  const spec = {
    path: "spec",
    files: files.map((file) => ({ path: `spec/${file}`, text: readFileSync(join(folder, file), "utf8") })),
    read: (file: string) => readFileSync(join(folder, file), "utf8"),
    module: () => undefined,
  };
  const model = connectorModel(spec, new Diagnostics(), new Results());
  if (model === undefined) throw new Error("the base of the golden cases does not generate");
  return model;
}

const withBooks = (changes: Partial<EntityModel>): ConnectorModel => ({ ...library, entities: [{ ...books, ...changes }] });
const withList = (changes: Partial<ActionModel>) => withBooks({ actions: [{ ...list, ...changes }] });
const withTitle = (changes: Partial<FieldModel>) => {
  const record = { ...books.record, fields: [id, { ...title, ...changes }] };
  return withBooks({ record, ownRecord: [record] });
};
const { rest } = library.platform;
const word = { name: "Mood", doc: "Mood.", values: [{ value: "GLAD", doc: "Glad." }] };
const place = { params: ["shelf"], doc: "A shelf." };
const text = { kind: "scalar", name: "string", list: false, nullable: false } as const;
const number = { ...text, name: "number" } as const;
const whole = { ...text, name: "integer" } as const;
const param = (name: string, more: object = {}): ParamModel => ({ name, doc: "It.", type: text, required: false, ...more });
const withParams = (...params: ParamModel[]) => withList({ params });
const moods = (changes: Partial<typeof word>) => ({ ...library, enums: [{ ...word, ...changes }] });
const refusal = { code: "not_found", doc: "None." } as const;
const refusing = (changes: object) => ({
  ...library,
  errors: { ...library.errors, rest: { "404": { ...refusal, ...changes } } },
});

const pairs: Readonly<Record<string, readonly [before: ConnectorModel, after: ConnectorModel]>> = {
  "a connector's name": [library, { ...library, name: "archive" }],
  "its texts": [library, { ...library, title: "Archive", doc: "An archive." }],
  "its credentials": [
    library,
    {
      ...library,
      auth: [
        { doc: "Another card.", kind: undefined, env: ["CARD"] },
        { kind: "robot", doc: "A robot.", env: ["ROBOT"] },
      ],
    },
  ],
  "its platform": [
    library,
    { ...library, platform: { rest: { ...rest, url: "https://new.example" } } as ConnectorModel["platform"] },
  ],
  "what errors mean": [refusing({}), refusing({ code: "platform_failed", doc: "Gone." })],
  "its errors": [library, refusing({})],
  scopes: [
    { ...library, scopes: { account: place, shelf: place } },
    { ...library, scopes: { account: { params: ["room"], doc: "A room." }, room: place } },
  ],
  "an enumeration": [
    moods({}),
    moods({
      doc: "A mood.",
      values: [
        { value: "GLAD", doc: "Happy." },
        { value: "SAD", doc: "Sad." },
      ],
    }),
  ],
  "enumerations of an entity and a connector": [moods({}), withBooks({ enums: [{ ...word, name: "Colour" }] })],
  "an entity": [library, withBooks({ title: "Volumes", doc: "Volumes.", store: { ...books.store, key: ["title"] } })],
  "its record's name": [library, withBooks({ record: { ...books.record, name: "Volume", doc: "A volume." } })],
  "its record's text": [library, withBooks({ record: { ...books.record, doc: "A volume." } })],
  "its sync": [library, withBooks({ sync: [{ scope: "account", action: "list" } as EntityModel["sync"][number]] })],
  "the type of a field": [library, withTitle({ type: { ...text, nullable: true } })],
  "a field that is a list": [library, withTitle({ type: { ...text, list: true } })],
  "how a field is read": [
    library,
    withTitle({
      onRequest: true,
      scope: "read:books",
      semantic: { window: 9 },
      plan: { ...title.plan, read: "name" },
      doc: "Name.",
    }),
  ],
  "a field in the cache": [library, withTitle({ search: undefined })],
  "how the cache compares a field": [library, withTitle({ search: { type: "number", index: "exact" } })],
  "an action": [
    library,
    withList({
      doc: "Lists.",
      returns: { ...list.returns, name: "Shelf" },
      operation: { ...list.operation, document: "query" } as ActionModel["operation"],
    }),
  ],
  "types of params": [
    withParams(
      param("wider", { type: whole }),
      param("other", { type: whole }),
      param("nullable"),
      param("list"),
      param("both", { type: { ...whole, nullable: true } }),
    ),
    withParams(
      param("wider", { type: number }),
      param("other", { type: text }),
      param("nullable", { type: { ...text, nullable: true } }),
      param("list", { type: { ...text, list: true } }),
      param("both", { type: number }),
    ),
  ],
  "bounds of params": [
    withParams(
      param("least", { range: [1, 9] }),
      param("most", { range: [1, 9] }),
      param("none"),
      param("moved", { length: [1, 9] }),
      param("same", { items: [0, 9] }),
    ),
    withParams(
      param("least", { range: [2, 9] }),
      param("most", { range: [1, 8] }),
      param("none", { length: [1, 9] }),
      param("moved", { length: [2, 10] }),
      param("same", { items: [0, 9] }),
    ),
  ],
  "the example of a param": [withParams(param("place", { example: "a" })), withParams(param("place", { example: "b" }))],
  "members of a param": [withParams(param("place")), withParams(param("place", { members: [param("room")] }))],
  transitions: [library, withList({ transitions: [{ set: { state: "lent" }, allow: { reason: ["read", "copied"] } }] })],
  "values of a transition": [
    withList({ transitions: [{ set: { state: "lent", to: "ann" }, allow: { reason: ["read"] } }] }),
    withList({
      transitions: [
        { set: { state: "lent", to: "ann" }, allow: { reason: ["copied"] } },
        { set: { state: "back" }, allow: {} },
      ],
    }),
  ],
};

/** What is said of each pair. */
const expected = parse(readFileSync(join(import.meta.dirname, "model-differences.yaml"), "utf8")) as Readonly<
  Record<string, { readonly forward: readonly string[]; readonly backward: readonly string[] }>
>;
const lines = (before: ConnectorModel, after: ConnectorModel) =>
  compareModels([before], [after]).map(({ kind, path, message }) => `${kind} | ${path} | ${message}`);

it.each(Object.entries(pairs))("tells what differs in %s", (what, [before, after]) => {
  expect({ forward: lines(before, after), backward: lines(after, before) }).toEqual(expected[what]);
});
