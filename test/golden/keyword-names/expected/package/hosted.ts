// Generated from spec/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as bookPlan_ from "./book_plan.ts";
import type * as class_ from "./class.ts";
import type * as connectors_ from "./connectors.ts";
import type * as default_ from "./default.ts";
import type * as entity_ from "./entity.ts";
import type * as get_ from "./get.ts";
import type * as import_ from "./import.ts";
import type * as list_ from "./list.ts";
import type * as new_ from "./new.ts";

export * from "../../runtime/client/index.ts";
export type { BookPlanGetParams } from "./book_plan.ts";
export type { Class, ClassListParams, ClassUpdateParams, Default, Function, Import } from "./class.ts";
export type { ConnectorsGetParams } from "./connectors.ts";
export type { DefaultGetParams } from "./default.ts";
export type { EntityGetParams } from "./entity.ts";
export type { GetListParams } from "./get.ts";
export type { ImportGetParams } from "./import.ts";
export type { List, ListListParams } from "./list.ts";
export type { NewGetParams } from "./new.ts";

/** What the methods of {@link Library} take and return. */
export interface LibraryEntities {
  /** Books on a shelf. */
  bookPlan: {
    name: "book_plan";
    actions: Pick<typeof bookPlan_, "get">;
    record: class_.Class;
    search: { id: "string"; class: "string"; default: "string"; entity: "string" };
  };
  /** Books on a shelf. Every name in this case is a word of the language or a name that generated modules use. */
  class: {
    name: "class";
    actions: Pick<typeof class_, "list" | "update">;
    record: class_.Class;
    search: { id: "string"; class: "string"; default: "string"; entity: "string" };
  };
  /** Books on a shelf. */
  connectors: {
    name: "connectors";
    actions: Pick<typeof connectors_, "get">;
    record: class_.Class;
    search: { id: "string"; class: "string"; default: "string"; entity: "string" };
  };
  /** Books on a shelf. */
  default: {
    name: "default";
    actions: Pick<typeof default_, "get">;
    record: class_.Class;
    search: { id: "string"; class: "string"; default: "string"; entity: "string" };
  };
  /** Books on a shelf. */
  entity: {
    name: "entity";
    actions: Pick<typeof entity_, "get">;
    record: class_.Class;
    search: { id: "string"; class: "string"; default: "string"; entity: "string" };
  };
  /** Notes that share the record of `list`. */
  get: {
    name: "get";
    actions: Pick<typeof get_, "list">;
    record: list_.List;
    search: { id: "string" };
  };
  /** Books on a shelf. */
  import: {
    name: "import";
    actions: Pick<typeof import_, "get">;
    record: class_.Class;
    search: { id: "string"; class: "string"; default: "string"; entity: "string" };
  };
  /** Notes. An entity that shares this record imports the constant of an entity called `list`. */
  list: {
    name: "list";
    actions: Pick<typeof list_, "list">;
    record: list_.List;
    search: { id: "string" };
  };
  /** Books on a shelf. */
  new: {
    name: "new";
    actions: Pick<typeof new_, "get">;
    record: class_.Class;
    search: { id: "string"; class: "string"; default: "string"; entity: "string" };
  };
}

/** The credentials that Library takes. */
export type LibraryCredential =
  | { readonly kind: "token"; readonly token: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<LibraryCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<LibraryCredential>;

/** Entities and actions of Library, for both modes of its client. */
export const plan: ClientPlan = {
  name: "package",
  title: "Library",
  entities: {
    book_plan: { get: {} },
    class: { list: { cursor: "after" }, update: { writes: true } },
    connectors: { get: {} },
    default: { get: {} },
    entity: { get: {} },
    get: { list: { cursor: "after" } },
    import: { get: {} },
    list: { list: { cursor: "after" } },
    new: { get: {} },
  },
};

/** Client of Library, in hosted mode only, as browsers use it. A library for the golden cases. */
export const Library: ConnectorClass<LibraryEntities, LibraryCredential> = connectorClass(plan);

export type Library = Client<LibraryEntities>;
