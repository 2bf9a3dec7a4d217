import { TenonError } from "../base/errors.ts";
import type { GuardedWrite, WriteGuard } from "../execute/index.ts";
import { changedFields, decide, type PolicyWrite } from "./policy.ts";
import type { PolicyFile } from "./policy-file.ts";
import type { Proposals } from "./proposals.ts";

/** Holds each write to the policy. */
export class PolicyGuard implements WriteGuard {
  readonly #file: PolicyFile;
  readonly #proposals: Proposals;

  constructor(file: PolicyFile, proposals: Proposals) {
    this.#file = file;
    this.#proposals = proposals;
  }

  async admit(write: GuardedWrite): Promise<void> {
    const rule = decide(await this.#file.forWrite(write.context.log), policyWrite(write))?.rule;
    if (rule?.effect === "reject") throw rejected(write, rule.reason);
    if (rule?.effect === "require_approval" && !this.#proposals.takeApproval(write))
      throw await this.#proposals.propose(write, rule.reason);
  }
}

function policyWrite({ instance, request, context }: GuardedWrite): PolicyWrite {
  const { action, params } = request;
  const { id, name } = context.author ?? { id: "", name: "" };
  const end = action.name.lastIndexOf(".");
  return {
    caller: [id, name],
    connector: [instance.id, instance.connector.name],
    entity: action.name.slice(0, end),
    action: action.name.slice(end + 1),
    params,
    fields: changedFields(action, params),
  };
}

function rejected({ request }: GuardedWrite, reason: string | undefined): TenonError {
  const why = reason === undefined ? "" : ` ${reason}`;
  return new TenonError("write_rejected", `The policy does not allow this ${request.action.name}. Nothing was sent.${why}`);
}
