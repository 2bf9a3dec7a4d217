// What several processes share of limits that count them together: those of a platform for one credential, and those of one caller.

/** Amounts by the names of rates, slots and budgets. A name that is absent stands for 0. */
export type Amounts = Readonly<Record<string, number>>;

/** A limit of how much may be used within a span of time. */
export interface RateRule {
  readonly limit: number;
  /** Milliseconds. */
  readonly span: number;
  /**
   * `sliding`: never more than the limit in any span. `even`: all of it at once, and then it fills again evenly. `reset`: it is full again
   * when a span is over, which begins with the first use.
   */
  readonly refill: "sliding" | "even" | "reset";
}

/** A limit of how much may be in use at the same time. */
export interface SlotRule {
  readonly limit: number;
  /** Milliseconds from the end of one to the beginning of the next; only for a limit of 1. Absent: none. */
  readonly pause?: number;
  /** Milliseconds after which an owner leaves its slots to others that wait for them. Absent: it may keep them as long as it uses them. */
  readonly turn?: number;
}

/**
 * The limits that count for one key. All processes have the same. A name is of a rate, a slot or a budget, and of no two. Of each, a need
 * may also name the part of a caller ({@link partName}).
 */
export interface LimitRules {
  readonly rates: Readonly<Record<string, RateRule>>;
  readonly slots: Readonly<Record<string, SlotRule>>;
  /** Budgets that nobody but the platform knows, which reports them in its answers. */
  readonly budgets: readonly string[];
}

/**
 * What an answer of the platform said of a budget: how much is left, or null where it said nothing; and in how many milliseconds it is full
 * again.
 */
export interface BudgetReport {
  readonly left: number | null;
  readonly resetIn: number;
}

/** What one use needs, all of it before it can begin, and how many such uses are wanted. */
export interface Wish {
  readonly need: Amounts;
  readonly times: number;
}

/** What a process tells and asks. Everything that it was given before and has not used goes back with it. */
export interface Ask {
  /** Names the process, and the part of it that asks. */
  readonly owner: string;
  /** Number of the last slice that reached the owner; 0 where there was none. */
  readonly slice: number;
  /** What was used of that slice. It may be more, where the cost of something is known only afterwards. */
  readonly spent: Amounts;
  /** What was used of rates without a slice, while the limits could not be reached. */
  readonly extra: Amounts;
  /** Slots in use, and what calls under way take from budgets. */
  readonly running: Amounts;
  readonly reports: Readonly<Record<string, BudgetReport>>;
  /** What calls without an answer took from budgets. */
  readonly lost: Amounts;
  /** Milliseconds for which the platform wants no call; 0 where it does not say so. */
  readonly wait: number;
  /** Milliseconds for which the platform wants no use of one rate, by its name. */
  readonly waits: Amounts;
  /** Whether the platform has accepted a call that began after the last wait. */
  readonly accepted: boolean;
  /** What can begin at once, in order. */
  readonly wanted: readonly Wish[];
  /** What is likely to begin soon. */
  readonly likely: readonly Wish[];
}

/** A slice: what the owner may use until {@link sliceTime} after it has asked. */
export interface Slice {
  readonly number: number;
  /** What may be used. Slots in use, and what calls under way take from budgets, come on top of it. */
  readonly given: Amounts;
  /** Slots that are not to be used again when what uses them has ended, because others wait for them. */
  readonly passOn: readonly string[];
  /** What is left for all processes together, of rates and of budgets that are known. What other processes have not used counts as used. */
  readonly left: Amounts;
  /** Milliseconds until a budget is full again, where it is known. */
  readonly resetIn: Amounts;
  /** Milliseconds after which it makes sense to ask again for what was wanted and not given. */
  readonly freeIn: Amounts;
  /** Milliseconds for which the platform wants no call from anybody. */
  readonly wait: number;
  /** Whether it is unknown if the platform accepts calls again after a wait: one owner at a time sends a single call. */
  readonly trial: boolean;
  /** How many owners have used these limits lately, the asking one among them. */
  readonly owners: number;
}

/** Milliseconds for which a slice can be used. So long a process may not know of a wait that another one has to keep. */
export const sliceTime = 1_000;

/** Keeps what is left of limits for all processes. */
export interface SharedLimits {
  /**
   * Takes back the last slice of an owner, notes what it reports, and gives it another one. Doing it twice gives nothing
   * twice, because a slice that never reached its owner goes back.
   *
   * @param key names what the limits count, such as a credential; nothing secret
   * @throws TenonError when the limits cannot be reached
   */
  renew(key: string, rules: LimitRules, ask: Ask): Promise<Slice>;
}
