import { type Command, command, config } from "../command.ts";

const id = { name: "id", help: "id of the subscription, such as sub_…" } as const;

const contentFlags = {
  url: { kind: "text", value: "ADDRESS", help: "https address that takes the deliveries" },
  entity: { kind: "list", value: "NAME", help: "only changes of this entity; may be repeated" },
  filter: { kind: "text", value: "JSON", help: "conditions, as in search; needs one entity" },
  fields: { kind: "list", value: "FIELDS", help: "also send these fields of the current record; needs one entity" },
} as const;

/** A command about one subscription that takes nothing else. */
function plain(name: "show" | "pause" | "resume" | "remove", summary: string): Command {
  return command({
    name: `subscription ${name}`,
    summary,
    arguments: [id],
    flags: { config },
    examples: [`tenon subscription ${name} sub_4fJ2kq0Zx81a`],
    load: async () => (await import("./subscription.ts"))[name],
  });
}

/** The commands about webhooks to programs, on the service of TENON_URL. */
export const subscriptionCommands: readonly Command[] = [
  command({
    name: "subscription add",
    summary: "send changes of cached records to a webhook; the secret is shown only once",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: {
      ...contentFlags,
      cursor: { kind: "text", value: "CURSOR", help: "start after this change (default: with the next new one)" },
      config,
    },
    examples: ["tenon subscription add <connector_id> --entity issues --url https://receiver.example/tenon"],
    load: async () => (await import("./subscription.ts")).add,
  }),
  command({
    name: "subscription list",
    summary: "list the webhooks to which changes are sent, with the position of each",
    arguments: [],
    flags: { config },
    examples: ["tenon subscription list"],
    load: async () => (await import("./subscription.ts")).list,
  }),
  plain("show", "show a subscription, as JSON"),
  command({
    name: "subscription update",
    summary: "change the address, entities, filter or fields",
    arguments: [id],
    flags: { ...contentFlags, config },
    examples: ["tenon subscription update sub_4fJ2kq0Zx81a --url https://receiver.example/other"],
    load: async () => (await import("./subscription.ts")).update,
  }),
  plain("pause", "stop deliveries until it is resumed; it keeps its position in the log"),
  plain("resume", "resume a subscription that was paused or disabled, where it stopped"),
  command({
    name: "subscription rotate",
    summary: "replace the secret that signs deliveries; the old one also signs for a while",
    arguments: [id],
    flags: { overlap: { kind: "text", value: "HOURS", help: "hours for which both sign (default 24)" }, config },
    examples: ["tenon subscription rotate sub_4fJ2kq0Zx81a --overlap 1"],
    load: async () => (await import("./subscription.ts")).rotate,
  }),
  command({
    name: "subscription redeliver",
    summary: "deliver changes again",
    arguments: [
      id,
      { name: "from", help: "webhook-id or sequence number of the first change, or the cursor of the one before it" },
      { name: "to", help: "webhook-id or sequence number of the last one (default: everything since <from>)", optional: true },
    ],
    flags: { config },
    examples: ["tenon subscription redeliver sub_4fJ2kq0Zx81a 4700", "tenon subscription redeliver sub_4fJ2kq0Zx81a 4700 4711"],
    load: async () => (await import("./subscription.ts")).redeliver,
  }),
  plain("remove", "delete a subscription"),
];
