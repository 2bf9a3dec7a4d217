import { type Command, command, config } from "../command.ts";

const file = { name: "file", help: "file with a policy (default: that of TENON_POLICY)", optional: true } as const;

const proposal = { name: "id", help: "id of the proposal, such as prop_…" } as const;

/** The commands about the policy for writes, and about the writes that wait for an approval. */
export const policyCommands: readonly Command[] = [
  command({
    name: "policy check",
    summary: "check a policy for writes, and report each problem with its line",
    arguments: [file],
    flags: { config },
    examples: ["tenon policy check", "tenon policy check policy.yaml"],
    load: async () => (await import("./policy.ts")).check,
  }),
  command({
    name: "policy show",
    summary: "list the rules of the policy for writes, in the order in which they apply",
    arguments: [file],
    flags: { config },
    examples: ["tenon policy show"],
    load: async () => (await import("./policy.ts")).show,
  }),
  command({
    name: "policy dry-run",
    summary: "report what a policy would have done with the writes in the audit log",
    stored: "accounts",
    arguments: [file],
    flags: {
      since: { kind: "text", value: "TIME", help: "only the last part of the log, such as 12h or 7d (default: all of it)" },
      config,
    },
    examples: ["tenon policy dry-run policy.yaml --since 7d"],
    load: async () => (await import("./policy.ts")).dryRun,
  }),
  command({
    name: "proposals",
    summary: "list the writes that wait for an approval on the service of TENON_URL, or show one",
    arguments: [{ ...proposal, optional: true }],
    flags: {
      state: {
        kind: "text",
        value: "STATE",
        help: "pending (default), sending, done, failed, in_doubt, rejected, changed or withdrawn",
      },
      config,
    },
    examples: ["tenon proposals", "tenon proposals prop_4fJ2kq0Zx81a", "tenon proposals --state done"],
    load: async () => (await import("./proposals.ts")).proposals,
  }),
  command({
    name: "approve",
    summary: "approve a write that waits for an approval, which is then sent once",
    arguments: [proposal],
    flags: {
      shown: { kind: "text", value: "HASH", help: "hash that was shown with the write; without it, the write is only shown" },
      config,
    },
    examples: ["tenon approve prop_4fJ2kq0Zx81a", "tenon approve prop_4fJ2kq0Zx81a --shown 9hW1nQ0aXr3bT5cVy7dZ2e"],
    load: async () => (await import("./proposals.ts")).approve,
  }),
  command({
    name: "reject",
    summary: "reject a write that waits for an approval, which is then never sent",
    arguments: [proposal],
    flags: { config },
    examples: ["tenon reject prop_4fJ2kq0Zx81a"],
    load: async () => (await import("./proposals.ts")).reject,
  }),
];
