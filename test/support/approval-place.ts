import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect } from "vitest";
import { type AccountStore, type Caller, fullGrant, type Right } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { asTenonError } from "../../runtime/base/errors.ts";
import type { WholeProposal } from "../../runtime/contract/index.ts";
import { type ConnectorInstance, checkRequest, executeChecked } from "../../runtime/execute/index.ts";
import { type Decider, PolicyFile, PolicyGuard, Proposals } from "../../runtime/policy/index.ts";
import type { ProposalsOptions } from "../../runtime/policy/proposals.ts";
import { fakeInstance, unpaced } from "./fake-instance.ts";

// Processes of a service with a policy, whose platform is a function. They share a folder.

const log = pino({ level: "silent" });
export const callerOf = (id: string, ...rights: Right[]): Caller => ({ id, name: id, grant: { ...fullGrant, rights } });
/** Who writes. */
export const agent = callerOf("agent", "read", "write", "approve");

/** A platform with issues that have a title, and a count of the writes of each. */
export class World {
  readonly titles = new Map<number, string>();
  readonly sent: string[] = [];
  fails = false;

  answer = ({ url, method, body }: { url: URL; method: string; body: unknown }) => {
    const given = body as { title?: string; variables?: { number: number } };
    if (method === "POST" && url.pathname === "/graphql") {
      const title = this.titles.get(given.variables?.number ?? 0) ?? "first";
      return { data: { repository: { issue: { title, body: "text", state: "OPEN" } } } };
    }
    this.sent.push(given.title ?? "");
    const number = Number(url.pathname.split("/").at(-1));
    if (this.fails) return new Response("{}", { status: 502 });
    if (given.title !== undefined) this.titles.set(number, given.title);
    return Response.json(
      { id: 1, node_id: "n", number, title: given.title, body: "a" },
      { status: method === "POST" ? 201 : 200 },
    );
  };
}

export interface Process {
  readonly instance: ConnectorInstance;
  readonly proposals: Proposals;
  readonly store: AccountStore;
  decider(caller: Caller): Decider;
  write(params: object, caller?: Caller, more?: object, action?: readonly [string, string]): Promise<unknown>;
}

/** A process of a service with the policy, which shares the folder with the others. */
function openProcess(world: World, store: AccountStore, policy: string, options: Partial<ProposalsOptions>): Process {
  const proposals = new Proposals({ store, lifetime: 3_600_000, timeout: 5_000, audits: true, ...options });
  const guard = new PolicyGuard(new PolicyFile(policy, [unpaced]), proposals);
  const instance = { ...fakeInstance(world.answer).instance, guard };
  return {
    instance,
    proposals,
    store,
    decider: (caller) => ({ caller, find: async () => instance, log, requestId: "r" }),
    write: (params, caller = agent, more = {}, [entity, action] = ["issues", "update"]) =>
      executeChecked(instance, checkRequest(unpaced, { entity, action, params: { owner: "o", repo: "r", ...params } }), {
        ...{ timeout: 5_000, signal: new AbortController().signal, log, requestId: "r", author: caller },
        ...more,
      }),
  };
}

export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    (thrown: unknown) => asTenonError(thrown).code,
  );

/** The proposal that an error has. */
export async function proposed(work: Promise<unknown>, code = "approval_required"): Promise<WholeProposal> {
  const thrown = await work.then(() => undefined, asTenonError);
  expect(thrown?.code).toBe(code);
  return thrown?.proposal as WholeProposal;
}

let serial = 0;
const askForAll: readonly object[] = [{ effect: "require_approval", reason: "Ask." }];

/** Two processes. @param folder of the test, which removes it */
export function openPlace(
  folder: string,
  rules = askForAll,
  options: Partial<ProposalsOptions> = {},
  openStore: (dataDir: string) => AccountStore = openSqliteAccounts,
) {
  const [world, dataDir] = [new World(), join(folder, `data-${serial++}`)];
  const policy = `${dataDir}.json`;
  writeFileSync(policy, JSON.stringify({ rules }));
  const process = () => openProcess(world, openStore(dataDir), policy, options);
  const all = [process(), process()] as const;
  return { world, dataDir, policy, one: all[0], two: all[1], close: () => Promise.all(all.map(({ store }) => store.close())) };
}
