import { ts } from "ts-morph";

// Finds the places of a source file where a small fault can be planted, and writes the file with such faults as switches.

/** A fault that can be switched on. */
export interface Mutant {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** The text of the line without its indentation. Names the mutant in the list of equivalent ones, where line numbers would not last. */
  readonly source: string;
  readonly from: string;
  readonly to: string;
  /** Offset of the place in the file's text. */
  readonly start: number;
  /** What stands at the place: an expression, a statement, or a member of an object. */
  readonly kind: "expression" | "statement" | "member";
}

const otherOperators = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.PlusToken, "-"],
  [ts.SyntaxKind.MinusToken, "+"],
  [ts.SyntaxKind.AsteriskToken, "/"],
  [ts.SyntaxKind.SlashToken, "*"],
]);

const parse = (file: string, text: string) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** All mutants of a file, in the order of its text. */
export function findMutants(file: string, text: string): Mutant[] {
  const tree = parse(file, text);
  const found: Mutant[] = [];
  const add = (node: ts.Node, to: string, kind: Mutant["kind"]) => {
    const start = node.getStart(tree);
    const { line } = tree.getLineAndCharacterOfPosition(start);
    const source = text.slice(tree.getPositionOfLineAndCharacter(line, 0)).split("\n", 1)[0]?.trim() ?? "";
    found.push({ file, line: line + 1, source, from: node.getText(tree), to, start, kind });
  };
  const visit = (node: ts.Node) => {
    if (isLeftAlone(node)) return;
    const expression = mutateExpression(node, tree);
    if (expression !== undefined) add(node, expression, "expression");
    if (isCallStatement(node)) add(node, ";", "statement");
    if (isDroppableMember(node)) add(node, "", "member");
    node.forEachChild(visit);
  };
  visit(tree);
  return found.sort((a, b) => a.start - b.start);
}

/**
 * The text of a file in which each of the given mutants takes effect while `$mutant(number)` returns true.
 * @param mutants Of this file, with the number of each.
 * @param module Where the file finds `$mutant`.
 */
export function plant(file: string, text: string, mutants: ReadonlyMap<number, Mutant>, module: string): string {
  const tree = parse(file, text);
  const at = (node: ts.Node, kind: Mutant["kind"]) =>
    [...mutants].filter(([, one]) => one.start === node.getStart(tree) && one.from === node.getText(tree) && one.kind === kind);
  const places = new Set([...mutants.values()].map(({ start }) => start));
  const print = (node: ts.Node): string => {
    if (isLeftAlone(node)) return node.getText(tree);
    let printed = "";
    let end = node.getStart(tree);
    node.forEachChild((child) => {
      printed += text.slice(end, child.getStart(tree)) + print(child);
      end = child.end;
    });
    printed += text.slice(end, node.end);
    if (!places.has(node.getStart(tree))) return printed;
    // An operand that a mutant repeats stands there without switches: only one mutant is on at a time.
    for (const [number, { to }] of ts.isExpression(node) ? at(node, "expression") : [])
      printed = `($mutant(${number}) ? (${to}) : (${printed}))`;
    for (const [number] of isCallStatement(node) ? at(node, "statement") : [])
      printed = `{ if (!$mutant(${number})) ${printed} }`;
    for (const [number] of isDroppableMember(node) ? at(node, "member") : [])
      printed = `...($mutant(${number}) ? {} : { ${printed} })`;
    return printed;
  };
  return `// @ts-nocheck\nimport { $mutant } from "${module}";${text.slice(0, tree.getStart())}${print(tree)}`;
}

/** Types and imports have no effect when the program runs. */
function isLeftAlone(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
  );
}

/** What an expression becomes, or undefined when it stays. */
function mutateExpression(node: ts.Node, tree: ts.SourceFile): string | undefined {
  if (ts.isBinaryExpression(node)) {
    const [left, right] = [node.left.getText(tree), node.right.getText(tree)];
    if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return left;
    const other = otherOperators.get(node.operatorToken.kind);
    if (other === undefined || [node.left, node.right].some(isText)) return undefined;
    return `${left} ${other} ${right}`;
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return "false";
  if (node.kind === ts.SyntaxKind.FalseKeyword) return "true";
  if (ts.isNumericLiteral(node)) return isName(node) ? undefined : String(Number(node.text) + 1);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) return node.operand.getText(tree);
  return isCondition(node) ? `!(${node.getText(tree)})` : undefined;
}

/** A plus beside it joins texts, most of which are messages. */
const isText = (node: ts.Node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Numbers can name members, as in `{ 0: first }`. */
function isName(node: ts.Node): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAssignment(parent) && parent.name === node) || (ts.isBindingElement(parent) && parent.propertyName === node)
  );
}

/** A whole condition that is no comparison, whose own operator would change. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  return (
    (ts.isIfStatement(parent) && parent.expression === node) || (ts.isConditionalExpression(parent) && parent.condition === node)
  );
}

function isCallStatement(node: ts.Node): node is ts.ExpressionStatement {
  if (!ts.isExpressionStatement(node)) return false;
  const called = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
  return ts.isCallExpression(called) && called.expression.kind !== ts.SyntaxKind.SuperKeyword;
}

function isDroppableMember(node: ts.Node): boolean {
  if (!ts.isPropertyAssignment(node) && !ts.isShorthandPropertyAssignment(node)) return false;
  const { parent } = node.parent;
  // `({ a } = b)` takes apart and makes nothing.
  return !(
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    parent.left === node.parent
  );
}
