import type { Connector } from "../contract/index.ts";
import type { PlatformClient } from "../platform/client.ts";
import type { Endpoints } from "../platform/transport.ts";
import type { SearchStore, SyncReport } from "../store/store.ts";
import type { Selections } from "./selections.ts";

/** A configured account of a connector, addressed by its id. */
export interface ConnectorInstance {
  readonly id: string;
  readonly workspace: string;
  /** Under which name its records are kept: what a simulated platform gave is not mixed with the real one's. */
  readonly storeName: string;
  /** Where cached records are; absent in local mode. */
  readonly store?: SearchStore & SyncReport;
  readonly connector: Connector;
  readonly endpoints: Endpoints;
  readonly client: PlatformClient;
  readonly selections: Selections;
  /** Something only this service knows, to sign cursors with. */
  readonly secret: () => Promise<string>;
}
