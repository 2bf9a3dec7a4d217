import { stat, statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { RequestHandler } from "express";
import type { AdminOptions, SystemFacts } from "../../admin/index.ts";
import { liveThreads } from "../../base/worker-calls.ts";
import type { ConnectorInstance } from "../../execute/index.ts";
import type { Witnesses } from "../../server/monitoring/access-log.ts";
import { isFile } from "../account-store.ts";
import type { StoredInstances } from "../instances/stored-instances.ts";
import type { Settings } from "../settings/settings.ts";

/** The operator's page, and what it remembers. */
export interface OperatorPage {
  readonly routes: RequestHandler;
  readonly watch: NonNullable<Witnesses["watch"]>;
  close(): void;
}

type Remembered = "history" | "searches" | "calls" | "traffic" | "seen" | "instances";

interface OperatorPageOptions extends Omit<AdminOptions, Remembered> {
  readonly instances: AdminOptions["instances"] & { readonly stored?: StoredInstances | undefined };
}

/** Milliseconds between two looks at what is broken. */
const lookEvery = 60_000;

/** Makes the page. Its room is loaded only here, because most services show no page. */
export async function operatorPage(options: OperatorPageOptions): Promise<OperatorPage> {
  const { adminRoutes, FirstSeen, noteTroubles, QuotaHistory, RecentCalls, SlowSearches, Traffic } = await import(
    "../../admin/index.ts"
  );
  const history = new QuotaHistory(() => everyInstance(options.instances));
  const watched = { searches: new SlowSearches(), calls: new RecentCalls(), traffic: new Traffic() };
  const parts = { ...options, ...watched, history, seen: new FirstSeen() };
  const timer = setInterval(() => void noteTroubles(parts).catch(() => undefined), lookEvery).unref();
  return {
    routes: adminRoutes(parts),
    watch: {
      ended: (request) => {
        for (const one of Object.values(watched)) one.ended(request);
      },
    },
    close: () => {
      clearInterval(timer);
      history.close();
    },
  };
}

/** The instances that can be used now. */
async function everyInstance({ instances, stored }: OperatorPageOptions["instances"]): Promise<ConnectorInstance[]> {
  const added = ((await stored?.list()) ?? []).map(({ id }) => stored?.find(id).catch(() => undefined));
  const found = await Promise.all(added);
  return [...instances.values(), ...found.filter((one) => one !== undefined)];
}

interface ProcessState {
  /** Whether this process syncs on schedules. */
  readonly syncs: boolean;
  readonly storeUp: boolean;
  /** Fails while the accounts cannot be used. */
  readonly accountsUp: () => Promise<unknown>;
}

/** What the page shows of this process, its databases and its disk. */
export async function systemFacts(settings: Settings, { syncs, storeUp, accountsUp }: ProcessState): Promise<SystemFacts> {
  const { dataDir, databaseUrl } = settings;
  const accounts = await accountsUp().then(
    () => true,
    () => false,
  );
  const place = (isInFile: boolean, name: string) => (isInFile ? sizeOf(join(dataDir, name)) : null);
  const [store, callers, disk] = await Promise.all([
    place(databaseUrl === "", "context-store.sqlite"),
    place(isFile(settings), "accounts.sqlite"),
    statfs(dataDir).catch(() => undefined),
  ]);
  const engine = (size: number | null) => (size === null ? "PostgreSQL" : "SQLite");
  return {
    process: `process ${process.pid} on ${hostname()}`,
    syncs: syncs ? "by this process" : "by other processes (`tenon work`)",
    stores: [
      { name: "Context store", engine: engine(store), up: storeUp, bytes: store },
      { name: "Accounts and audit log", engine: engine(callers), up: accounts, bytes: callers },
    ],
    disk: disk === undefined ? null : { free: disk.bavail * disk.bsize, all: disk.blocks * disk.bsize },
    threads: liveThreads(),
  };
}

/** Bytes of a SQLite file and of what belongs to it. */
async function sizeOf(file: string): Promise<number> {
  const sizes = await Promise.all(
    ["", "-wal", "-shm"].map((end) =>
      stat(file + end).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
