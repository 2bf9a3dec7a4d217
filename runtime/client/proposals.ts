import type { Proposal, WholeProposal } from "../contract/proposal.ts";
import { ServiceObjects } from "./service-objects.ts";

/** The writes of a service that wait for an approval. All methods throw {@link CallError}. */
export class Proposals extends ServiceObjects {
  protected override readonly path = "/api/v1/proposals";

  /** The latest 100, the latest first. @param state only those in this state */
  list(state?: Exclude<Proposal["state"], "expired">): Promise<readonly Proposal[]> {
    return this.call("GET", state === undefined ? "" : `?state=${state}`);
  }

  get(id: string): Promise<WholeProposal> {
    return this.call("GET", this.pathOf(id));
  }

  /** Sends the write, once. It takes the right `approve` and another key than that of the proposal. @param hash of what was shown */
  approve(id: string, hash: string): Promise<WholeProposal> {
    return this.call("POST", `${this.pathOf(id)}/approve`, { hash });
  }

  reject(id: string): Promise<WholeProposal> {
    return this.call("POST", `${this.pathOf(id)}/reject`);
  }
}
