/** Where a value stands in a delivery: in a header, or in the body at a path of keys. */
export type DeliveryValue =
  | { readonly header: string; readonly path?: never }
  | { readonly path: string; readonly header?: never };

/** How a delivery proves that the platform sent it: by a code over its bytes (HMAC), or by a text that only the two know. */
export type WebhookSignature =
  | {
      readonly header: string;
      readonly algorithm: "sha1" | "sha256" | "sha512";
      readonly encoding: "hex" | "base64";
      /** Stands before the code in the header. */
      readonly prefix?: string;
      /** The signed text: `{body}` stands for the bytes of the body, `{name}` for the header `name`. Default: the body alone. */
      readonly content?: string;
      readonly passcode?: never;
    }
  | { readonly passcode: string };

/** What to read after an event, of one entity. Without `key` and `parent`, the list of the entity is read. */
export interface WebhookRead {
  /** Path of the record's key. */
  readonly key?: string;
  /** Paths of the parameters that read a record which is not stored yet. */
  readonly params?: Readonly<Record<string, string>>;
  /** Path of the key of the record to which the changed one belongs: everything of this entity that belongs to it is read. */
  readonly parent?: string;
  /** Actions after which the whole list is read, because the beginning of the list does not show what is gone. */
  readonly deleted?: readonly string[];
  /** Paths that the body must have, or must not have. */
  readonly when?: string;
  readonly unless?: string;
}

/**
 * By kind of scope, its value with paths: `{repository.full_name}`, or several such values. A path with `[]` stands for each element of a
 * list; `*` stands for all scopes of the kind that are cached.
 */
export type WebhookScopes = Readonly<Record<string, string | readonly string[]>>;

/** What an event of the platform means. */
export interface WebhookEvent {
  /** By kind of scope, instead of those of the connector. */
  readonly scopes?: WebhookScopes;
  readonly reads?: Readonly<Record<string, WebhookRead>>;
  /** Actions after which all of the scopes is synced, such as a rename; `*` for every action. */
  readonly resync?: readonly string[];
}

/** A call that manages a webhook: `entity.action`, and its parameters beyond those of the scope, with placeholders such as `{url}`. */
export interface WebhookCall {
  readonly call: string;
  readonly params?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/** The calls that manage the webhook of a scope. */
export interface WebhookCalls {
  /** Takes `{url}` and `{secret}`; the record has the `id` that the other calls take as `{id}`. */
  readonly add: WebhookCall;
  /** Gives it a new secret. */
  readonly change: WebhookCall;
  readonly remove: WebhookCall;
  /** Has the platform call it. */
  readonly ping: WebhookCall;
  /**
   * Lists what was sent to it, the newest first. `id`, `name` and `status` are fields of its records: the id for `redeliver`, what names
   * the delivery here, and the HTTP status that the platform got.
   */
  readonly deliveries?: WebhookCall & { readonly id: string; readonly name: string; readonly status: string };
  /** Has the platform send `{delivery}` again. `among`: parameters with which `deliveries` lists what was not delivered. */
  readonly redeliver?: WebhookCall & { readonly among?: WebhookCall["params"] };
}

/** How webhooks are added on a platform. */
export interface WebhookSetup {
  /** Where people add one. */
  readonly where: string;
  /** The platform makes the secret, and shows it to people. */
  readonly secret?: "platform";
  /** By kind of scope, the calls that do it. */
  readonly scopes?: Readonly<Record<string, WebhookCalls>>;
}

/** The webhooks of a platform: how deliveries are verified, and what each says of the cache. */
export interface WebhookPlan {
  readonly event: DeliveryValue;
  /** What names a delivery, so that it is taken once. Default: the digest of its body. */
  readonly delivery?: DeliveryValue;
  /** Path of what happened, such as `deleted`. */
  readonly action?: string;
  readonly signature: WebhookSignature;
  /** When a delivery was sent, and for how many seconds it is good. */
  readonly timestamp?: DeliveryValue & { readonly as: "seconds" | "milliseconds" | "date"; readonly tolerance: number };
  readonly setup: WebhookSetup;
  readonly scopes: WebhookScopes;
  readonly events: Readonly<Record<string, WebhookEvent>>;
}
