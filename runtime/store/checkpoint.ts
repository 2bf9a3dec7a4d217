/** How far a sync run has read. It is stored in one transaction with the records. */
export type Checkpoint = RunFacts & Extent & StepPosition;

/** What holds for a whole sync run, or has been found so far. */
interface RunFacts {
  /** Number of the sync run. It is stored with every record that the sync run sees. */
  readonly run: number;
  /** How many steps of the entity's plan are done. */
  readonly step: number;
  /** Digest of how the spec reads the entity. A sync run that began with another digest is not continued. */
  readonly source?: string;
  /** When the sync run began, in milliseconds since 1970. */
  readonly began?: number;
  /** Newest value of the cursor field that this sync run has seen; or what names the first record. */
  readonly newest?: string;
  /** Set when the platform did not show everything, so that nothing may be removed at the end of the sync run. */
  readonly partial?: true;
  /** Whether the platform has shown the children of the parents that were read so far, or has forbidden to read them. */
  readonly childAccess?: "allowed" | "forbidden" | "both";
}

/**
 * What a sync run reads: everything, so that what it does not see may be removed; what has changed; or the partitions with these numbers.
 */
type Extent =
  | { readonly full: boolean; readonly partitions?: never }
  | { readonly full: false; readonly partitions: readonly number[] };

/** Within a list without parents. */
interface InList {
  /** Cursor of the next page. */
  readonly after: string;
  /** Set when the sync run has seen the newest record of the last complete sync run. */
  readonly sawNewestKnown?: true;
}

/**
 * Within a list that was read to its end and is read again, because records that changed meanwhile have moved to its beginning.
 */
interface InListAgain {
  /** The value of the cursor field down to which the list is read. */
  readonly until: string;
  /** Cursor of the next page; absent at the beginning. */
  readonly after?: string;
}

/** Among the parents for which a step reads. */
interface AmongParents {
  /** Key of the last parent that was read, or of which a part was read; absent before the first. */
  readonly parent?: string;
  /** Parents up to that one of which something remains to be read. */
  readonly open?: readonly OpenParent[];
}

/** A part of what has to be read for a parent. */
export interface OpenParent {
  readonly key: string;
  /** The marker to keep when everything was read. */
  readonly marker: string | null;
  /** Parameters of the call that the parent gives. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Cursor of the next page. */
  readonly after?: string;
  /** Set where its list was read already: a record may have moved from one page to another meanwhile. */
  readonly again?: true;
  /** An inner list of a list of lists, and the cursor of its next page. */
  readonly inside?: { readonly id: string; readonly after: string };
}

type PositionMember = keyof InList | keyof InListAgain | keyof AmongParents;
type Exactly<Position> = Position & { readonly [Name in Exclude<PositionMember, keyof Position>]?: never };

/** Where in a step a sync run is; an empty object at its beginning. */
export type StepPosition = Exactly<object> | Exactly<InList> | Exactly<InListAgain> | Exactly<AmongParents>;

/** The same sync run at another position. */
export function checkpointAt(checkpoint: Checkpoint, step: number, position: StepPosition = {}): Checkpoint {
  const { after: _after, sawNewestKnown: _sawNewestKnown, until: _until, parent: _parent, open: _open, ...run } = checkpoint;
  return { ...run, step, ...position };
}
