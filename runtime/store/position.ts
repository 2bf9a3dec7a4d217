/** How far a pass of a sync has read. It is stored in one transaction with the records. */
export type SyncPosition = PassFacts & Extent & StepPlace;

/** What holds for a whole pass, or has been found so far. */
interface PassFacts {
  /** Number of the pass. It is stored with every record that the pass sees. */
  readonly pass: number;
  /** How many steps of the entity's plan are done. */
  readonly step: number;
  /** Digest of how the spec reads the entity. A pass that began with another digest is not continued. */
  readonly source?: string;
  /** When the pass began, in milliseconds since 1970. */
  readonly began?: number;
  /** Newest value of the cursor field that this pass has seen; of a list with a head, the first record. */
  readonly newest?: string;
  /** Set when the platform did not show everything, so that nothing may be removed at the end of the pass. */
  readonly partial?: true;
  /** Which of these the pass has met: parents of which the platform shows what belongs to them, and parents of which it forbids that. */
  readonly met?: "shown" | "hidden" | "both";
}

/** What a pass reads: everything, so that what it does not see may be removed; what has changed; or the parts with these numbers. */
type Extent = { readonly full: boolean; readonly parts?: never } | { readonly full: false; readonly parts: readonly number[] };

/** Within a list without parents. */
interface InList {
  /** Cursor of the next page. */
  readonly after: string;
  /** Set when the pass has seen the head of the last complete pass. */
  readonly metHead?: true;
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
  /** The mark to keep when everything was read. */
  readonly mark: string | null;
  /** Parameters of the call that the parent gives. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Cursor of the next page. */
  readonly after?: string;
  /** An inner list of a list of lists, and the cursor of its next page. */
  readonly inside?: { readonly id: string; readonly after: string };
}

type PlaceMember = keyof InList | keyof InListAgain | keyof AmongParents;
type Exactly<Place> = Place & { readonly [Name in Exclude<PlaceMember, keyof Place>]?: never };

/** Where in a step a pass is; an empty object at its beginning. */
export type StepPlace = Exactly<object> | Exactly<InList> | Exactly<InListAgain> | Exactly<AmongParents>;

/** The same pass at another place. */
export function positionAt(position: SyncPosition, step: number, place: StepPlace = {}): SyncPosition {
  const { after: _after, metHead: _metHead, until: _until, parent: _parent, open: _open, ...pass } = position;
  return { ...pass, step, ...place };
}
