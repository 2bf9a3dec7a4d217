import { hash } from "node:crypto";
import {
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { TenonError } from "../base/errors.ts";
import type { ApprovalPage } from "./host.ts";
import type { Arguments } from "./target.ts";

/** What the client gives back when the person has decided: the key of the write, and of which call it is. */
interface Waiting {
  readonly key: string;
  readonly call: string;
}

/** Seconds that a person has, before the client has to call again without the state. */
const patience = 60 * 60;

/**
 * Sends the user of a client to the page on which a person with another key approves a write, by revision 2026-07-28: the call is answered
 * with the address, and the client repeats it with the state. The state gives nobody a right. It leads to the outcome of the one write,
 * which is sent once whatever comes back.
 */
export function approvalDialog({ url, secret, caller }: ApprovalPage) {
  const codec = createRequestStateCodec<Waiting>({ key: secret, ttlSeconds: patience, bind: () => caller });
  const callOf = (tool: string, args: Arguments) => hash("sha256", JSON.stringify([tool, args]), "base64url");
  return {
    verify: codec.verify,

    /** The arguments of a call, with the key of the write that it repeats. @throws ProtocolError for the state of another call */
    argumentsOf(tool: string, args: Arguments, { mcpReq }: ServerContext): Arguments {
      const waiting = mcpReq.requestState<Waiting>();
      if (waiting === undefined) return args;
      if (waiting.call !== callOf(tool, args))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState: it is of another call.");
      return { ...args, idempotency_key: waiting.key };
    },

    /** Asks for the decision. @returns undefined for any other error, and when the client has asked already */
    async ask(tool: string, args: Arguments, thrown: unknown, context: ServerContext): Promise<InputRequiredResult | undefined> {
      const { proposal } = thrown instanceof TenonError && thrown.code === "approval_required" ? thrown : {};
      if (proposal === undefined || !("idempotency_key" in proposal) || context.mcpReq.requestState() !== undefined)
        return undefined;
      const state = { key: String(proposal.idempotency_key), call: callOf(tool, args) };
      const message = "A person with another key has to approve this write. Continue when it is decided.";
      return inputRequired({
        inputRequests: { approval: inputRequired.elicitUrl({ url, message }) },
        requestState: await codec.mint(state, context),
      });
    },
  };
}
