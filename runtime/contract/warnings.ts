/** Says that something is missing in an answer, or is probably a mistake of the caller, although the call succeeded. */
export interface Warning {
  /** A place in the response (`data.3.labels`), or a JSON Pointer into the request. */
  readonly path: string;
  /** One of {@link warningCodes}, or an error code when a part of the answer failed. */
  readonly code: string;
  readonly message: string;
}

interface WarningEntry {
  readonly doc: string;
  /** Every requested record is in this response or will be on the next page, so that a sync may rely on the response. */
  readonly harmless: boolean;
  /** It says that the cache is not what a caller takes it for. */
  readonly cache?: true;
}

/** The one table of the warnings in `meta.warnings` that are not error codes. The runtime, the sync and the reference pages use it. */
export const warningCodes = {
  list_cut: { harmless: true, doc: "A list within a record has more elements than the response contains." },
  value_cut: { harmless: true, doc: "The platform gave only the beginning of the value." },
  short_page: { harmless: true, doc: "The page has fewer records than were requested; the next page continues after them." },
  list_ended: { harmless: false, doc: "The platform has more of these records but gave no cursor to read them with." },
  record_missing: { harmless: false, doc: "The platform left out records without saying why." },
  partial_results: {
    harmless: false,
    doc: "Organizations with single sign-on that this token is not authorized for were left out.",
  },
  unknown_value: {
    harmless: true,
    doc: "A filter names a value that the enumeration does not list, or spells a scope with other capitals than its records, so that probably no record has it.",
  },
  no_content: { harmless: true, doc: "The platform did what was requested, but sent no record in its response." },
  job_running: {
    harmless: true,
    doc: "The platform accepted the write and has not finished it; the response has the state of the job at the end of the time limit.",
  },
  unlisted_value: {
    harmless: true,
    doc: "The platform gave a value that the enumeration does not list; it is passed through as it is.",
  },
  unexpected_type: {
    harmless: true,
    doc: "The platform gave a value of another type than the spec declares; it is passed through as it is.",
  },
  field_removed: {
    harmless: true,
    doc: "The platform no longer has a field that the spec reads, or left out one that is never null. The value is null, or an empty list.",
  },
  element_missing: {
    harmless: true,
    doc: "A list within a record has elements without a value, which are left out.",
  },
  broken_text: {
    harmless: true,
    doc: "A text has half of a surrogate pair, which a live read passes through, or bytes that are not UTF-8. The cache has U+FFFD in its place.",
  },
  prompt_cut: { harmless: true, doc: "The prompt is longer than the model reads; its end was left out." },
  prompt_unknown: {
    harmless: true,
    doc: "The model does not know any word of the prompt, so nothing is close to it. It reads English best.",
  },
  semantic_index_behind: { harmless: true, doc: "Texts have changed and are not embedded yet, so hits may be missing." },
  semantic_model_replaced: {
    harmless: true,
    doc: "The index of the model that was chosen is still being built; the index of another model was used.",
  },
  not_synced: {
    harmless: true,
    cache: true,
    doc: "The cache does not have everything that the search is about, because no sync has read it to its end. An empty result means nothing then.",
  },
  sync_failed: {
    harmless: true,
    cache: true,
    doc: "The last sync failed, so the result may be older than `synced_at` suggests.",
  },
  stale: { harmless: true, cache: true, doc: "The last sync ended more than two intervals of its schedule ago." },
  more_warnings: { harmless: true, doc: "There are more warnings than this response lists." },
} as const satisfies Readonly<Record<string, WarningEntry>>;

export type WarningCode = keyof typeof warningCodes;

/** A warning of the table, with the table's text unless another message is given. */
export function warning(path: string, code: WarningCode, message: string = warningCodes[code].doc): Warning {
  return { path, code, message };
}

/** Whether a sync may rely on an answer that has this warning. */
export function isHarmless({ code }: Warning): boolean {
  return Object.hasOwn(warningCodes, code) && warningCodes[code as WarningCode].harmless;
}

/** Whether a warning says that the cache is empty, broken or old. */
export function isAboutCache({ code }: Pick<Warning, "code">): boolean {
  const entry: WarningEntry | undefined = Object.hasOwn(warningCodes, code) ? warningCodes[code as WarningCode] : undefined;
  return entry?.cache === true;
}
