import { markedJson, visibleLine } from "../../base/visible-text.ts";
import { Proposals } from "../../client/proposals.ts";
import { proposalStates, type WholeProposal } from "../../contract/index.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { printRows } from "../output/output.ts";
import { out } from "../output/standard-output.ts";
import { serviceOptions } from "../service-options.ts";

interface Flags {
  readonly config: string | undefined;
}

/** Only a service knows who decides: the key that the settings name. @throws CommandError */
function serviceOf({ config }: Flags): Proposals {
  return new Proposals(serviceOptions(config, "a key with the right approve"));
}

/** `tenon proposals`: those that wait, or one with all that a person has to see. */
export const proposals = {
  async run([id]: readonly string[], flags: Flags & { readonly state: string | undefined }): Promise<number> {
    const service = serviceOf(flags);
    if (id !== undefined) {
      show(await service.get(id));
      return 0;
    }
    const state = proposalStates.find((one) => one === (flags.state ?? "pending"));
    if (state === undefined) throw new CommandError(`--state must be one of ${proposalStates.join(", ")}`, exitStatus.usage);
    const rows = (await service.list(state)).map(({ id, state, connector_id, entity, action, proposed_by, expires_at }) => ({
      id,
      state,
      connector: connector_id,
      action: `${entity}.${action}`,
      by: `${proposed_by.name} (${proposed_by.id})`,
      expires: expires_at,
    }));
    printRows(rows, state === "pending" ? "No write waits for an approval." : `No proposal is ${state}.`);
    return 0;
  },
};

/** `tenon approve`: sends exactly what was shown. */
export const approve = {
  async run([id = ""]: readonly string[], { shown, ...flags }: Flags & { readonly shown: string | undefined }): Promise<number> {
    const service = serviceOf(flags);
    if (shown !== undefined) {
      show(await service.approve(id, shown));
      return 0;
    }
    const found = await service.get(id);
    show(found);
    if (found.state !== "pending") throw new CommandError(`the proposal is ${found.state} already`, exitStatus.failed);
    process.stderr.write(`Nothing was sent. To send exactly this: tenon approve ${found.id} --shown ${found.hash}\n`);
    return 0;
  },
};

/** `tenon reject`. */
export const reject = {
  async run([id = ""]: readonly string[], flags: Flags): Promise<number> {
    show(await serviceOf(flags).reject(id));
    return 0;
  },
};

/** Prints a proposal: lines for people, JSON elsewhere. */
function show(proposal: WholeProposal): void {
  for (const line of out.isTTY ? proposalLines(proposal) : [JSON.stringify(proposal)]) out.line(line);
}

/** A proposal for people. What was sent or will be sent has a mark for each character that they would not see. */
export function proposalLines(proposal: WholeProposal): string[] {
  const { id, state, connector_id, entity, action, proposed_by, intent, reason, expires_at, params, changes, outcome } = proposal;
  const text = (value: unknown) => (value === undefined ? "(not known)" : markedJson(value));
  return [
    ...[
      `${id}: ${state}, ${entity}.${action} on ${connector_id}`,
      `proposed by ${proposed_by.name} (${proposed_by.id}), until ${expires_at}`,
      ...(intent === null ? [] : [`intent: ${intent}`]),
      ...(reason === null ? [] : [`reason: ${reason}`]),
    ].map(visibleLine),
    `request: ${text(params)}`,
    ...changes.map(({ field, from, to }) => `${field}: ${text(from)} → ${to === undefined ? "(not set)" : text(to)}`),
    ...(outcome === null ? [] : [`outcome: ${text(outcome)}`]),
  ];
}
