import type { Caller, StoredCaller } from "../accounts/index.ts";
import type { Trace } from "../server/monitoring/trace.ts";

/** The fields of a form, by their names. Nothing else is known of them. */
export type FormFields = Readonly<Record<string, string>>;

/** Something that was done. A value that may be absent is a list of at most one element. */
export interface Done {
  readonly text: string;
  /** Shown this once, and never again. */
  readonly secrets: readonly { readonly label: string; readonly value: string }[];
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

/** What is about to be done: it was checked, and waits for a confirmation. */
export interface PreparedAction {
  /** As a question, such as "Sync acme now?". */
  readonly question: string;
  /** What it will do, and with what. A secret is never among it. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly warning: string;
  /** The text of the button. */
  readonly verb: string;
  /** Where the viewer goes who does not confirm. */
  readonly back: string;
  /** Does it, and notes in the trace what was done to what. @throws TenonError */
  readonly run: (context: ActionContext) => Promise<Done>;
}

export interface ActionContext {
  readonly caller: Caller;
  readonly trace: Trace;
  /** Aborted when the viewer has gone. */
  readonly signal: AbortSignal;
}

/** Checks what a form asks for, and does nothing yet. @throws TenonError when the caller may not do it, or something is wrong */
export type PageAction = (caller: Caller, fields: FormFields) => Promise<PreparedAction>;

/** What a caller may do on the page. */
export interface Permissions {
  /** Start a sync. */
  readonly sync: boolean;
  /** Stop syncs and forget scopes, which concerns all entities. */
  readonly control: boolean;
  /** Add and rotate connectors. */
  readonly connectors: boolean;
  /** Create and revoke keys and clients. */
  readonly keys: boolean;
  /** Have changes sent to a webhook. */
  readonly subscribe: boolean;
}

/** A connector as the form for a new one shows it. */
export interface ConnectorForm {
  readonly name: string;
  readonly title: string;
  /** Its kinds of credentials, with the values that each has. */
  readonly kinds: readonly string[];
  readonly variables: readonly string[];
}

/** A write that waits for an approval, as the page lists it. */
export interface WaitingWrite {
  readonly id: string;
  readonly connector_id: string;
  readonly entity: string;
  readonly action: string;
  readonly proposed_by: { readonly id: string; readonly name: string };
  readonly expires_at: string;
}

/** A webhook to a receiver, as the page lists it. */
export interface SentChanges {
  readonly id: string;
  readonly connector_id: string;
  readonly owner: string;
  readonly url: string;
  readonly entity: readonly string[] | null;
  readonly filter?: unknown;
  readonly fields?: unknown;
  readonly state: string;
  readonly reason: string | null;
  readonly position: number;
  readonly redelivery: object | null;
  readonly failures: number;
  readonly failing_since: string | null;
  readonly next_attempt_at: string | null;
  readonly last_delivery_at: string | null;
  readonly last_outcome: string | null;
}

/** What the page can change: the same that the command line and the routes change, by the same functions. */
export interface Administration {
  /** By the names under which the audit log has them, such as `key.create`. */
  readonly actions: ReadonlyMap<string, PageAction>;
  readonly permissions: (caller: Caller) => Permissions;
  /** Ids of the connectors that were added; those of the settings are not among them. */
  readonly added: () => Promise<ReadonlySet<string>>;
  readonly connectors: readonly ConnectorForm[];
  /** Writes that wait for an approval, of those that a caller may see. */
  readonly proposals: (caller: Caller) => Promise<readonly WaitingWrite[]>;
  /** Webhooks to receivers that a caller may see, the oldest first. */
  readonly subscriptions: (caller: Caller) => Promise<readonly SentChanges[]>;
  /** Keys and clients that a caller may see, the newest first. */
  readonly callers: (caller: Caller) => Promise<readonly StoredCaller[]>;
}
