import { github } from "../../generated/github/index.ts";
import type { Connector } from "../../runtime/contract/index.ts";
import { simulatedGithub } from "../../runtime/simulated/github/platform.ts";
import { graphqlPath } from "../../runtime/simulated/github/tokens.ts";
import { type HookEvent, hookEvents, hookSnapshot } from "../../runtime/simulated/github/webhook-events.ts";
import type { Issue } from "../../runtime/simulated/github/world/issue.ts";
import { handlerOf } from "../../runtime/simulator/handle.ts";
import { Simulation } from "../../runtime/simulator/simulation.ts";
import { addComment, addIssue, remove, removeIssue } from "../e2e/support/change.ts";
import { hello } from "../e2e/support/world.ts";
import type { Chaos } from "./chaos.ts";
import type { Clock } from "./clock.ts";

// The platform of the simulation: the simulated GitHub without its server, in which people change issues, comments and labels.

export const address = "https://platform.test";
export const scope = "repository=octocat/hello-world";

/** The platform's limits, small enough that the simulation reaches them. */
export const limits = { concurrent: 3, perMinute: 30, perHour: 1_500 } as const;

const points = { perMinute: limits.perMinute, read: 1, write: 5 };
/** The entities that are cached. */
export const entities = ["issues", "comments", "labels"] as const;

/** GitHub with three of its entities. */
export const connector: Connector = {
  ...github,
  entities: Object.fromEntries(entities.flatMap((name) => (github.entities[name] === undefined ? [] : [[name, ofIssues(name)]]))),
  platform: {
    ...github.platform,
    rateLimit: {
      ...github.platform.rateLimit,
      concurrent: limits.concurrent,
      writes: { spacing: 1_000, perMinute: 10, perHour: 200 },
      points: { graphql: points, rest: points },
      background: { concurrent: 1, reserve: 50 },
    },
  },
};

/** An entity without what is read for pull requests. */
function ofIssues(name: string): Connector["entities"][string] {
  const entity = github.entities[name];
  if (entity === undefined) throw new Error(`there is no entity ${name}`);
  return { ...entity, sync: entity.sync.filter(({ each }) => each === undefined || each.entity === "issues") };
}

/** What the platform has seen of the limits. */
export interface Load {
  mostRunning: number;
  mostInMinute: number;
  calls: number;
  refusals: number;
}

export class Platform {
  readonly load: Load = { mostRunning: 0, mostInMinute: 0, calls: 0, refusals: 0 };
  /** The titles that issues were created with, by requests. */
  readonly created = new Map<string, number>();
  readonly #simulation = new Simulation({ ...simulatedGithub, quota: { ...simulatedGithub.quota, perHour: limits.perHour } });
  readonly #handle = handlerOf(this.#simulation);
  readonly #clock: Clock;
  readonly #chaos: Chaos;
  #serial = 0;
  #running = 0;
  #recent: { readonly at: number; readonly points: number }[] = [];
  #seen: ReturnType<typeof hookSnapshot>;
  #changes = 0;

  readonly #answered: () => void;

  /** @param answered is called when the response to a read is computed and not sent yet */
  constructor(clock: Clock, chaos: Chaos, answered: () => void) {
    this.#clock = clock;
    this.#chaos = chaos;
    this.#answered = answered;
    const { issues, labels } = this.repository;
    for (const issue of issues.slice(8)) removeIssue(this.repository, issue);
    labels.splice(12);
    this.#seen = hookSnapshot(this.repository);
  }

  get repository() {
    return hello(this.#simulation.world);
  }

  /** Sends a request, as a process sees it: responses are late, lost, refused or broken. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const signal = init?.signal ?? undefined;
    const chaos = this.#chaos;
    await this.#wait(chaos.way(40), signal);
    if (chaos.strikes("platform unreachable")) throw unreachable();
    const response = await this.#answer(new URL(String(input)), init);
    await this.#wait(chaos.way(40), signal);
    // Of a write, nobody knows then whether it was done.
    if (chaos.strikes("platform response lost", init?.method === "POST" && !String(input).endsWith(graphqlPath) ? 5 : 1))
      throw Object.assign(new TypeError("fetch failed"), { cause: new Error("socket hang up") });
    return response;
  };

  async #answer(url: URL, init: RequestInit | undefined): Promise<Response> {
    const chaos = this.#chaos;
    const isRead = url.pathname === graphqlPath;
    this.#count(isRead ? 1 : 5);
    this.#running++;
    this.load.mostRunning = Math.max(this.load.mostRunning, this.#running);
    try {
      await this.#clock.sleep(20 + chaos.way(300));
      const failed = this.#failure();
      if (failed !== undefined) return failed;
      const { pathname, search } = url;
      const text = typeof init?.body === "string" ? init.body : "";
      const method = init?.method ?? "GET";
      const headers = Object.fromEntries(new Headers(init?.headers));
      const received = { method, path: pathname + search, headers, text, at: Date.now() };
      const { answer, headers: more } = await this.#handle(received, ++this.#serial, address);
      if (method === "POST" && pathname.endsWith("/issues") && answer.status === 201) this.#noteCreated(text);
      if (isRead) this.#answered();
      if (answer.status === 501) throw new Error(answer.body);
      return new Response(answer.status === 204 ? null : answer.body, {
        status: answer.status,
        headers: { ...more, ...answer.headers },
      });
    } finally {
      this.#running--;
    }
  }

  /** A response without any effect. */
  #failure(): Response | undefined {
    const { load } = this;
    const chaos = this.#chaos;
    if (chaos.strikes("platform fails")) return new Response("<h1>Bad gateway</h1>", { status: 502 });
    if (!chaos.strikes("platform asks for a pause", 0.5)) return undefined;
    load.refusals++;
    const message = "You have exceeded a secondary rate limit.";
    return Response.json({ message }, { status: 403, headers: { "retry-after": String(5 + chaos.below(60)) } });
  }

  async #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => reject(signal?.reason);
    if (signal?.aborted) leave();
    signal?.addEventListener("abort", leave, { once: true });
    this.#clock.after(ms, resolve);
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  #count(points: number): void {
    const { now } = this.#clock;
    this.load.calls++;
    this.#recent = [...this.#recent.filter(({ at }) => at > now - 60_000), { at: now, points }];
    const sum = this.#recent.reduce((all, one) => all + one.points, 0);
    this.load.mostInMinute = Math.max(this.load.mostInMinute, sum);
  }

  #noteCreated(text: string): void {
    const { title } = JSON.parse(text) as { title: string };
    this.created.set(title, (this.created.get(title) ?? 0) + 1);
  }

  /**
   * Somebody changes something.
   *
   * @param again What was changed a moment ago. People often change the same thing several times.
   * @returns the issue that was at hand
   */
  change(again?: Issue): Issue | undefined {
    const chaos = this.#chaos;
    const { repository } = this;
    const at = `${new Date().toISOString().slice(0, 19)}Z`;
    const issue = again !== undefined && repository.issues.includes(again) ? again : chaos.pick(repository.issues);
    const text = `Changed ${++this.#changes}`;
    const what = again === undefined ? chaos.below(10) : 9;
    if (issue === undefined || (what === 0 && repository.issues.length < 40)) void addIssue(repository, at, { title: text });
    else if (what === 1 && repository.issues.length > 5) removeIssue(repository, issue);
    else if (what === 2 && issue.comments.length < 30) addComment(issue, at);
    else if (what === 3 && issue.comments.length > 0) this.#removeComment(issue, at);
    else if (what === 4) this.#turn(issue, at);
    else if (what === 5) this.#rename(text, at);
    else Object.assign(issue, { title: text, updatedAt: at });
    return issue;
  }

  #removeComment(issue: Issue, at: string): void {
    remove(issue.comments, ...issue.comments.slice(0, 1));
    issue.updatedAt = at;
  }

  #turn(issue: Issue, at: string): void {
    const isOpen = issue.state === "OPEN";
    const state = isOpen
      ? { state: "CLOSED", stateReason: "COMPLETED", closedAt: at }
      : { state: "OPEN", stateReason: "REOPENED", closedAt: null };
    Object.assign(issue, state, { updatedAt: at });
  }

  #rename(text: string, at: string): void {
    const label = this.#chaos.pick(this.repository.labels);
    if (label !== undefined) Object.assign(label, { description: text, updatedAt: at });
  }

  /** The webhooks of all that has changed since the last call. */
  events(): HookEvent[] {
    const now = hookSnapshot(this.repository);
    const events = hookEvents(this.#seen, now);
    this.#seen = now;
    return events;
  }

  /** What a cache has to have: the values of a few fields of each record, by entity and key. */
  values(): ReadonlyMap<string, string> {
    const { issues, labels } = this.repository;
    const comments = issues.flatMap((one) => one.comments);
    return new Map([
      ...issues.map(({ id, title, state }) => [`issues ${id}`, JSON.stringify([title, state.toLowerCase()])] as const),
      ...comments.map(({ id, body }) => [`comments ${id}`, JSON.stringify([body])] as const),
      ...labels.map(({ id, description }) => [`labels ${id}`, JSON.stringify([description])] as const),
    ]);
  }
}

/** The fields of which the platform gives the values, by entity. */
export const comparedFields: Readonly<Record<(typeof entities)[number], readonly string[]>> = {
  issues: ["title", "state"],
  comments: ["body"],
  labels: ["description"],
};

function unreachable(): Error {
  const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  return Object.assign(new TypeError("fetch failed"), { cause });
}
