/**
 * A connector instance that was added while the service was running, with its own account of the platform. Times are milliseconds since
 * 1970.
 */
export interface StoredInstance {
  readonly id: string;
  /** Name of the connector. */
  readonly connector: string;
  readonly workspace: string;
  readonly organization: string | null;
  /** Addresses of the platform; null for those of the spec. */
  readonly rest: string | null;
  readonly graphql: string | null;
  /** Values of the variables in the platform's addresses and headers, by name. */
  readonly variables: Readonly<Record<string, string>>;
  /** The encrypted credential; see `sealed.ts`. */
  readonly credential: string;
  /** Scopes that are synced on a schedule, and the minutes from one sync to the next. */
  readonly scopes: readonly string[];
  readonly minutes: number;
  readonly createdAt: number;
  /** Grows with every change, so that a process sees that what it has made of an instance is out of date. */
  readonly version: number;
}

/** What may be changed about an instance. */
export type InstanceChange = Partial<Omit<StoredInstance, "id" | "connector" | "createdAt" | "version">>;

/** Stores connector instances. */
export interface InstanceStore {
  /** @returns false when there is an instance with this id, or there was one: its cached records may still be there */
  addInstance(instance: StoredInstance): Promise<boolean>;
  instance(id: string): Promise<StoredInstance | undefined>;
  /** All instances, ordered by id. */
  instances(): Promise<StoredInstance[]>;
  /** @returns false when there is no such instance, or `ifVersion` is given and is not its version */
  changeInstance(id: string, change: InstanceChange, ifVersion?: number): Promise<boolean>;
  /** Removes an instance together with its credential and its tokens. Its id cannot be used again. @returns false when there is none */
  removeInstance(id: string, at: number): Promise<boolean>;
}
