import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { github } from "../../generated/github/index.ts";
import { type ConnectorInstance, connect } from "../../runtime/execute/index.ts";
import { singleCredential } from "../../runtime/platform/credential.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { repositoryNamed } from "../../runtime/simulated/github/world/world.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import type { Store } from "../../runtime/store/store.ts";
import { readScopes, type SyncResult, sync } from "../../runtime/sync/index.ts";
import { unpaced } from "../support/fake-instance.ts";
import { startPlatform } from "../support/github/start.ts";
import { type Result, type Row, round } from "./report.ts";
import { change, fill, fullSize, naiveCalls, scaled } from "./sync-world.ts";

const name = "octocat/hello-world";
const scope = `repository=${name}`;
const day = 24 * 3_600_000;
/** Points of the platform's hourly budget. */
const pointsPerHour = 5000;

interface Spent {
  readonly calls: number;
  readonly points: number;
  readonly seconds: number;
}

/**
 * Syncs of a large synthetic repository on the simulated platform: what they cost in calls and points. The platform runs in the same
 * process, without its limits a minute, so the times are those of this machine and not those of a network.
 *
 * @param scale share of the repository of 20,000 issues and 15,000 pull requests; the aims are scaled with it
 */
export async function benchSync(scale: number): Promise<Result> {
  const platform = await startPlatform();
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const plans = {
    [github.name]: Object.fromEntries(Object.entries(github.entities).map(([entity, one]) => [entity, one.store])),
  };
  const store = new SqliteStore({ dataDir, plans });
  try {
    platform.fail({ kind: "quota", remaining: 10_000_000, limit: 10_000_000 });
    const repository = repositoryNamed(platform.world, name);
    if (repository === undefined) throw new Error("the simulated platform has no repository");
    const size = scaled(fullSize, scale);
    fill(repository, size);
    await store.ready;
    const instance = connect({
      id: github.name,
      workspace: "default",
      connector: unpaced,
      endpoints: { rest: platform.url, graphql: platform.graphqlUrl },
      credential: async () => singleCredential(unpaced.platform.auth.kinds, ownerToken),
      userAgent: "tenon/bench",
      redact: (text) => text,
      store,
    });
    const naive = naiveCalls(repository);
    const full = await measured(instance, store);
    const unchanged = await measured(instance, store);
    change(repository, 0.01);
    const changed = await measured(instance, store);
    await letPass(store, 1);
    const aDay = await measured(instance, store);
    const aims = { full: Math.round(2000 * scale), changed: Math.round(60 * scale), verification: Math.round(300 * scale) };
    // A small repository needs the same few calls that find out what has changed, so the aim for those does not get smaller with it.
    const least = scale < 1 ? 6 : 0;
    const { issues, pullRequests, comments, reviews, reviewComments } = size;
    return {
      name: "sync",
      notes: `${issues} issues, ${pullRequests} pull requests, ${comments} comments, ${reviews} reviews, ${reviewComments} review comments on the simulated platform; a call for each parent would be ${naive} calls`,
      rows: [
        ...rows("full", full.usual, `at most ${aims.full} calls`),
        { what: "full: share of the naive calls", value: round(full.usual.calls / naive, 3), unit: "" },
        { what: "full: hours of a token's budget", value: round(full.usual.points / pointsPerHour, 2), unit: "h" },
        ...rows("unchanged", unchanged.usual, "at most 5 calls"),
        ...rows("1 % changed", changed.usual, `fewer than ${aims.changed + least} calls`),
        ...rows("rolling verification of one day", aDay.verification, `at most ${aims.verification} calls`),
      ],
    };
  } finally {
    await store.close();
    await platform.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function rows(what: string, { calls, points, seconds }: Spent, aim: string): Row[] {
  return [
    { what: `${what}: calls`, value: calls, unit: "", aim },
    { what: `${what}: points`, value: points, unit: "" },
    { what: `${what}: time`, value: round(seconds, 1), unit: "s" },
  ];
}

async function measured(
  instance: ConnectorInstance,
  store: Store,
): Promise<{ readonly usual: Spent; readonly verification: Spent }> {
  const began = performance.now();
  const result = await sync(instance, store, {
    scopes: readScopes(instance.connector, [scope]),
    full: false,
    massDelete: false,
    signal: new AbortController().signal,
    log: pino({ enabled: false }),
  });
  if (result.outcome !== "complete") throw new Error(`the sync ended ${result.outcome}`);
  const seconds = (performance.now() - began) / 1000;
  return { usual: { ...usual(result), seconds }, verification: { ...verification(result), seconds } };
}

function usual({ entities, changeChecks }: SyncResult): Omit<Spent, "seconds"> {
  const sum = (of: "calls" | "points") => entities.reduce((total, one) => total + one[of], changeChecks[of]);
  return { calls: sum("calls"), points: sum("points") };
}

function verification({ entities }: SyncResult): Omit<Spent, "seconds"> {
  const sum = (of: "calls" | "points") => entities.reduce((total, one) => total + (one.verification?.[of] ?? 0), 0);
  return { calls: sum("calls"), points: sum("points") };
}

/** Moves what the store knows of its parts some days back, as if that time had passed. */
async function letPass(store: Store, days: number): Promise<void> {
  const place = { connector: github.name, instance: github.name };
  for (const { scope: of, entity, notes } of await store.states(place))
    if (notes.verified !== undefined)
      await store.note({ ...place, scope: of, entity }, { verified: notes.verified.map((at) => at - days * day) });
}
