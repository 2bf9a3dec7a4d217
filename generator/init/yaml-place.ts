import { isMap, isScalar, isSeq, type Node, parseDocument } from "yaml";

/** Finds the keys that lead to places of a text, which is read once. */
export function placesIn(text: string): (place: { readonly line: number; readonly column: number }) => string[] {
  const root = parseDocument(text).contents;
  const starts = [0];
  for (const { index } of text.matchAll(/\n/g)) starts.push(index + 1);
  return ({ line, column }) => keysAt(root, (starts[line - 1] ?? 0) + column - 1);
}

/** The keys of the innermost entry that begins at or before an offset. Elements of lists have none. */
function keysAt(node: Node | null, offset: number): string[] {
  if (isSeq<Node>(node)) return keysAt(lastBefore(node.items, (one) => one.range?.[0], offset) ?? null, offset);
  if (!isMap<Node, Node | null>(node)) return [];
  const pair = lastBefore(node.items, ({ key }) => key.range?.[0], offset);
  if (pair === undefined || !isScalar(pair.key)) return [];
  return [String(pair.key.value), ...keysAt(pair.value, offset)];
}

function lastBefore<Item>(items: readonly Item[], start: (one: Item) => number | undefined, offset: number): Item | undefined {
  return items.findLast((one) => (start(one) ?? Number.POSITIVE_INFINITY) <= offset);
}
