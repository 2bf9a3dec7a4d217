import { WebhookSubscriptions } from "../../client/subscriptions.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { printRows } from "../output/output.ts";
import { out } from "../output/standard-output.ts";
import { names, readJson } from "../request/params.ts";
import { serviceOptions } from "../service-options.ts";

interface Flags {
  readonly config: string | undefined;
}

interface ContentFlags extends Flags {
  readonly url: string | undefined;
  readonly entity: readonly string[];
  readonly filter: string | undefined;
  readonly fields: readonly string[];
}

function serviceOf({ config }: Flags): WebhookSubscriptions {
  return new WebhookSubscriptions(serviceOptions(config, "a key with the right read"));
}

/** What the flags say of the content. */
async function contentOf({ url, filter, ...flags }: ContentFlags) {
  const [entity, fields] = [names(flags.entity), names(flags.fields)];
  return {
    ...(url === undefined ? {} : { url }),
    ...(entity.length === 0 ? {} : { entity }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(filter === undefined ? {} : { filter: await readJson(filter, "--filter") }),
  };
}

/** `tenon subscription add`. */
export const add = {
  async run([connector = ""]: readonly string[], { cursor, ...flags }: ContentFlags & { readonly cursor: string | undefined }) {
    const { url } = flags;
    if (url === undefined) throw new CommandError("--url must be the address that takes the deliveries", exitStatus.usage);
    const service = serviceOf(flags);
    return shown(await service.create(connector, { ...(await contentOf(flags)), url }, cursor));
  },
};

/** `tenon subscription list`. */
export const list = {
  async run(_: readonly string[], flags: Flags): Promise<number> {
    const rows = (await serviceOf(flags).list()).map((one) => ({
      id: one.id,
      state: one.reason === null ? one.state : `${one.state} (${one.reason})`,
      connector: one.connector_id,
      entity: one.entity,
      url: one.url,
      position: one.position,
      failures: one.failures,
      last: one.last_outcome,
      at: one.last_delivery_at,
    }));
    printRows(rows, "There is no subscription.");
    return 0;
  },
};

export const show = { run: async ([id = ""]: readonly string[], flags: Flags) => shown(await serviceOf(flags).get(id)) };

export const update = {
  run: async ([id = ""]: readonly string[], flags: ContentFlags) =>
    shown(await serviceOf(flags).update(id, await contentOf(flags))),
};

export const pause = {
  run: async ([id = ""]: readonly string[], flags: Flags) => shown(await serviceOf(flags).update(id, { state: "paused" })),
};

export const resume = {
  run: async ([id = ""]: readonly string[], flags: Flags) => shown(await serviceOf(flags).update(id, { state: "active" })),
};

export const remove = {
  run: async ([id = ""]: readonly string[], flags: Flags) => shown(await serviceOf(flags).remove(id)),
};

export const rotate = {
  async run([id = ""]: readonly string[], { overlap, ...flags }: Flags & { readonly overlap: string | undefined }) {
    if (overlap !== undefined && !/^\d{1,4}$/.test(overlap))
      throw new CommandError("--overlap must be a number of hours", exitStatus.usage);
    return shown(await serviceOf(flags).rotate(id, overlap === undefined ? undefined : Number(overlap)));
  },
};

export const redeliver = {
  run: async ([id = "", from = "", to]: readonly string[], flags: Flags) =>
    shown(await serviceOf(flags).redeliver(id, placeOf(from), to === undefined ? undefined : placeOf(to))),
};

/** A sequence number, or else a `webhook-id`. */
function placeOf(text: string): string | number {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function shown(found: object): number {
  out.line(JSON.stringify(found));
  return 0;
}
