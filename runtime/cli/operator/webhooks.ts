import { HostedTransport } from "../../client/hosted.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { type OutputRow, printRows } from "../output/output.ts";
import { out } from "../output/standard-output.ts";
import { serviceOptions } from "../service-options.ts";

interface Flags {
  readonly scope?: string | undefined;
  readonly url?: string | undefined;
  readonly config: string | undefined;
}

interface Managed {
  readonly scope: string;
  readonly enter: null | {
    readonly where: string;
    readonly url: string;
    readonly secret: string | null;
    readonly reason: string;
  };
}

/** Milliseconds that one request may take: the platform is called several times. */
const patience = 120_000;

/** The platform calls the service, so only the service can say at which address, and with which secret. @throws CommandError */
function serviceOf(id: string, { config }: Flags) {
  const transport = new HostedTransport(id, serviceOptions(config, "a key with the right admin"));
  return async (method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<unknown> =>
    (await transport.webhooks(method, path, body, AbortSignal.timeout(patience))).data;
}

function scopeOf({ scope }: Flags): string {
  if (scope === undefined) throw new CommandError("give --scope, such as repository=octocat/hello-world", exitStatus.usage);
  return scope;
}

const pathOf = (flags: Flags) => `/${encodeURIComponent(scopeOf(flags))}`;

/** Prints what was done, or what a person has to do. A secret is printed this once. */
function show(managed: Managed, done: string): void {
  const { scope, enter } = managed;
  if (!out.isTTY) out.line(JSON.stringify(managed));
  else if (enter === null) out.line(`${scope}: ${done}.`);
  else {
    out.line(`${scope}: this has to be done on the platform (${enter.reason}).`);
    printRows([{ where: enter.where, url: enter.url, secret: enter.secret }], "");
  }
}

/** `tenon webhook add`. */
export const add = {
  async run([id = ""]: readonly string[], flags: Flags): Promise<number> {
    const { url } = flags;
    const body = { scope: scopeOf(flags), ...(url === undefined ? {} : { url }) };
    show((await serviceOf(id, flags)("POST", "", body)) as Managed, "the webhook was added");
    return 0;
  },
};

/** `tenon webhook list`. */
export const list = {
  async run([id = ""]: readonly string[], flags: Flags): Promise<number> {
    printRows((await serviceOf(id, flags)("GET", "")) as readonly OutputRow[], "No webhook was added.");
    return 0;
  },
};

/** `tenon webhook test`: fails where the platform did not reach the service. */
export const test = {
  async run([id = ""]: readonly string[], flags: Flags): Promise<number> {
    const tested = (await serviceOf(id, flags)("POST", `${pathOf(flags)}/test`)) as OutputRow;
    printRows([tested], "");
    return tested["outcome"] === "accepted" ? 0 : exitStatus.failed;
  },
};

/** `tenon webhook rotate`. */
export const rotate = {
  async run([id = ""]: readonly string[], flags: Flags): Promise<number> {
    show((await serviceOf(id, flags)("POST", `${pathOf(flags)}/rotate`)) as Managed, "the webhook has a new secret");
    return 0;
  },
};

/** `tenon webhook remove`. */
export const remove = {
  async run([id = ""]: readonly string[], flags: Flags): Promise<number> {
    show((await serviceOf(id, flags)("DELETE", pathOf(flags))) as Managed, "the webhook was removed");
    return 0;
  },
};
