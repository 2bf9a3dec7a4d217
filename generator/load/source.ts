import {
  type Alias,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type ParsedNode,
  parseDocument,
  visit,
  type YAMLParseError,
  type YAMLWarning,
} from "yaml";
import { withoutMark } from "../../runtime/base/byte-order-mark.ts";
import { keyOf, Results } from "../cache/results.ts";
import type { Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";

export interface SourceFile {
  /** Path as shown in diagnostics. */
  readonly path: string;
  readonly text: string;
}

/** A YAML file: its value, and the position of every part of it. */
export interface Source {
  readonly path: string;
  readonly value: unknown;
  /** Position of the key that a path leads to; for a path that does not exist, that of the nearest parent. */
  at(path: readonly (string | number)[]): SourcePosition;
  /** Position of a character of the text that a path leads to; where the text is folded or escaped, that of its key. */
  inside(path: readonly (string | number)[], offset: number): SourcePosition;
}

/** Offsets at which lines begin. The parser's own counter knows only the lines that it could read. */
function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

/** The number of the line, from 0, that a character is in. */
function lineAt(starts: readonly number[], offset: number): number {
  let first = 0;
  let last = starts.length - 1;
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if ((starts[middle] ?? 0) <= offset) first = middle;
    else last = middle - 1;
  }
  return first;
}

/** What the parser finds, for a reader who does not know the words of the YAML specification: what is wrong, and a hint. */
const yamlTexts: Readonly<Partial<Record<ErrorCode, readonly [message: string, hint: string]>>> = {
  BLOCK_AS_IMPLICIT_KEY: ["a text with a colon and a space in it begins a mapping", "put the text in quotes"],
  BAD_INDENT: ["this line is not indented as the lines around it", "the keys of one mapping begin in the same column"],
  MISSING_CHAR: [
    "something is missing here: a closing bracket or quote, a comma, or the colon behind a key",
    "look at this line and the one before it",
  ],
  TAB_AS_INDENT: ["a tab cannot indent a line", "use spaces"],
  MULTIPLE_DOCS: ["the file has several YAML documents", "put what follows `---` into a file of its own"],
};

function yamlText({ code, message }: YAMLParseError | YAMLWarning): readonly [message: string, hint?: string] {
  // The parser calls this a wrong indent.
  if (/^Flow (sequence|map)/.test(message)) return ["a bracket before this line is not closed", "look at the lines above"];
  if (/at node end$/.test(message)) return ["there is something after the end of a value", "put the text in quotes"];
  return yamlTexts[code] ?? [message];
}

/** What is kept of a text without a fault. It is parsed again only for a position that nothing has looked up before. */
interface KeptSource {
  readonly value: unknown;
  /** The positions that were looked up so far: the path, line and column, and those of the origin. */
  readonly positions: [path: string, line: number, column: number, originLine?: number, originColumn?: number][];
}

/** The texts that this process has parsed. Runs look up mostly the same positions, so few unchanged texts are among them. */
const documents = new WeakMap<KeptSource, Document.Parsed>();

/**
 * Parses a YAML file. Undefined when it is not YAML; `diagnostics` then say where.
 *
 * @param results what earlier texts contain; this adds its own
 * @param merge whether `<<` gives a mapping the members of another one
 */
export function readSource(
  { path, text }: SourceFile,
  diagnostics: Diagnostics,
  results = new Results(),
  merge = false,
): Source | undefined {
  // Columns are counted without the mark.
  const file: SourceFile = { path, text: withoutMark(text) };
  const key = keyOf(merge ? "merged source" : "source", file.text);
  const known = results.find<KeptSource>(key);
  if (known !== undefined) return sourceOf(file, known, merge, () => results.keep(key, known));
  const faults = diagnostics.count;
  const document = parsed(file, diagnostics, merge);
  if (document === undefined) return undefined;
  const value = plainValue(document, file, diagnostics);
  if (value === undefined) return undefined;
  const made: KeptSource = { value: sortKeys(value), positions: [] };
  documents.set(made, document);
  if (diagnostics.count === faults && isJson(made.value)) results.keep(key, made);
  return sourceOf(file, made, merge, () => undefined);
}

/** @param onMore is called when there is more to keep */
function sourceOf({ path: file, text }: SourceFile, kept: KeptSource, merge: boolean, onMore: () => void): Source {
  const document = () => {
    const known = documents.get(kept) ?? parseDocument(text, { prettyErrors: false, merge });
    documents.set(kept, known);
    return known;
  };
  let lines: readonly number[] | undefined;
  const positionAt = (offset: number): SourcePosition => {
    lines ??= lineStarts(text);
    return positionIn(file, lines, offset);
  };
  // Most positions are for faults that are never found, and would be computed again with every field, parameter and build.
  const positions = new Map<string, SourcePosition>();
  for (const [key, line, column, originLine, originColumn] of kept.positions) {
    const origin =
      originLine === undefined || originColumn === undefined ? {} : { origin: { file, line: originLine, column: originColumn } };
    positions.set(key, { file, line, column, ...origin });
  }
  const find = (path: readonly (string | number)[]): SourcePosition => {
    const { offset, anchored } = offsetOf(document(), path);
    return anchored === undefined ? positionAt(offset) : { ...positionAt(offset), origin: positionAt(anchored) };
  };
  return {
    path: file,
    value: kept.value,
    at: (path) => {
      const key = path.join("\0");
      const known = positions.get(key);
      if (known !== undefined) return known;
      const position = find(path);
      const { line, column, origin } = position;
      positions.set(key, position);
      kept.positions.push(origin === undefined ? [key, line, column] : [key, line, column, origin.line, origin.column]);
      onMore();
      return position;
    },
    inside: (path, offset) =>
      positionAt(offsetInside(document().getIn(path, true), offset, text) ?? offsetOf(document(), path).offset),
  };
}

/** A spec may use one text in many places; aliases of aliases may be more than the memory holds. */
const mostAliases = 10_000;

/** The value of a document; undefined, and reported, where its aliases make it too large. */
function plainValue(document: Document.Parsed, { path }: SourceFile, diagnostics: Diagnostics): unknown {
  try {
    return document.toJS({ maxAliasCount: mostAliases });
  } catch (thrown) {
    if (!(thrown instanceof ReferenceError)) throw thrown;
    diagnostics.error({ file: path, line: 1, column: 1 }, "SPEC001", `the file has more than ${mostAliases} aliases (\`*name\`)`);
    return undefined;
  }
}

function positionIn(file: string, lines: readonly number[], offset: number): SourcePosition {
  const line = lineAt(lines, offset);
  return { file, line: line + 1, column: offset - (lines[line] ?? 0) + 1 };
}

function parsed(file: SourceFile, diagnostics: Diagnostics, merge: boolean): Document.Parsed | undefined {
  const document = parseDocument(file.text, { prettyErrors: false, merge });
  const positionAt = (offset: number) => positionIn(file.path, lineStarts(file.text), offset);
  // Decoding put it in the place of bytes that are none of UTF-8. It would be sent to the platform.
  const broken = file.text.indexOf("\uFFFD");
  if (broken >= 0) {
    diagnostics.error(positionAt(broken), "SPEC001", "this is not text in UTF-8", "save the file in this encoding");
    return undefined;
  }
  // Behind the first mistake the parser finds others that are none.
  const [first] = document.errors.filter((problem) => problem.code !== "DUPLICATE_KEY");
  for (const problem of [...document.errors, ...document.warnings]) {
    const duplicate = problem.code === "DUPLICATE_KEY";
    if (!duplicate && first !== undefined && problem !== first) continue;
    const [message, hint] = duplicate ? ["this mapping has the same key twice"] : yamlText(problem);
    diagnostics.error(positionAt(problem.pos[0]), duplicate ? "SPEC004" : "SPEC001", message, hint);
  }
  if (document.errors.length > 0) return undefined;
  /** Where each of them is first. */
  const aliases = new Map<string, number>();
  const anchors = new Set<string>();
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.add(node.anchor);
      } else if (!anchors.has(node.source) && !aliases.has(node.source)) aliases.set(node.source, node.range?.[0] ?? 0);
    },
  });
  const [anchorless, ...others] = [...aliases.values()].map(positionAt);
  if (anchorless === undefined) return document;
  const lines = others.map(({ line }) => line).slice(0, 5);
  const hint = `put the text in quotes${lines.length === 0 ? "" : `; also in line ${lines.join(", ")}`}`;
  diagnostics.error(anchorless, "SPEC001", "a text that begins with `*` refers to an anchor, and there is none", hint);
  return undefined;
}

/** Whether a value of YAML is the same when it is read from JSON. */
function isJson(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(isJson);
  return typeof value === "number" ? Number.isFinite(value) && !Object.is(value, -0) : typeof value !== "bigint";
}

/** Sorts the keys of all mappings. Their order means nothing, so a spec written in another order gives the same bytes. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

/** Offset in the file of a character of a scalar, or undefined where the scalar is written in another way than its text. */
function offsetInside(node: unknown, offset: number, text: string): number | undefined {
  if (!isScalar<string>(node) || typeof node.value !== "string" || !node.range) return undefined;
  const [start, end] = node.range;
  const raw = text.slice(start, end);
  if (node.type !== "BLOCK_LITERAL") {
    const open = node.type === "PLAIN" ? 0 : 1;
    return raw.slice(open, raw.length - open) === node.value ? start + open + offset : undefined;
  }
  // The first line of a block has only the `|`, and each further line is indented, so the offset is counted line by line.
  const before = node.value.slice(0, offset).split("\n");
  const lines = raw.split("\n").slice(0, before.length + 1);
  const last = lines.pop()?.replace(/\r$/, "");
  const line = node.value.split("\n")[before.length - 1];
  if (last === undefined || line === undefined) return undefined;
  return start + lines.join("\n").length + 1 + last.length - line.length + (before.at(-1) ?? "").length;
}

interface Offset {
  readonly offset: number;
  /** Where the anchor of an alias is defined. */
  readonly anchored?: number;
}

function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): Offset {
  let node: ParsedNode | null = document.contents;
  let offset = node?.range[0] ?? 0;
  let isInside = false;
  /** The alias of which nothing has been found yet. */
  let entered: Alias | undefined;
  const found = (): Offset => {
    if (entered !== undefined) return { offset, anchored: anchorOf(document, entered) ?? offset };
    return isInside ? { offset, anchored: offset } : { offset };
  };
  for (const key of path) {
    // What is inside an alias is written at its anchor.
    if (isAlias(node)) {
      entered = node;
      node = (node.resolve(document) as ParsedNode | undefined) ?? null;
      isInside = true;
    }
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) return found();
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
      entered = undefined;
    } else if (isSeq<ParsedNode>(node)) {
      const item: ParsedNode | undefined = node.items[Number(key)];
      if (!isNode(item)) return found();
      offset = item.range[0];
      node = item;
      entered = undefined;
    } else {
      return found();
    }
  }
  return isAlias(node) ? { offset, anchored: anchorOf(document, node) ?? offset } : found();
}

/** The position of the node that an alias refers to: that of its key, if it is the value of one. */
function anchorOf(document: Document.Parsed, alias: Alias): number | undefined {
  const node = alias.resolve(document);
  let start = node?.range?.[0];
  visit(document, {
    Pair: (_, { key, value }) => {
      if (value !== node) return undefined;
      if (isNode(key)) start = key.range?.[0] ?? start;
      return visit.BREAK;
    },
  });
  return start;
}
