import type { ConnectorInstance } from "../execute/index.ts";

/** Milliseconds between two readings. */
const readingTime = 60_000;
/** Readings of one interface of a platform: three hours. */
const mostReadings = 180;
/** Instances that are followed. Those beyond have no history. */
const mostInstances = 200;

const interfaces = ["graphql", "rest"] as const;
export type Interface = (typeof interfaces)[number];

/** What was left of a quota at a time (milliseconds since 1970). */
export interface Reading {
  readonly at: number;
  readonly left: number;
}

/** What the platforms still allowed, read once a minute, for the last three hours. It is in memory only, and its size is bounded. */
export class QuotaHistory {
  readonly #instances: () => Promise<readonly ConnectorInstance[]>;
  readonly #now: () => number;
  readonly #readings = new Map<string, Reading[]>();
  readonly #timer: NodeJS.Timeout;

  /**
   * @param instances those whose quota is read
   * @param now milliseconds since 1970
   */
  constructor(instances: () => Promise<readonly ConnectorInstance[]>, now = Date.now) {
    this.#instances = instances;
    this.#now = now;
    this.#timer = setInterval(() => void this.read(), readingTime).unref();
  }

  /** Takes a reading of every instance. One that fails is left out, and the next one follows in a minute. */
  async read(): Promise<void> {
    const found = await this.#instances().catch(() => []);
    const followed = found.slice(0, mostInstances);
    for (const instance of followed) for (const name of interfaces) this.#note(instance, name);
    const names = new Set(followed.flatMap(({ id }) => interfaces.map((name) => nameOf(id, name))));
    for (const name of this.#readings.keys()) if (!names.has(name)) this.#readings.delete(name);
  }

  /** The readings of an instance, the earliest first, and at the end what is left now; empty where the platform has told nothing yet. */
  of({ id, client }: ConnectorInstance, name: Interface): readonly Reading[] {
    const left = client.quotaLeft(name);
    return [...(this.#readings.get(nameOf(id, name)) ?? []), ...(left === undefined ? [] : [{ at: this.#now(), left }])];
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #note({ id, client }: ConnectorInstance, name: Interface): void {
    const left = client.quotaLeft(name);
    if (left === undefined) return;
    const readings = this.#readings.get(nameOf(id, name)) ?? [];
    readings.push({ at: this.#now(), left });
    this.#readings.set(nameOf(id, name), readings.slice(-mostReadings));
  }
}

function nameOf(id: string, name: Interface): string {
  return `${name} ${id}`;
}
