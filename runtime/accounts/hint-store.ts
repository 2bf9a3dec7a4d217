/** What a webhook has told to read: the payload itself is not kept, because only the platform says what is true. */
export interface Hint {
  /** Id of the connector instance. */
  readonly instance: string;
  /** Kind and value of a scope; `kind=*` for all cached scopes of the kind. */
  readonly scope: string;
  /** Empty where all of the scope is to be synced. */
  readonly entity: string;
  /**
   * `key`: the record with this key. `parent`: what belongs to the record with this key. `list`: what has changed in the entity's list.
   * `full`: the whole list. `scope`: everything of the scope.
   */
  readonly kind: "key" | "parent" | "list" | "full" | "scope";
  /** Empty where the kind needs none. */
  readonly key: string;
  /** Parameters as JSON that read a record which is not cached yet. */
  readonly params: string;
}

export interface StoredHint extends Hint {
  /** Grows with every webhook that says the same, so that a hint which comes again while it is followed is followed again. */
  readonly version: number;
  /** When the first of these webhooks came (milliseconds since 1970). */
  readonly at: number;
  /** How often following it has failed. */
  readonly tries: number;
}

/** A verified delivery. */
export interface VerifiedDelivery {
  readonly instance: string;
  /** What names it: one that comes again changes nothing. */
  readonly id: string;
  readonly hints: readonly Hint[];
}

/** A scope of which a webhook has named something. */
export interface ToldScopeOf extends Pick<Hint, "instance" | "scope"> {
  /** When the last one did (milliseconds since 1970). */
  readonly at: number;
}

/** The most hints of an instance that wait; beyond that, their scopes are synced as a whole. */
export const mostHints = 20_000;

/** Keeps what webhooks have told until it is read. */
export interface HintStore {
  /**
   * Stores what deliveries tell, each once.
   *
   * @param at milliseconds since 1970
   * @param oldest deliveries before this time are forgotten
   * @returns for each delivery whether it is new
   */
  addHints(deliveries: readonly VerifiedDelivery[], at: number, oldest: number): Promise<boolean[]>;
  /** Those of these deliveries that were taken. @param ids at most a few hundred */
  knownDeliveries(instance: string, ids: readonly string[]): Promise<string[]>;
  /** Hints that are due, the oldest first. @param now milliseconds since 1970 */
  dueHints(now: number, limit: number): Promise<StoredHint[]>;
  /**
   * Removes hints that were followed, unless they came again meanwhile. A hint about what belongs to a record stays as long as a hint about
   * the record itself, and is due with it: what belongs to a record can be read only once that is cached.
   */
  endHints(hints: readonly StoredHint[]): Promise<void>;
  /** Leaves hints for later. @param failed whether following them has failed */
  postponeHints(hints: readonly StoredHint[], due: number, failed: boolean): Promise<void>;
  /** The scopes of which webhooks have named something since a time, and when the last one did. @param instance null for all */
  toldScopes(instance: string | null, since: number): Promise<readonly ToldScopeOf[]>;
  /** How many hints wait, by instance. */
  waitingHints(): Promise<readonly { readonly instance: string; readonly hints: number; readonly oldest: number }[]>;
}
