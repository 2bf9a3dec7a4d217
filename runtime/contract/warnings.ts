/** Says that something is missing in the answer, or cannot have been meant, although the call went well. */
export interface Warning {
  /** Place in the answer (`data.3.labels`), or JSON Pointer into the request. */
  readonly path: string;
  /** One of {@link warningCodes}, or the error code of what failed within the answer. */
  readonly code: string;
  readonly message: string;
}

interface WarningEntry {
  readonly doc: string;
  /** The records that were asked for are all there, or will be on the next page: a sync may go by the answer. */
  readonly harmless: boolean;
}

/** The one table of what `meta.warnings` tells besides errors. The runtime, the sync and the reference pages go by it. */
export const warningCodes = {
  list_cut: { harmless: true, doc: "A list within a record has more elements than are given here." },
  value_cut: { harmless: true, doc: "The platform gave only the beginning of the value." },
  short_page: { harmless: true, doc: "There are fewer records than were asked for; the next page goes on from there." },
  list_ended: { harmless: false, doc: "The platform has more of these records but gave no cursor that leads to them." },
  record_missing: { harmless: false, doc: "The platform left out records without saying why." },
  partial_results: {
    harmless: false,
    doc: "Organizations with single sign-on that this token is not authorized for were left out.",
  },
  unknown_value: {
    harmless: true,
    doc: "A filter names a value that the enumeration does not list, so that most likely no record has it.",
  },
  no_content: { harmless: true, doc: "The platform did what was asked and sent no record of it." },
  unlisted_value: {
    harmless: true,
    doc: "The platform gave a value that the enumeration does not list; it is passed through as it is.",
  },
  more_warnings: { harmless: false, doc: "There are more warnings than are told." },
} as const satisfies Readonly<Record<string, WarningEntry>>;

export type WarningCode = keyof typeof warningCodes;

/** A warning of the table, in the table's words unless there is more to say. */
export function warning(path: string, code: WarningCode, message: string = warningCodes[code].doc): Warning {
  return { path, code, message };
}

export function isHarmless({ code }: Warning): boolean {
  return Object.hasOwn(warningCodes, code) && warningCodes[code as WarningCode].harmless;
}
