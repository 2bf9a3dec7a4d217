// Generated from spec/stripe/products.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { productsStore } from "./facts.ts";
import { createParams, getParams, listParams, updateParams } from "./validators/products.js";

/** Goods and services that are sold. */
export interface Product {
  /** Id. */
  readonly id: string;
  /** Whether it can be used. */
  readonly active: boolean;
  /** When it was created. */
  readonly created: string;
  /** Id of its usual price. */
  readonly defaultPrice: string | null;
  /** Description. */
  readonly description: string | null;
  /** Whether it is real and not a test. */
  readonly livemode: boolean;
  /** Name. */
  readonly name: string;
  /** When it was last changed. */
  readonly updated: string;
  /** Its web page. */
  readonly url: string | null;
  /** Texts of the account's own. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ProductsGetParams {
  /** Id. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface ProductsListParams {
  /** Only those that are or are not for sale. */
  readonly active?: boolean;
  /** Only what was created then. */
  readonly created?: { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number };
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface ProductsCreateParams {
  /** Name. */
  readonly name: string;
  /** Whether it is for sale. */
  readonly active?: boolean;
  /** Description. An empty text removes it. */
  readonly description?: string;
  /** Texts of your own, by up to 50 names. An empty text removes one. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Its web page. */
  readonly url?: string;
  readonly fields?: readonly FieldPath[];
}

export interface ProductsUpdateParams {
  /** Id. */
  readonly id: string;
  /** Whether it is for sale. */
  readonly active?: boolean;
  /** Description. An empty text removes it. */
  readonly description?: string;
  /** Texts of your own, by up to 50 names. An empty text removes one. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Name. */
  readonly name?: string;
  /** Its web page. */
  readonly url?: string;
  readonly fields?: readonly FieldPath[];
}

export const productPlan: RecordPlan = {
  name: "Product",
  fields: {
    id: { read: "id", always: true },
    active: { read: "active", always: true, is: "boolean" },
    created: { read: "created", always: true, as: { kind: "seconds" }, is: "timestamp" },
    defaultPrice: { read: "default_price", as: { kind: "id" } },
    description: { read: "description" },
    livemode: { read: "livemode", always: true, is: "boolean" },
    name: { read: "name", always: true },
    updated: { read: "updated", always: true, as: { kind: "seconds" }, is: "timestamp" },
    url: { read: "url" },
    metadata: { read: "metadata", always: true, open: true, onRequest: true },
  },
};

/** Reads one product. */
export const get: Action<ProductsGetParams, Single<Product>> = {
  name: "products.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/v1/products/{id}", query: [], body: [], record: productPlan },
};

/** Lists products, newest first. */
export const list: Action<ProductsListParams, Page<Product>> = {
  name: "products.list",
  traits: actionTraits.list,
  params: ["active", "created", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/products",
    query: [
      "active",
      { param: "created", name: "created", join: "brackets", members: ["gt", "gte", "lt", "lte"] },
      { param: "per_page", name: "limit" },
    ],
    body: [],
    answer: "data",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "starting_after", next: "data[-1].id", end: { more: "has_more" } },
    },
    record: productPlan,
  },
};

/** Creates a product. */
export const create: Action<ProductsCreateParams, Answer<Product>> = {
  name: "products.create",
  traits: actionTraits.create,
  params: ["name", "active", "description", "metadata", "url"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v1/products",
    query: [],
    body: ["name", "active", "description", "metadata", "url"],
    form: true,
    record: productPlan,
  },
};

/** Changes a product. */
export const update: Action<ProductsUpdateParams, Answer<Product>> = {
  name: "products.update",
  traits: actionTraits.update,
  params: ["id", "active", "description", "metadata", "name", "url"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v1/products/{id}",
    query: [],
    body: ["active", "description", "metadata", "name", "url"],
    form: true,
    record: productPlan,
  },
  changes: ["active", "description", "metadata", "name", "url"],
};

/** Goods and services that are sold. */
export const entity: Entity = {
  actions: { get, list, create, update },
  record: productPlan,
  store: productsStore,
  brief: ["id", "name", "active", "created"],
  sync: [{ scope: "account", action: list, size: { param: "per_page", value: 100 } }],
};
