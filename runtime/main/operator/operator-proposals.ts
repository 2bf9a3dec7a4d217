import type { Caller } from "../../accounts/index.ts";
import type { ActionContext, PageAction } from "../../admin/index.ts";
import type { Logger } from "../../base/logger.ts";
import { markedJson } from "../../base/visible-text.ts";
import type { WholeProposal } from "../../contract/index.ts";
import type { Decider, Proposals } from "../../policy/index.ts";
import { requireRight } from "../../server/callers/permission.ts";
import { type Instances, instanceOf } from "../../server/instance-of.ts";
import { done } from "./operator-pages.ts";

interface Options {
  readonly proposals: Proposals;
  readonly instances: Instances;
  readonly log: Logger;
}

const page = "/admin/proposals";

/** Finds instances for a caller of the operator's page. */
export function finder({ instances }: Pick<Options, "instances">, { grant }: Pick<Caller, "grant">): Decider["find"] {
  return (id) => instanceOf(instances, id, { grant });
}

/** Approves and rejects writes that wait, for the operator's page. What the confirmation shows is what is sent. */
export function proposalActions(options: Options): [string, PageAction][] {
  const { proposals, log } = options;
  const action = (
    verb: "approve" | "reject",
    warning: string,
    run: (proposal: WholeProposal, decider: Decider) => Promise<WholeProposal>,
  ): [string, PageAction] => [
    `proposal.${verb}`,
    async (caller, { id = "" }) => {
      requireRight(caller.grant, "approve");
      const found = await proposals.get(id, { caller, find: finder(options, caller) });
      const { entity, action, connector_id } = found;
      return {
        question: `${verb === "approve" ? "Approve" : "Reject"} ${entity}.${action} on ${connector_id}?`,
        facts: factsOf(found),
        warning,
        verb: verb === "approve" ? "Approve and send" : "Reject",
        back: page,
        run: async ({ caller, trace }: ActionContext) => {
          Object.assign(trace, { deed: `proposal.${verb}`, target: id });
          const { state } = await run(found, { caller, find: finder(options, caller), log, requestId: id });
          // The proposals have noted it in the audit log, with the hash of what was shown.
          trace.isAudited = true;
          return done(`The write ${id} is ${state}.`, page);
        },
      };
    },
  ];
  return [
    action("approve", "It is sent once, exactly as it is shown.", ({ id, hash }, decider) =>
      proposals.approve(id, hash, decider),
    ),
    action("reject", "It is never sent, and the same request is refused until it would have expired.", ({ id }, decider) =>
      proposals.reject(id, decider),
    ),
  ];
}

/** Everything that a person has to see. */
function factsOf({ proposed_by, intent, reason, expires_at, params, changes, hash }: WholeProposal) {
  const text = (value: unknown) => (value === undefined ? "not known" : markedJson(value));
  const absent = (name: string, value: string | null) => (value === null ? [] : [{ name, value }]);
  return [
    { name: "Proposed by", value: `${proposed_by.name} (${proposed_by.id}), until ${expires_at}` },
    ...absent("Intent", intent),
    ...absent("Reason", reason),
    ...changes.map(({ field, from, to }) => ({
      name: field,
      value: `${text(from)} → ${to === undefined ? "not set" : text(to)}`,
    })),
    { name: "Request", value: markedJson(params) },
    { name: "Hash", value: hash },
  ];
}
