import { withEnvironment } from "./connector-client.ts";
import { HostedTransport } from "./hosted.ts";
import type { HostedOptions } from "./options.ts";

/** A write that waits for the approval of a person, or did. Times are ISO 8601. */
export interface Proposal {
  readonly id: string;
  readonly state: "pending" | "sending" | "done" | "failed" | "in_doubt" | "rejected" | "changed" | "withdrawn" | "expired";
  readonly connector_id: string;
  readonly entity: string;
  readonly action: string;
  readonly proposed_by: { readonly id: string; readonly name: string };
  readonly intent: string | null;
  readonly reason: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  readonly hash: string;
  readonly idempotency_key: string;
}

/** A proposal with its exact request, what it changes, and its outcome. */
export interface WholeProposal extends Proposal {
  readonly params: Readonly<Record<string, unknown>>;
  readonly changes: readonly { readonly field: string; readonly from?: unknown; readonly to?: unknown }[];
  readonly outcome: unknown;
}

/** Milliseconds that one call may take. */
const usualTimeout = 60_000;

/** The writes of a service that wait for an approval. All methods throw {@link CallError}. */
export class Proposals {
  readonly #transport: HostedTransport;

  /** @param options as of a client in hosted mode; what they leave open comes from the environment */
  constructor(options: HostedOptions = {}) {
    this.#transport = new HostedTransport("", withEnvironment(options));
  }

  /** The latest 100, the latest first. @param state only those in this state */
  list(state?: Exclude<Proposal["state"], "expired">): Promise<readonly Proposal[]> {
    return this.#call("GET", state === undefined ? "" : `?state=${state}`);
  }

  get(id: string): Promise<WholeProposal> {
    return this.#call("GET", pathOf(id));
  }

  /** Sends the write, once. It takes the right `approve` and another key than that of the proposal. @param hash of what was shown */
  approve(id: string, hash: string): Promise<WholeProposal> {
    return this.#call("POST", `${pathOf(id)}/approve`, { hash });
  }

  reject(id: string): Promise<WholeProposal> {
    return this.#call("POST", `${pathOf(id)}/reject`);
  }

  async #call<Found>(method: "GET" | "POST", path: string, body?: object): Promise<Found> {
    const { data } = await this.#transport.call(method, `/api/v1/proposals${path}`, body, AbortSignal.timeout(usualTimeout));
    return data as Found;
  }
}

function pathOf(id: string): string {
  return `/${encodeURIComponent(id)}`;
}
