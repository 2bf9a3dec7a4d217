/** Everything that can be wrong with a spec. */
export const diagnosticCodes = {
  SPEC001: "YAML syntax",
  SPEC002: "not allowed by the spec language",
  SPEC003: "unknown name",
  SPEC004: "duplicate name",
  SPEC005: "declared and never used",
  SPEC006: "type does not fit the platform",
  SPEC007: "path does not exist on the platform",
  SPEC008: "deprecated on the platform",
  SPEC009: "transition that its action cannot make",
  SPEC010: "name that is taken or reserved",
  SPEC011: "GraphQL syntax",
  SPEC012: "GraphQL document is not valid",
  SPEC013: "GraphQL document requests too many nodes",
  SPEC014: "REST call is not in the platform's description",
  SPEC015: "REST parameter does not fit the platform's description",
  SPEC016: "contradiction inside the spec",
  SPEC017: "file cannot be read",
  SPEC018: "not stored in the cache",
  SPEC019: "sync cannot be done",
  SPEC020: "list of which only the first page would be read",
  SPEC021: "value of the platform that the enum does not have",
  SPEC022: "may be null, but never is on the platform",
} as const;

export type DiagnosticCode = keyof typeof diagnosticCodes;

/** A place in a spec file. Lines and columns are counted from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A position in a spec file. */
export interface SourcePosition extends Place {
  /** Where what stands here is really written: in a shared entry, or at the anchor of an alias. */
  readonly origin?: Place & {
    /** How many places have it from there, and without a change. A fault of few of them is not one of the origin. */
    readonly uses?: { readonly all: number; readonly plain: number };
    /** The shared entry of which it is a part. */
    readonly entry?: Place;
    /** The place changes what it has from there. */
    readonly changed?: true;
  };
}

/** A name of a spec, with what it names. */
export interface Named {
  readonly kind:
    | "action"
    | "call"
    | "entity"
    | "enum value"
    | "error code"
    | "field"
    | "field type"
    | "parameter"
    | "parameter type"
    | "path"
    | "platform type"
    | "presence"
    | "scope"
    | "shared field"
    | "shared parameter"
    | "type"
    | "value"
    | "variable";
  readonly name: string;
  /** The entity whose actions would have the parameter. */
  readonly of?: string;
}

/** A name that is not known. */
export const anyName = "*";

/** That a field of this name has another type than its place or its uses want. */
export const fieldType = (name: string): Named => ({ kind: "field type", name });

/** That a parameter of this name has another type than its call or its uses want. */
export const paramType = (name: string): Named => ({ kind: "parameter type", name });

/** What a fault says, as data: by this, one is recognized that follows from another, or that says the same as another. */
export interface Facts {
  /** Names that it says nothing declares or gives. */
  readonly lacks?: readonly Named[];
  /** Names that are missing elsewhere until it is corrected. */
  readonly loses?: readonly Named[];
  /** What is declared at its place cannot be used. */
  readonly unusable?: true;
  /** The entry is only a name, and spelled like no other, so it can only be a use of what is declared elsewhere. */
  readonly bare?: true;
  /** The action at this place lacks a parameter that its call needs, and it is not known which one was meant. */
  readonly unbound?: Place;
  /** Faults with the same place here are parts of one, which is at that place. */
  readonly partOf?: SourcePosition;
  /** The `page` at this place: a fault of it may follow from a wrong `by`, and is a sign of one if a key has no effect there. */
  readonly ofPage?: { readonly at: SourcePosition; readonly isSign?: true };
  /** The field or parameter of whose type something is said. */
  readonly entry?: SourcePosition;
  /** A platform's scalar that `scalars` does not make the type of the field or parameter at this place. */
  readonly scalar?: { readonly name: string; readonly type: string };
  /** The platform's description already says what its place says. */
  readonly needless?: true;
  /** A declared name that it says nothing uses. */
  readonly unused?: Named;
  /** Values of an enum that it says the platform neither gives nor takes. */
  readonly strange?: readonly string[];
  /** What it says of its place, without what uses the place. */
  readonly says?: string;
}

export interface Diagnostic extends SourcePosition {
  readonly code: DiagnosticCode;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
  readonly facts?: Facts;
}

/** A place as a text: two places are the same if their texts are. */
export const placeOf = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

/** Collects diagnostics. No function of the generator throws because a spec is wrong. */
export class Diagnostics {
  readonly #found = new Map<string, Diagnostic>();
  #reported = 0;

  /** Adds a fault. The hint says what would be right. */
  error(position: SourcePosition, code: DiagnosticCode, message: string, hint?: string, facts?: Facts): void {
    this.#reported++;
    const more = { ...(hint === undefined ? {} : { hint }), ...(facts === undefined ? {} : { facts }) };
    this.#add({ ...position, code, severity: "error", message, ...more });
  }

  /** How often a fault was reported. One that was reported twice counts twice. */
  get reported(): number {
    return this.#reported;
  }

  /** All diagnostics by position. One that was added twice is there once. */
  sorted(): Diagnostic[] {
    return [...this.#found.values()].sort(
      (a, b) =>
        compare(a.file, b.file) ||
        a.line - b.line ||
        a.column - b.column ||
        compare(a.code, b.code) ||
        compare(a.message, b.message),
    );
  }

  /** Whether a fault with this code and this text in its message has been reported. */
  has(code: DiagnosticCode, text: string): boolean {
    return [...this.#found.values()].some((one) => one.code === code && one.message.includes(text));
  }

  /** Whether a fault with this code has been reported at a place. */
  hasAt(code: DiagnosticCode, at: Place): boolean {
    return [...this.#found.values()].some((one) => one.code === code && placeOf(one) === placeOf(at));
  }

  /** Puts others in the place of all diagnostics, if there are any. */
  rewrite(change: (all: readonly Diagnostic[]) => readonly Diagnostic[]): void {
    if (this.#found.size === 0) return;
    const changed = change([...this.#found.values()]);
    this.#found.clear();
    for (const one of changed) this.#add(one);
  }

  get count(): number {
    return this.#found.size;
  }

  #add(diagnostic: Diagnostic): void {
    this.#found.set(formatDiagnostic(diagnostic), diagnostic);
  }
}

/** `spec/github/issues.yaml:12:5 SPEC003 unknown type "IssueStat" (did you mean "IssueState"?)` */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const hint = diagnostic.hint === undefined ? "" : ` (${diagnostic.hint})`;
  return `${placeOf(diagnostic)} ${diagnostic.code} ${diagnostic.message}${hint}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
