import { TenonError } from "../../base/errors.ts";
import { pause } from "../../base/pause.ts";
import { type Database, isForbidden } from "../../postgres/index.ts";
import { entityName } from "../catalogue.ts";
import { loadingEntities } from "./tables/bulk-load.ts";
import type { IndexDemand } from "./tables/index-demand.ts";
import { makeMissing, type PreparedEntity } from "./tables/indexes.ts";
import type { Trigrams } from "./words/trigrams.ts";

/** Milliseconds between two looks for indexes that are missing. */
const usualLookTime = 10_000;
/** The same after several failures, at the longest: each try keeps others from writing. */
const longestLookTime = 600_000;

function whyNot(thrown: unknown): string {
  if (isForbidden(thrown))
    return "The user of the database may not make them: run `tenon store migrate` as the owner of the tables.";
  return thrown instanceof TenonError ? thrown.message : "It failed unexpectedly.";
}

export interface IndexUpkeepOptions {
  readonly database: Database;
  readonly trigrams: Trigrams;
  readonly demand: IndexDemand;
  /** The entities that have tables. */
  readonly prepared: () => Promise<PreparedEntity[]>;
  /** Ends everything. */
  readonly signal: AbortSignal;
  readonly lookTime?: number | undefined;
  readonly tell: (text: string, level: "info" | "error") => void;
}

/**
 * Makes indexes that are missing, where no sync is loading the records: those that searches ask for, those of tables that were made anew,
 * and those of entities whose loading was cut off, in this process or another one. Meanwhile searches walk through the records.
 */
export class IndexUpkeep {
  readonly #options: IndexUpkeepOptions;

  constructor(options: IndexUpkeepOptions) {
    this.#options = options;
  }

  /** Looks again and again, until the signal ends it. */
  async watch(): Promise<void> {
    const { trigrams, demand, signal, lookTime = usualLookTime } = this.#options;
    let all = true;
    let could: boolean | undefined;
    for (let failures = 0; !signal.aborted; ) {
      // Somebody may have created the extensions meanwhile, so that every vocabulary lacks an index.
      const can = await trigrams.look().catch(() => could);
      const isNew = await demand.store().catch(() => false);
      all ||= isNew || can !== could;
      could = can;
      const made = await this.#makeLeft(all);
      all &&= made !== true;
      failures = made === undefined ? failures + 1 : 0;
      const wait = Math.min(longestLookTime, lookTime * 2 ** Math.max(0, failures - 1));
      await pause(wait, signal, "idle");
    }
  }

  /** @param all whether to look at entities that nobody has noted as loading too @returns as `make` */
  async #makeLeft(all: boolean): Promise<boolean | undefined> {
    try {
      const loading = await loadingEntities(this.#options.database);
      const entities = await this.#options.prepared();
      const stateOf = ({ entity }: PreparedEntity) => loading.get(entityName(entity));
      // The first look finds also what a process without these notes has left.
      const lacking = entities.filter((one) => (all ? stateOf(one) !== "loaded" : stateOf(one) === "left"));
      return await this.make(lacking);
    } catch {
      // The database is away, which others report.
      return false;
    }
  }

  /**
   * @param given ends it too
   * @returns whether all indexes are there; undefined when making them failed, such as on a full disk, or was ended
   */
  async make(entities: readonly PreparedEntity[], given?: AbortSignal): Promise<boolean | undefined> {
    const { database, trigrams, tell } = this.#options;
    const signal = AbortSignal.any([this.#options.signal, ...(given === undefined ? [] : [given])]);
    try {
      const made = await makeMissing(database, entities, signal, (text) => tell(text, "info"));
      await trigrams.look().catch(() => undefined);
      return made;
    } catch (thrown) {
      if (!signal.aborted) tell(`Indexes could not be made, and searches are slower. ${whyNot(thrown)}`, "error");
      return undefined;
    }
  }
}
