import { expect, it } from "vitest";
import { formatDiagnostic } from "../../generator/diagnostic/diagnostic.ts";
import { Generator } from "../../generator/generate.ts";

// Records that have more than their description names, and records of several kinds.

const connector = `
connector: crm
title: Crm
doc: Contacts.
example: { entity: contacts, action: list, params: {} }
platform: { auth: { env: CRM_TOKEN, doc: A token. }, rest: { url: "https://crm.example", description: description.json } }
errors: { rest: { "10008": { code: not_found, doc: There is no such contact. }, "400 190": { code: platform_forbidden, doc: Not yours. } } }
`;

const description = JSON.stringify({
  openapi: "3.0.3",
  paths: {
    "/contacts": {
      get: {
        responses: {
          200: {
            content: { "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/contact" } } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      contact: {
        oneOf: [{ $ref: "#/components/schemas/person" }, { $ref: "#/components/schemas/firm" }],
      },
      person: {
        type: "object",
        required: ["id", "name"],
        properties: {
          id: { type: "string" },
          name: { type: "string" },
          properties: { type: "object", additionalProperties: { type: "string", nullable: true } },
          extra: { type: "object" },
          limits: { type: "object", properties: { rows: { type: "integer" } }, additionalProperties: true },
          closed: { type: "object", additionalProperties: false },
        },
      },
      firm: { type: "object", required: ["id"], properties: { id: { type: "string" }, tax: { type: "string" } } },
    },
  },
});

async function faults(fields: string): Promise<string[]> {
  const entity = `
entity: contacts
title: Contacts
record: Contact
doc: Contacts.
fields: { id: { type: id, doc: Id. }, ${fields} }
actions: { list: { doc: Lists contacts., params: {}, rest: GET /contacts, page: single } }
`;
  const files = [
    { path: "spec/crm/connector.yaml", text: connector },
    { path: "spec/crm/contacts.yaml", text: entity },
  ];
  const { diagnostics } = await new Generator().generate([
    { path: "spec/crm", files, read: () => description, module: () => undefined },
  ]);
  return diagnostics.map((one) => formatDiagnostic(one).replace(/^.* SPEC/, "SPEC"));
}

it.each([
  ["what an object of custom fields may have", "color: { type: string?, from: properties.color, doc: Color. }", []],
  ["what an object may have of which nothing is said", "size: { type: integer?, from: extra.size.cm, doc: Size. }", []],
  ["what an object may have beside its properties", "days: { type: integer?, from: limits.days, doc: Days. }", []],
  [
    "as always there",
    "color: { type: string, from: extra.color, doc: Color. }",
    ['SPEC006 field "color" of Contact may be missing in the response of GET /contacts (write string?)'],
  ],
  [
    "with a type that its values do not have",
    "size: { type: integer?, from: properties.size, doc: Size. }",
    ['SPEC006 field "size" of Contact is string in the response of GET /contacts, not integer'],
  ],
  [
    "of an object that has nothing",
    "color: { type: string?, from: closed.color, doc: Color. }",
    ['SPEC007 the response of GET /contacts has no "closed.color", which field "color" of Contact reads'],
  ],
  [
    "below a text",
    "color: { type: string?, from: name.color, doc: Color. }",
    ['SPEC007 the response of GET /contacts has no "name.color", which field "color" of Contact reads'],
  ],
  [
    "under a misspelled name",
    "rows: { type: integer?, from: limits.rws, doc: Rows. }",
    ['SPEC007 the response of GET /contacts has no "limits.rws", which field "rows" of Contact reads'],
  ],
  [
    "that one of several kinds of records lacks",
    "name: { type: string, doc: Name. }",
    ['SPEC006 field "name" of Contact may be missing in the response of GET /contacts (write string?)'],
  ],
])("a field reads %s", async (_, field, expected) => {
  expect(await faults(field)).toEqual(expected);
});

it("an object of GraphQL that the schema leaves open is read as one, and not as a text", async () => {
  const graphql = `
connector: crm
title: Crm
doc: Contacts.
example: { entity: contacts, action: list, params: {} }
platform:
  auth: { env: CRM_TOKEN, doc: A token. }
  graphql: { url: "https://crm.example/graphql", schema: schema.graphql, scalars: { JSON: object } }
`;
  const entity = `
entity: contacts
title: Contacts
record: Contact
on: Contact
doc: Contacts.
fields: { id: { type: id, doc: Id. }, extra: { type: object?, doc: Extra. }, extras: { type: "[object]", doc: Extras. } }
actions: { list: { doc: Lists contacts., params: {}, graphql: "contacts { ...record }" } }
`;
  const schema = "scalar JSON type Contact { id: ID! extra: JSON extras: [JSON!]! } type Query { contacts: [Contact!]! }";
  const files = [
    { path: "spec/crm/connector.yaml", text: graphql },
    { path: "spec/crm/contacts.yaml", text: entity },
  ];
  const made = await new Generator().generate([{ path: "spec/crm", files, read: () => schema, module: () => undefined }]);
  expect(made.diagnostics).toEqual([]);
  const text = [...made.files].find(([path]) => path.endsWith("/contacts.ts"))?.[1] ?? "";
  expect(text).toContain('extra: { select: "extra", read: "extra", open: true }');
  expect(text).toContain('extras: { select: "extras", read: "extras", list: "empty", open: true }');
});
