import { expect, it } from "vitest";
import { draftGraphql } from "../../../generator/init/graphql-draft.ts";
import { buildGraphqlSchema } from "../../../generator/model/read-platform.ts";

const schema = buildGraphqlSchema(`
  interface Node { id: ID! }
  type Query {
    node(id: ID!): Node
    hall(height: Float!, isOpen: Boolean!): Hall
    shelves(room: String!): Shelves
    shelf(id: ID!): Shelf
  }
  type Hall { rooms: Rooms }
  type Room { id: ID! }
  type Shelf { id: ID!, books: Books }
  type Book implements Node { id: ID! }
  type Rooms { nodes: [Room!]!, pageInfo: PageInfo! }
  type Shelves { nodes: [Shelf!]!, pageInfo: PageInfo! }
  type Books { nodes: [Book!]!, pageInfo: PageInfo! }
  type PageInfo { endCursor: String }
`);
const { entities } = draftGraphql("library", schema, ["rooms=hall.rooms", "shelves=shelves", "books=shelf.books"]);
const drafted = (entity: string) => entities.get(entity) ?? {};

it("calls the id of a record that has a list after that record, and reads what is in the list by its own id", () => {
  expect(drafted("books")).toMatchObject({
    actions: {
      list: { params: { shelf: { required: true } }, graphql: "shelf(id: $shelf) { books { nodes { ...record } } }" },
      get: { params: { id: null }, graphql: "node(id: $id) { ...record }" },
    },
  });
});

it("reads no list for each record of one that needs a param itself", () => {
  expect(drafted("shelves")).toMatchObject({ actions: { list: { params: { room: { required: true } } } } });
  expect(drafted("books")["sync"]).toEqual([{ scope: "shelf" }]);
});

it("takes numbers and truth values for params, and finds by id only what the platform finds by id", () => {
  const { actions } = drafted("rooms");
  expect(actions).toEqual({
    list: expect.objectContaining({
      params: expect.objectContaining({
        height: expect.objectContaining({ type: "number", example: 1 }),
        isOpen: expect.objectContaining({ type: "boolean", example: true }),
      }),
    }),
  });
});
