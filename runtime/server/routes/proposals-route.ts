import type { Request, RequestHandler, Response } from "express";
import { invalidRequest, shown } from "../../base/errors.ts";
import { Faults } from "../../base/faults.ts";
import { isObject } from "../../base/is-object.ts";
import type { Logger } from "../../base/logger.ts";
import { type ProposalState, proposalStates } from "../../contract/index.ts";
import type { Decider, Proposals } from "../../policy/index.ts";
import type { Answers } from "../answers.ts";
import { callerOf } from "../callers/bearer.ts";
import { requireRight } from "../callers/permission.ts";
import type { Gate } from "../gate.ts";
import { type Instances, instanceOf, organizationOf } from "../instance-of.ts";
import { traceOf } from "../monitoring/trace.ts";
import { queryOf } from "../query.ts";

interface ProposalOptions {
  readonly proposals: Proposals;
  readonly instances: Instances;
  readonly gate: Gate;
  readonly log: Logger;
}

/** The routes under `/api/v1/proposals`: what waits for an approval, and the decision of a person about it. */
export function proposalRoutes({ proposals, instances, gate, log }: ProposalOptions, answers: Answers) {
  const deciderOf = (request: Request, response: Response): Decider => {
    const caller = callerOf(response);
    const looker = { grant: caller.grant, organization: organizationOf(request) };
    const requestId = String(response.locals["requestId"]);
    return { caller, find: (id) => instanceOf(instances, id, looker), log, requestId };
  };
  const route =
    (run: (request: Request, response: Response, decider: Decider) => Promise<unknown>): RequestHandler =>
    async (request, response) => {
      answers.sendJson(response, { data: await run(request, response, deciderOf(request, response)), meta: {} });
    };
  const idOf = (request: Request) => String(request.params["proposalId"]);
  const decision = (request: Request, response: Response, deed: string) => {
    Object.assign(traceOf(response), { deed, target: shown(idOf(request)) });
    requireRight(callerOf(response).grant, "approve");
    // The proposals note the decision in the audit log themselves, with the hash of what was shown.
    return () => Object.assign(traceOf(response), { isAudited: true });
  };
  return {
    list: route((request, _response, { caller, find }) => proposals.list(caller, find, stateOf(request))),
    get: route((request, _response, decider) => proposals.get(idOf(request), decider)),
    approve: route(async (request, response, decider) => {
      const decided = decision(request, response, "proposal.approve");
      const found = await gate.hold(proposals.approve(idOf(request), hashOf(request.body), decider));
      decided();
      return found;
    }),
    reject: route(async (request, response, decider) => {
      const decided = decision(request, response, "proposal.reject");
      const found = await proposals.reject(idOf(request), decider);
      decided();
      return found;
    }),
  };
}

/** @throws TenonError `invalid_request` */
function hashOf(body: unknown): string {
  const faults = new Faults();
  const given = isObject(body) ? body : {};
  if (!isObject(body)) faults.add([], "wrong_type", "The body must be an object.");
  faults.unknownNames([], "unknown_member", given, ["hash"], () => "An approval takes only hash.");
  const { hash } = given;
  if (typeof hash === "string" && !faults.any) return hash;
  if (!faults.any) faults.add(["hash"], "wrong_type", "hash must be that of the proposal, which says what was shown.");
  throw invalidRequest(faults.list);
}

/** The state in the query. @throws TenonError `invalid_request` */
function stateOf(request: Request): ProposalState | undefined {
  const faults = new Faults();
  const query = queryOf(request, ["query"]);
  faults.unknownNames(["query"], "unknown_param", query, ["state"], (name) => `The list has no parameter "${shown(name)}".`);
  const { state } = query;
  const found = proposalStates.find((one) => one === state);
  if (state !== undefined && found === undefined)
    faults.notAllowed(["query", "state"], "There is no such state.", state, proposalStates);
  if (faults.any) throw invalidRequest(faults.list);
  return found;
}
