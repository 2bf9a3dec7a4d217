import { fullGrant } from "../../accounts/index.ts";
import { withDeadline } from "../../base/deadline.ts";
import { asTenonError, TenonError } from "../../base/errors.ts";
import { Lately } from "../../base/lately.ts";
import type { Logger } from "../../base/logger.ts";
import { Turns } from "../../base/turns.ts";
import type { ConnectorInstance } from "../../execute/index.ts";
import { cacheReport, indexReport, type ScopeHealth, scopeHealth, syncStatus } from "../../sync/index.ts";
import { type Instances, instanceOf, type ListedInstance } from "../instance-of.ts";

/** How one connector instance is, for operators. */
export interface InstanceHealth extends Pick<ListedInstance, "id" | "connector" | "status" | "simulated"> {
  /** Whether scopes and waiting texts were read. Where they were not, their numbers say nothing. */
  readonly isDetailed: boolean;
  /** Set where they were not read because the store was too slow. The instance itself may be as good as ever. */
  readonly isUnread?: true;
  readonly scopes: readonly ScopeHealth[];
  /** Texts that wait to be embedded for search by meaning. */
  readonly waiting: number;
  /** Why the instance cannot be used, in words; null where it can. */
  readonly problem: string | null;
}

/** Milliseconds for which a report is given again: whoever asks often does not keep the store busy. */
export const reportLifetime = 5_000;
/**
 * Milliseconds to wait for the store, for one instance and for all. All take less than the lifetime, so that no two reports are made at
 * once.
 */
const patience = 3_000;
const wholePatience = 4_500;
/** The most ready instances of which a report has more than the status. */
const mostInstances = 200;
/** How many instances are read at a time. Callers need the connections to the store, too. */
const atOnce = 8;

/** A report that is being made: until when, and what could not be read. */
interface Round {
  readonly end: number;
  readonly turns: Turns;
  readonly failures: { readonly instance: string; readonly error: TenonError }[];
}

/** Reports how all instances are. Those who ask at the same time get the same report. */
export class HealthReport {
  readonly #instances: Instances;
  readonly #list: () => Promise<readonly ListedInstance[]>;
  readonly #log: Pick<Logger, "warn">;
  readonly #now: () => number;
  readonly #report: Lately<readonly InstanceHealth[]>;

  /**
   * @param log gets the cause of what cannot be reported, one line for each report
   * @param now milliseconds, never going back
   */
  constructor(
    instances: Instances,
    list: () => Promise<readonly ListedInstance[]>,
    log: Pick<Logger, "warn">,
    now = () => performance.now(),
  ) {
    this.#instances = instances;
    this.#list = list;
    this.#log = log;
    this.#now = now;
    this.#report = new Lately(() => this.#make(), reportLifetime, now);
  }

  /** @throws TenonError when the instances cannot be listed */
  get(): Promise<readonly InstanceHealth[]> {
    return this.#report.get();
  }

  async #make(): Promise<readonly InstanceHealth[]> {
    const round: Round = { end: this.#now() + wholePatience, turns: new Turns(atOnce), failures: [] };
    const all = await this.#list().catch((thrown: unknown) => {
      this.#log.warn({ err: thrown }, "the connectors cannot be listed");
      throw thrown;
    });
    const ready = all.filter(({ status }) => status === "ready");
    const detailed = new Set(ready.slice(0, mostInstances).map(({ id }) => id));
    const report = await Promise.all(
      all.map((one) =>
        detailed.has(one.id) ? round.turns.run("", () => this.#detailsOf(one, round)) : { ...nothingOf(one), isDetailed: false },
      ),
    );
    this.#note(round);
    return report;
  }

  async #detailsOf(one: ListedInstance, { end, failures }: Round): Promise<InstanceHealth> {
    const nothing = { ...nothingOf(one), isDetailed: false };
    const left = () => Math.min(patience, end - this.#now());
    try {
      if (left() <= 0) tooSlow();
      const instance = await withDeadline(left(), instanceOf(this.#instances, one.id, { grant: fullGrant }), tooSlow);
      return { ...nothing, isDetailed: true, ...(await syncHealth(instance, Math.max(0, left()))) };
    } catch (thrown) {
      const error = asTenonError(thrown);
      failures.push({ instance: one.id, error });
      return error.code === "overloaded" ? { ...nothing, isUnread: true } : { ...nothing, problem: error.message };
    }
  }

  /** Notes why instances are not known: once, however many they are. The cause of one that cannot be used tells the most. */
  #note({ failures }: Round): void {
    const first = failures.find(({ error }) => error.code !== "overloaded") ?? failures[0];
    if (first === undefined) return;
    const { instance, error } = first;
    const fields = { err: error.cause ?? error, instance, instances: failures.length };
    this.#log.warn(fields, "the state of connectors cannot be read");
  }
}

function nothingOf({ id, connector, status, simulated }: ListedInstance) {
  const known = { id, connector, status, ...(simulated === undefined ? {} : { simulated }) };
  return { ...known, scopes: [], waiting: 0, problem: null };
}

function tooSlow(): never {
  throw new TenonError("overloaded", "The store of the connectors is busy.");
}

async function syncHealth(instance: ConnectorInstance, timeout: number) {
  const [report, indexes] = await Promise.all([cacheReport(instance, timeout), indexReport(instance, timeout)]);
  if (report === undefined) return {};
  const { states, schedule, running } = report;
  const now = Date.now();
  return {
    scopes: scopeHealth(syncStatus(instance.connector, states, { schedule, running, now }), schedule, now),
    waiting: indexes.reduce((sum, index) => sum + Math.max(0, index.waiting), 0),
  };
}
