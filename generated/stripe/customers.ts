// Generated from spec/stripe/customers.yaml by `make generate`. Do not edit.

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
import { customersStore } from "./facts.ts";
import {
  apiSearchParams,
  createParams,
  deleteActionParams,
  getParams,
  listParams,
  updateParams,
} from "./validators/customers.js";

/** People and companies that pay. */
export interface Customer {
  /** Id. */
  readonly id: string;
  /** Address. */
  readonly address: Address | null;
  /** What is owed to it (below 0) or by it, in the smallest unit. */
  readonly balance: number | null;
  /** City of the address. */
  readonly city: string | null;
  /** When it was created. */
  readonly created: string | null;
  /** Currency of its invoices. */
  readonly currency: string | null;
  /** True where it was removed: then only its id is known. Null otherwise. */
  readonly deleted: boolean | null;
  /** Whether a payment is overdue. */
  readonly delinquent: boolean | null;
  /** Description. */
  readonly description: string | null;
  /** E-mail address. */
  readonly email: string | null;
  /** Whether it is real and not a test. */
  readonly livemode: boolean | null;
  /** Name. */
  readonly name: string | null;
  /** Phone number. */
  readonly phone: string | null;
  /** Texts of the account's own. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A postal address. */
export interface Address {
  /** City. */
  readonly city: string | null;
  /** Country as two letters. */
  readonly country: string | null;
  /** Street. */
  readonly line1: string | null;
  /** More of it. */
  readonly line2: string | null;
  /** Postal code. */
  readonly postalCode: string | null;
  /** State or region. */
  readonly state: string | null;
}

/** Says what was removed. */
export interface Deleted {
  /** Whether it was removed. */
  readonly deleted: boolean;
  /** Id. */
  readonly id: string;
}

export interface CustomersGetParams {
  /** Id. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface CustomersListParams {
  /** Only what was created then. */
  readonly created?: { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number };
  /** Only those with exactly this address. */
  readonly email?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface CustomersApiSearchParams {
  /** Query. */
  readonly query: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface CustomersCreateParams {
  /** Postal address. */
  readonly address?: { readonly city?: string; readonly country?: string; readonly line1?: string; readonly line2?: string; readonly postalCode?: string; readonly state?: string };
  /** Description. An empty text removes it. */
  readonly description?: string;
  /** E-mail address. */
  readonly email?: string;
  /** Texts of your own, by up to 50 names. An empty text removes one. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Name. */
  readonly name?: string;
  /** Phone number. */
  readonly phone?: string;
  readonly fields?: readonly FieldPath[];
}

export interface CustomersUpdateParams {
  /** Id. */
  readonly id: string;
  /** Postal address. */
  readonly address?: { readonly city?: string; readonly country?: string; readonly line1?: string; readonly line2?: string; readonly postalCode?: string; readonly state?: string };
  /** Description. An empty text removes it. */
  readonly description?: string;
  /** New address. */
  readonly email?: string;
  /** Texts of your own, by up to 50 names. An empty text removes one. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Name. */
  readonly name?: string;
  /** New number. */
  readonly phone?: string;
  readonly fields?: readonly FieldPath[];
}

export interface CustomersDeleteParams {
  /** Id. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export const customerPlan: RecordPlan = {
  name: "Customer",
  fields: {
    id: { read: "id", always: true },
    address: { read: "address", of: () => addressPlan },
    balance: { read: "balance", is: "integer" },
    city: { read: "address.city" },
    created: { read: "created", as: { kind: "seconds" }, is: "timestamp" },
    currency: { read: "currency" },
    deleted: { read: "deleted", is: "boolean" },
    delinquent: { read: "delinquent", is: "boolean" },
    description: { read: "description" },
    email: { read: "email" },
    livemode: { read: "livemode", is: "boolean" },
    name: { read: "name" },
    phone: { read: "phone" },
    metadata: { read: "metadata", always: true, open: true, onRequest: true },
  },
};

export const addressPlan: RecordPlan = {
  name: "Address",
  fields: {
    city: { read: "city" },
    country: { read: "country" },
    line1: { read: "line1" },
    line2: { read: "line2" },
    postalCode: { read: "postal_code" },
    state: { read: "state" },
  },
};

export const deletedPlan: RecordPlan = {
  name: "Deleted",
  fields: { deleted: { read: "deleted", always: true, is: "boolean" }, id: { read: "id", always: true } },
};

/** Reads one customer. One that was removed has `deleted`, and no other field beside its id. */
export const get: Action<CustomersGetParams, Single<Customer>> = {
  name: "customers.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/v1/customers/{id}", query: [], body: [], record: customerPlan },
};

/** Lists customers, newest first. */
export const list: Action<CustomersListParams, Page<Customer>> = {
  name: "customers.list",
  traits: actionTraits.list,
  params: ["created", "email", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/customers",
    query: [
      { param: "created", name: "created", join: "brackets", members: ["gt", "gte", "lt", "lte"] },
      "email",
      { param: "per_page", name: "limit" },
    ],
    body: [],
    answer: "data",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "starting_after", next: "data[-1].id", end: { more: "has_more" } },
    },
    record: customerPlan,
  },
};

/** Searches customers in Stripe's query language. */
export const apiSearch: Action<CustomersApiSearchParams, Page<Customer>> = {
  name: "customers.api_search",
  traits: actionTraits.api_search,
  params: ["query", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/customers/search",
    query: ["query", { param: "per_page", name: "limit" }],
    body: [],
    answer: "data",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "page", next: "next_page", end: { more: "has_more" } },
    },
    record: customerPlan,
  },
};

/** Creates a customer. */
export const create: Action<CustomersCreateParams, Answer<Customer>> = {
  name: "customers.create",
  traits: actionTraits.create,
  params: ["address", "description", "email", "metadata", "name", "phone"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v1/customers",
    query: [],
    body: [
      {
        param: "address",
        name: "address",
        members: ["city", "country", "line1", "line2", { param: "postalCode", name: "postal_code" }, "state"],
      },
      "description",
      "email",
      "metadata",
      "name",
      "phone",
    ],
    form: true,
    record: customerPlan,
  },
};

/** Changes a customer. */
export const update: Action<CustomersUpdateParams, Answer<Customer>> = {
  name: "customers.update",
  traits: actionTraits.update,
  params: ["id", "address", "description", "email", "metadata", "name", "phone"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v1/customers/{id}",
    query: [],
    body: [
      {
        param: "address",
        name: "address",
        members: ["city", "country", "line1", "line2", { param: "postalCode", name: "postal_code" }, "state"],
      },
      "description",
      "email",
      "metadata",
      "name",
      "phone",
    ],
    form: true,
    record: customerPlan,
  },
  changes: ["address", "description", "email", "metadata", "name", "phone"],
};

/** Removes a customer and ends its subscriptions. */
export const deleteAction: Action<CustomersDeleteParams, Answer<Deleted>> = {
  name: "customers.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["id"],
  validate: deleteActionParams,
  operation: { kind: "rest", method: "DELETE", path: "/v1/customers/{id}", query: [], body: [], record: deletedPlan },
};

/** People and companies that pay. */
export const entity: Entity = {
  actions: { get, list, api_search: apiSearch, create, update, delete: deleteAction },
  record: customerPlan,
  store: customersStore,
  brief: ["id", "name", "email", "created"],
  sync: [{ scope: "account", action: list, size: { param: "per_page", value: 100 } }],
};
