import type { Connector } from "../contract/index.ts";
import type { Endpoints } from "../platform/addresses.ts";
import type { PlatformClient } from "../platform/client.ts";
import type { EmbeddingProvider } from "../semantic/provider.ts";
import type { SemanticStore } from "../store/semantic.ts";
import type { StatementStore } from "../store/statement-store.ts";
import type { ChangeLog, SearchStore, StoreInstance, SyncReport } from "../store/store.ts";
import type { PlatformRequest } from "./request.ts";
import type { ExecuteContext } from "./result.ts";
import type { Selections } from "./selections.ts";

export interface SemanticSearch {
  readonly store: SemanticStore;
  /** The model that embeds, and after it those whose indexes may answer while its own is being built. */
  readonly providers: readonly [EmbeddingProvider, ...EmbeddingProvider[]];
}

/** A write that is about to be sent. */
export interface GuardedWrite {
  readonly instance: ConnectorInstance;
  readonly request: PlatformRequest;
  readonly context: ExecuteContext;
}

/** Decides about every write before it is sent, whichever way it came. */
export interface WriteGuard {
  /** Resolves when the write may be sent now. @throws TenonError when it may not */
  admit(write: GuardedWrite): Promise<void>;
}

/** The mark of a response about an instance whose platform is simulated. */
export function simulatedMark({ simulated }: { readonly simulated?: true | undefined }): { readonly simulated?: true } {
  return simulated === undefined ? {} : { simulated };
}

/** A configured account of a connector, addressed by its id. */
export interface ConnectorInstance {
  readonly id: string;
  readonly workspace: string;
  /** Id of the organization that the workspace belongs to; null where there is none. */
  readonly organization: string | null;
  /** Name under which the records are stored. It keeps records of a simulated platform apart from those of the real one. */
  readonly storeName: string;
  /** The platform is simulated: every response about the instance has invented data, and says so. */
  readonly simulated?: true;
  /** The store with the cached records; absent in local mode. */
  readonly store?: SearchStore & SyncReport & ChangeLog & StatementStore;
  /** What search by meaning needs; absent where there is none. */
  readonly semantic?: SemanticSearch;
  /** What runs the command line on the store of this process; absent in a service, whose callers are elsewhere. */
  readonly ownCommand?: string | undefined;
  readonly connector: Connector;
  readonly endpoints: Endpoints;
  readonly client: PlatformClient;
  /** Absent where no policy holds, as in the local mode of the client library, whose program has the credential itself. */
  readonly guard?: WriteGuard | undefined;
  readonly selections: Selections;
  /** Gives a text that only this service knows, for signing cursors. */
  readonly secret: () => Promise<string>;
}

/** What the store calls an instance. */
export function storedAs({ connector, storeName }: Pick<ConnectorInstance, "connector" | "storeName">): StoreInstance {
  return { connector: connector.name, instance: storeName };
}
