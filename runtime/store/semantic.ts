import type { SearchCaller } from "../base/search-caller.ts";
import type { FieldTree } from "../contract/index.ts";
import type { Condition } from "../search/index.ts";
import type { CollectionSync } from "./collection-sync.ts";
import type { Collection, StoreInstance } from "./store.ts";

/** A model by which texts are embedded. */
export interface SemanticModel {
  readonly name: string;
  readonly dims: number;
}

/** A search by meaning, of one field of the records of an entity. */
export interface SemanticQuery {
  readonly field: string;
  readonly model: string;
  /** The embedding of the prompt, of length 1. */
  readonly vector: Float32Array;
  /** The mean of the model's embeddings, where it is known. */
  readonly mean?: Float32Array | undefined;
  readonly filter?: Condition;
  /** As `StoreSearch.scopes`. */
  readonly scopes?: readonly string[];
  /** `max`: a record once, with its best passage. `none`: every passage whose context no better passage of its record has too. */
  readonly dedup: "max" | "none";
  readonly contextSize: number;
  /** Hits with a lower score are left out. */
  readonly minSimilarity?: number;
  readonly limit: number;
  /** Bytes of JSON that the hits should not exceed, for a caller that takes less than a whole answer. There is at least one hit. */
  readonly bytes?: number;
  readonly after?: HitPosition;
  /** A sentence for the error where nothing was synced. */
  readonly howToSync?: string;
  /** Fields of a hit's `entity`: members of the spec's hit, and fields of the record; null for the members of the spec's hit. */
  readonly fields: FieldTree | null;
  readonly explain: boolean;
}

/** The position of a hit in the order of the hits, and how many of what is ordered (records or passages) come before it in the walk. */
export interface HitPosition {
  readonly score: number;
  readonly key: string;
  /** Offset of the passage, which orders the passages of one record. */
  readonly at: number;
  readonly seen: number;
}

export interface Hit {
  readonly key: string;
  readonly entity: Readonly<Record<string, unknown>>;
  readonly metadata: HitMetadata;
}

/** Where a hit is in the text of its record. */
export interface HitMetadata {
  readonly score: number;
  readonly context: string;
  /** Offsets of the passage in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

export interface SemanticAnswer {
  readonly hits: readonly Hit[];
  readonly more: boolean;
  /** Position of the last hit; undefined when there is none. */
  readonly last: HitPosition | undefined;
  readonly syncedAt: string | null;
  readonly sync: CollectionSync;
  /** Records whose newest text is not in the index yet. */
  readonly waiting: number;
  readonly report?: SemanticReport;
}

/** The answer to `explain`: how a search by meaning was run. */
export interface SemanticReport {
  readonly model: string;
  /** Passages in the index, and those of them whose codes or vectors were compared. */
  readonly passages: number;
  readonly scanned: number;
  /** Passages whose stored vectors were compared with the prompt. */
  readonly candidates: number;
  /** `none`, `mask` (the records were found first) or `test` (the candidates were tested). */
  readonly filter: "none" | "mask" | "test";
  /** Milliseconds of the parts of the search. */
  readonly times: Readonly<Record<string, number>>;
}

/** A text that waits to be embedded. */
export interface WaitingText {
  readonly id: number;
  readonly field: number;
  /** Grows with each change of the text. */
  readonly version: number;
  readonly text: string;
  /** Digests of its passages that are in the index. */
  readonly known: readonly string[];
}

/** The passages of a text, for the index. */
export interface EmbeddedText extends Pick<WaitingText, "id" | "field" | "version"> {
  readonly passages: readonly EmbeddedPassage[];
}

export interface EmbeddedPassage {
  readonly at: number;
  readonly end: number;
  readonly hash: string;
  /** What `packVector` and `vectorCode` make; absent when the index has a passage of this digest. */
  readonly made?: { readonly vector: Uint8Array; readonly code: Uint8Array };
}

/** State of the index of one field. */
export interface SemanticState {
  readonly entity: string;
  readonly field: string;
  readonly model: string;
  readonly passages: number;
  /** Texts that wait to be embedded. */
  readonly waiting: number;
  /** Whether the field can be searched: every text was embedded at least once. */
  readonly ready: boolean;
  /** How long the waiting texts will take, as far as it can be said from those that were embedded last. */
  readonly secondsLeft: number | null;
  /** Why the model embeds nothing at present. */
  readonly problem: string | null;
}

/** Keeps the passages of texts, and finds them by meaning. */
export interface SemanticStore {
  /**
   * @param deadline when the caller must have an answer, as of `performance.now()`
   * @param caller whose search it is; without it, the service's own
   * @throws TenonError `semantic_index_not_ready` until every text of the field was embedded once, and the errors of `SearchStore.search`
   */
  searchByMeaning(
    collection: Collection,
    query: SemanticQuery,
    deadline: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<SemanticAnswer>;
  semanticStates(instance: StoreInstance): Promise<SemanticState[]>;
}

/** The queue of the texts that wait to be embedded. It is filled in the transactions that change the records, so it survives a crash. */
export interface EmbeddingQueue {
  /** Makes the index of a model: all texts wait to be embedded by it. Does nothing when there is one. */
  openModel(model: SemanticModel): Promise<void>;
  /**
   * Texts that wait for a model: those after a text, at most about `most` characters together.
   *
   * @param owner made by `newLeaseOwner`; while another owner embeds by this model, there are none
   */
  waitingTexts(model: string, owner: string, after: number, most: number): Promise<WaitingText[]>;
  /** Lets another owner embed by a model at once. */
  endEmbedding(model: string, owner: string): Promise<void>;
  /** How many texts wait for a model. */
  waitingCount(model: string): Promise<number>;
  /**
   * Stores passages in the place of the earlier ones of their texts. A text that has changed meanwhile keeps waiting.
   *
   * @param perSecond how many texts are embedded in a second at present
   */
  keepPassages(model: string, texts: readonly EmbeddedText[], perSecond: number): Promise<void>;
  /** Notes why a model embeds nothing at present; null when it goes on. */
  noteProblem(model: string, problem: string | null): Promise<void>;
  /** Removes a part of the passages of other models. @returns whether there are more */
  dropOtherModels(model: string): Promise<boolean>;
}
