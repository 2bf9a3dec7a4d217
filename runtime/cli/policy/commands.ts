import { type Command, command, config } from "../command.ts";

const file = { name: "file", help: "file with a policy (default: that of TENON_POLICY)", optional: true } as const;

/** The commands about the policy for writes. */
export const policyCommands: readonly Command[] = [
  command({
    name: "policy check",
    summary: "say whether a policy for writes can be used, and if not, what is wrong where",
    arguments: [file],
    flags: { config },
    examples: ["tenon policy check", "tenon policy check policy.yaml"],
    load: async () => (await import("./policy.ts")).check,
  }),
  command({
    name: "policy show",
    summary: "list the rules of the policy for writes, in the order in which they count",
    arguments: [file],
    flags: { config },
    examples: ["tenon policy show"],
    load: async () => (await import("./policy.ts")).show,
  }),
  command({
    name: "policy dry-run",
    summary: "say what a policy would have done with the writes in the audit log",
    arguments: [file],
    flags: {
      since: { kind: "text", value: "TIME", help: "only the last part of the log, such as 12h or 7d (default: all of it)" },
      config,
    },
    examples: ["tenon policy dry-run policy.yaml --since 7d"],
    load: async () => (await import("./policy.ts")).dryRun,
  }),
];
