import { Document, isMap, isScalar, isSeq, type Node } from "yaml";
import type { Draft } from "./draft.ts";

/** The width within which an inner mapping stands on one line. */
const width = 140;

/** A draft as YAML in the form of the specs of this repository: entries of fields and parameters on one line each. */
export function yamlText(draft: Draft): string {
  const document = new Document(draft);
  for (const [depth, node] of nodesOf(document.contents as Node, 0)) {
    if (!isMap(node) && !isSeq(node)) continue;
    const flat = JSON.stringify(node.toJSON()).length + depth * 2;
    node.flow = depth > 1 && flat < width;
  }
  return document.toString({ lineWidth: 0, nullStr: "", flowCollectionPadding: true, indentSeq: true });
}

function* nodesOf(node: Node | null, depth: number): Generator<[number, Node]> {
  if (node === null) return;
  yield [depth, node];
  if (isMap(node)) for (const { value } of node.items) yield* nodesOf(value as Node | null, depth + 1);
  else if (isSeq(node)) for (const item of node.items) yield* nodesOf(item as Node | null, depth + 1);
  else if (isScalar(node) && typeof node.value === "string" && /[:#]/.test(node.value)) node.type = "QUOTE_DOUBLE";
}
