import { expect, it } from "vitest";
import { chosenPlaces } from "../../../generator/init/graphql-places.ts";
import { buildGraphqlSchema } from "../../../generator/model/read-platform.ts";

it("takes every type of record once, under a name that is free", () => {
  const connections = ["Issue", "Note", "Memo", "Label"].map(
    (name) => `type ${name} { id: ID! } type ${name}s { nodes: [${name}!]!, pageInfo: PageInfo! }`,
  );
  const schema = buildGraphqlSchema(`
    type Query { issues: Issues, repository(name: String!): Repository, repositoryV2(name: String!): Other, labels: Labels }
    type Repository { issues: Notes, labels: Labels }
    type Other { issues: Memos }
    type PageInfo { endCursor: String }
    ${connections.join("\n")}
  `);
  // No name is left for the list of memos.
  expect(chosenPlaces(schema, []).map(({ name, node }) => [name, node.name])).toEqual([
    ["issues", "Issue"],
    ["labels", "Label"],
    ["repository_issues", "Note"],
  ]);
});

it("finds no list in an object that takes more than scalars, and none where nothing can be read", () => {
  const schema = buildGraphqlSchema(`
    type Query { shelf(name: String!): Shelf, archive(place: Place!): Archive }
    input Place { room: Int! }
    type Shelf { books: Books }
    type Archive { relics: Relics }
    type Book { id: ID! }
    type Relic { id: ID! }
    type Books { nodes: [Book!]!, pageInfo: PageInfo! }
    type Relics { nodes: [Relic!]!, pageInfo: PageInfo! }
    type PageInfo { endCursor: String }
  `);
  expect(chosenPlaces(schema, []).map(({ name }) => name)).toEqual(["books"]);
  expect(chosenPlaces(schema, ["relics"])).toEqual([]);
  const writes = buildGraphqlSchema("type Mutation { stop: Boolean }");
  expect(chosenPlaces(writes, [])).toEqual([]);
  expect(chosenPlaces(writes, ["books"])).toEqual([]);
});
