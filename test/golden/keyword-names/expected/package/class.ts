// Generated from spec/class.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { class_Store } from "./facts.ts";
import { listParams, updateParams } from "./validators/class.js";

/** Where a book is. */
export type Default = "LENT" | "ON_SHELF";

/** Books on a shelf. Every name in this case is a word of the language or a name that generated modules use. */
export interface Class {
  /** Identity. */
  readonly id: string;
  /** Title. */
  readonly class: string;
  /** Where it is. */
  readonly default: Default;
  /** What was asked for. */
  readonly entity: string | null;
  /** Who wrote it. */
  readonly import: Function | null;
  /** Number. */
  readonly key: number;
}

/** Who wrote a book. */
export interface Function {
  /** Name. */
  readonly new: string;
}

/** What the REST API answers. */
export interface Import {
  /** Title. */
  readonly class: string;
  /** Number. */
  readonly default: number;
}

export interface ClassListParams {
  /** Name of the shelf. */
  readonly shelf: string;
  /** States. */
  readonly states?: readonly Default[];
  /** What was asked for. */
  readonly this?: string;
  /** Cursor. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface ClassUpdateParams {
  /** Number. 1 to 9. */
  readonly number: number;
  /** Name of the shelf. */
  readonly shelf: string;
  /** Title. */
  readonly title?: string;
  readonly fields?: readonly FieldPath[];
}

export const classPlan: RecordPlan = {
  name: "Class",
  on: "Book",
  fields: {
    id: { select: "id", read: "id" },
    class: { select: "class:title", read: "class" },
    default: { select: "default:state", read: "default", values: ["LENT", "ON_SHELF"] },
    entity: { param: "this" },
    import: { select: ["import:writer{", "}"], read: "import", of: () => functionPlan },
    key: { select: "key:number", read: "key", is: "integer" },
  },
};

export const functionPlan: RecordPlan = { name: "Function", on: "Writer", fields: { new: { select: "new:name", read: "new" } } };

export const importPlan: RecordPlan = {
  name: "Import",
  fields: { class: { read: "title", always: true }, default: { read: "number", always: true, is: "integer" } },
};

/** Lists. */
export const list: Action<ClassListParams, Page<Class>> = {
  name: "class.list",
  traits: actionTraits.list,
  params: ["shelf", "states", "this", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query ClassList($shelf:String!$states:[BookState!]$first:Int!$after:String){shelf(name:$shelf){books(states:$states first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["shelf", "states"],
    path: ["shelf", "books"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: classPlan,
  },
};

/** Changes. */
export const update: Action<ClassUpdateParams, Answer<Import>> = {
  name: "class.update",
  traits: actionTraits.update,
  params: ["number", "shelf", "title"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PATCH",
    path: "/shelves/{shelf}/books/{number}",
    query: [],
    body: ["title"],
    record: importPlan,
  },
  changes: ["title"],
};

/** Books on a shelf. Every name in this case is a word of the language or a name that generated modules use. */
export const entity: Entity = {
  actions: { list, update },
  record: classPlan,
  store: class_Store,
  brief: ["id", "class", "default", "entity", "key"],
  sync: [],
};
