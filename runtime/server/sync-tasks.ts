import { hash, randomBytes } from "node:crypto";
import {
  mayUseEntity,
  memory,
  newOwner,
  ownerHasEnded,
  type StoredWrite,
  type WriteId,
  type WriteStore,
} from "../accounts/index.ts";
import { isErrorCode } from "../base/error-codes.ts";
import { asTenonError, TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { pause } from "../base/pause.ts";
import { storedAs } from "../execute/index.ts";
import type { ToolTask } from "../mcp/host.ts";
import type { SyncResult } from "../sync/index.ts";
import { type PreparedSync, prepareSync, type SyncAsker, type SyncControl } from "./routes/sync-control-route.ts";

// A sync that a model has started is a task: its process may end, and callers ask another one about it. What must not be lost stands among
// the writes with an `Idempotency-Key`: the task's id is the key, its process the owner, and its result the answer.

/** Milliseconds between two looks of the process that syncs, which ends when somebody has cancelled the task, or goes on with it. */
const lookInterval = 1_000;
/** Milliseconds after which a client should ask again. */
const pollInterval = 2_000;
/** Groups of entities that a result names, the incomplete ones first. */
const mostGroups = 200;

interface SyncTaskOptions extends SyncControl {
  readonly writes: WriteStore;
  readonly log: Logger;
}

/** A caller, and what it may do. */
export interface TaskAsker extends Omit<SyncAsker, "id"> {
  readonly caller: string;
}

/** What a sync was started with. */
interface TaskRequest {
  readonly connector: string;
  readonly body: unknown;
  /** Names of the scopes that it reads. */
  readonly scopes: readonly string[];
}

/** How a task has ended. A line with this JSON is stored, and behind it the result, which is passed on as it is. */
interface TaskEnd {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Set where there is a result. */
  readonly outcome?: SyncResult["outcome"];
  readonly error?: { readonly code: string; readonly message: string };
}

/** The syncs that callers of tools have started, in all processes of the service. */
export class SyncTasks {
  readonly #options: SyncTaskOptions;
  /** Those of this process, with what ends them. */
  readonly #running = new Map<string, AbortController>();

  constructor(options: SyncTaskOptions) {
    this.#options = options;
  }

  /** Starts a sync. @param body as of the sync route @returns the id of the task @throws TenonError */
  async start(asker: TaskAsker, connector: string, body: unknown): Promise<string> {
    const { trace } = asker;
    trace.deed = "sync.start";
    return this.#start(asker, connector, body).catch((thrown: unknown) => {
      trace.failure = asTenonError(thrown);
      throw thrown;
    });
  }

  async #start(asker: TaskAsker, connector: string, body: unknown): Promise<string> {
    const id = `sync_${randomBytes(18).toString("base64url")}`;
    const prepared = await prepareSync(this.#options, { ...asker, id: connector }, body);
    const request: TaskRequest = { connector, body, scopes: prepared.options.scopes.map(({ name }) => name) };
    const owner = newOwner();
    const begunAt = Date.now();
    const text = JSON.stringify(request);
    await this.#options.writes.beginWrite({ ...idOf(asker, id), request: text, owner, begunAt }, begunAt - memory);
    await this.#run(asker, id, owner, prepared).catch(async (thrown: unknown) => {
      await this.#options.writes.endWrite(idOf(asker, id), owner, { state: "nothing" });
      throw thrown;
    });
    return id;
  }

  /** How far a task of the caller is. A sync whose process has ended goes on in this one. @returns undefined where there is no such task */
  async find(asker: TaskAsker, id: string): Promise<ToolTask | undefined> {
    return this.#find(asker, id, lookInterval);
  }

  /** @param patience milliseconds after which to look again at a process that has no lease; 0 takes over at once */
  async #find(asker: TaskAsker, id: string, patience: number): Promise<ToolTask | undefined> {
    const stored = await this.#options.writes.write(idOf(asker, id));
    if (stored === undefined) return undefined;
    const { begunAt, owner } = stored;
    // Only texts of this class have the keys of tasks.
    const request: TaskRequest = JSON.parse(stored.request);
    const common = { id, tool: "sync", createdAt: begunAt, ttl: memory, pollInterval };
    if (stored.answer !== null) {
      const [head = "", result] = stored.answer.split("\n", 2);
      const { at, outcome, error }: TaskEnd = JSON.parse(head);
      const ended = { ...common, updatedAt: at };
      if (outcome !== undefined && result !== undefined)
        return { ...ended, status: "completed", message: `The sync is ${outcome}.`, result, isError: outcome !== "complete" };
      if (error === undefined) return { ...ended, status: "cancelled", message: "The sync was cancelled." };
      const thrown = new TenonError(isErrorCode(error.code) ? error.code : "internal", error.message);
      return { ...ended, status: "completed", message: error.message, error: thrown };
    }
    const working = (message: string) => ({ ...common, status: "working" as const, updatedAt: Date.now(), message });
    const prepared = await prepareSync(this.#options, { ...asker, id: request.connector }, request.body);
    const { instance } = prepared;
    const isElsewhere = !ownerHasEnded(owner) && (await instance.store?.leased(storedAs(instance))) === true;
    if (!this.#running.has(id) && !isElsewhere) {
      // The process of a sync takes the lease just after it stores the task, and gives it back just before it stores the end.
      if (patience > 0 && !ownerHasEnded(owner)) {
        await pause(patience, new AbortController().signal);
        return this.#find(asker, id, 0);
      }
      return (await this.#takeOver(asker, stored, id, prepared))
        ? working("The process that synced has ended. The sync continues where it stopped.")
        : working("Another sync of this connector is running. This one continues after it.");
    }
    const states = (await instance.store?.states(storedAs(instance))) ?? [];
    const own = states.filter(({ scope, entity }) => request.scopes.includes(scope) && mayUseEntity(asker.grant, entity));
    const done = own.filter(({ completedAt }) => completedAt !== null && Date.parse(completedAt) >= begunAt);
    const read = own
      .filter(({ checkpoint }) => checkpoint !== null)
      .map(({ entity, records }) => `${entity}: ${records} records`);
    return working([`${done.length} entities are synced`, ...read].join(", "));
  }

  /** Ends the sync of a task after the page that is read, in whichever process. @returns false where there is no such task */
  async cancel(asker: TaskAsker, id: string): Promise<boolean> {
    const { writes } = this.#options;
    const stored = await writes.write(idOf(asker, id));
    if (stored === undefined) return false;
    await writes.endWrite(stored, stored.owner, { state: "done", answer: answerOf({}) });
    this.#running.get(id)?.abort();
    return true;
  }

  /** Syncs, and notes the end. @throws TenonError where the sync cannot begin */
  async #run(asker: TaskAsker, id: string, owner: string, { instance, options }: PreparedSync): Promise<void> {
    const { writes, syncs, log } = this.#options;
    const end = new AbortController();
    this.#running.set(id, end);
    const key = idOf(asker, id);
    const look = async () => {
      const stored = await writes.write(key);
      if (stored?.owner !== owner || stored.state !== "begun") end.abort();
    };
    const looking = setInterval(() => void look().catch(() => undefined), lookInterval).unref();
    const stop = () => {
      clearInterval(looking);
      this.#running.delete(id);
    };
    const note = async (given: Omit<TaskEnd, "at">, result?: string) => {
      // A process that ends leaves the task to the next one.
      if (!syncs.isClosed) await writes.endWrite(key, owner, { state: "done", answer: answerOf(given, result) });
    };
    try {
      const { ended } = await syncs.start(instance, options, end.signal);
      asker.trace.deed = "sync.start";
      ended
        .then((result) => note({ outcome: result.outcome }, JSON.stringify(shortResult(result))))
        .catch((thrown: unknown) => note({ error: errorOf(thrown) }))
        .catch((thrown: unknown) => log.warn({ err: thrown, task: id }, "the end of a sync could not be stored"))
        .finally(stop);
    } catch (thrown) {
      stop();
      throw thrown;
    }
  }

  /**
   * Goes on with the sync of a process that has ended.
   *
   * @returns false where it cannot yet, because another sync runs
   * @throws TenonError `shutting_down` where this process ends too
   */
  async #takeOver(asker: TaskAsker, stored: StoredWrite, id: string, prepared: PreparedSync): Promise<boolean> {
    const { writes, syncs } = this.#options;
    const { caller, key, request, begunAt } = stored;
    const owner = newOwner();
    await writes.endWrite(stored, stored.owner, { state: "nothing" });
    const known = await writes.beginWrite({ caller, key, request, owner, begunAt }, 0);
    // Another process was faster.
    if (known !== undefined) return true;
    try {
      await this.#run(asker, id, owner, prepared);
    } catch (thrown) {
      // The next process takes it over instead.
      if (syncs.isClosed) throw thrown;
      const error = errorOf(thrown);
      if (error.code === "sync_running") return false;
      await writes.endWrite(idOf(asker, id), owner, { state: "done", answer: answerOf({ error }) });
    }
    return true;
  }
}

/** Where a task is stored. Keys of writes are hashes of texts without spaces, so that none is that of a task. */
function idOf({ caller }: TaskAsker, id: string): WriteId {
  return { caller, key: hash("sha256", `task ${id}`, "base64url") };
}

/** @param result JSON, which has no line breaks */
function answerOf(end: Omit<TaskEnd, "at">, result?: string): string {
  const head = JSON.stringify({ at: Date.now(), ...end } satisfies TaskEnd);
  return result === undefined ? head : `${head}\n${result}`;
}

function errorOf(thrown: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = asTenonError(thrown);
  return { code, message };
}

/** The result in few tokens: entities of a scope with the same outcome share a line. */
function shortResult({ outcome, entities }: SyncResult) {
  const groups = new Map<string, { scope: string; outcome: string; entities: string[]; problem: string | null }>();
  let [inserted, changed, removed] = [0, 0, 0];
  for (const { scope, entity, outcome: end, problem, ...counts } of entities) {
    [inserted, changed, removed] = [inserted + counts.inserted, changed + counts.changed, removed + counts.removed];
    const group = { scope, outcome: end, entities: [], problem: problem?.message ?? null };
    const key = JSON.stringify(group);
    groups.set(key, groups.get(key) ?? group);
    groups.get(key)?.entities.push(entity);
  }
  const incomplete = [...groups.values()].filter((group) => group.outcome !== "complete");
  const data = [...incomplete, ...[...groups.values()].filter((group) => group.outcome === "complete")];
  return { data: data.slice(0, mostGroups), meta: { outcome, inserted, changed, removed } };
}
