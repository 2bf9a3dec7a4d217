/** A condition of the platform's search language. */
export type Condition =
  | { readonly kind: "all"; readonly of: readonly Condition[] }
  | { readonly kind: "any"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "qualifier"; readonly name: string; readonly value: string };

type Token = { readonly kind: "(" | ")" | "OR" | "AND" | "NOT" } | { readonly kind: "term"; readonly condition: Condition };

const pattern = /\s*(?:([()])|(-)?(?:([A-Za-z-]+):)?(?:"((?:[^"\\]|\\.)*)"|([^\s()"]+)))/gy;

/** Reads words, phrases, `name:value`, `-`, NOT, AND, OR and parentheses. Neighbours are joined by AND, which binds tighter than OR. */
export function parseQuery(query: string): Condition {
  const tokens = tokenize(query);
  let at = 0;
  const any = (): Condition => {
    const parts = [all()];
    while (tokens[at]?.kind === "OR") {
      at++;
      parts.push(all());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "any", of: parts };
  };
  const all = (): Condition => {
    const parts: Condition[] = [];
    for (let next = tokens[at]; next !== undefined && next.kind !== ")" && next.kind !== "OR"; next = tokens[at]) {
      if (next.kind === "AND") at++;
      else parts.push(one());
    }
    return { kind: "all", of: parts };
  };
  const one = (): Condition => {
    const token = tokens[at++];
    if (token === undefined) return { kind: "all", of: [] };
    if (token.kind === "NOT") return { kind: "not", of: one() };
    if (token.kind === "term") return token.condition;
    const inner = any();
    if (tokens[at]?.kind === ")") at++;
    return inner;
  };
  const conditions: Condition[] = [];
  while (at < tokens.length) {
    conditions.push(any());
    // A closing parenthesis without an opening one is ignored, as the platform does.
    if (tokens[at]?.kind === ")") at++;
  }
  return { kind: "all", of: conditions };
}

function tokenize(query: string): Token[] {
  return [...query.matchAll(pattern)].flatMap(([whole, bracket, minus, name, quoted, word]): Token[] => {
    if (bracket === "(" || bracket === ")") return [{ kind: bracket }];
    const value = quoted?.replaceAll(/\\(.)/g, "$1") ?? word ?? "";
    const bare = name === undefined && quoted === undefined && minus === undefined;
    if (bare && (word === "OR" || word === "AND" || word === "NOT")) return [{ kind: word }];
    if (whole.trim() === "") return [];
    const condition: Condition =
      name === undefined ? { kind: "text", text: value } : { kind: "qualifier", name: name.toLowerCase(), value };
    return [{ kind: "term", condition: minus === undefined ? condition : { kind: "not", of: condition } }];
  });
}

/** Every qualifier of a condition that stands outside a negation. */
export function qualifiers(condition: Condition, name: string): string[] {
  if (condition.kind === "all" || condition.kind === "any") return condition.of.flatMap((part) => qualifiers(part, name));
  return condition.kind === "qualifier" && condition.name === name ? [condition.value] : [];
}
