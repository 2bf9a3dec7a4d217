import { isObject } from "../base/is-object.ts";
import { searchLimits } from "../contract/index.ts";

/** Operators of the client that our filters do not have, said with `like`. The text is literal. */
const textOperators = {
  startswith: (text) => `${text}%`,
  endswith: (text) => `%${text}`,
  contains: (text) => `%${text}%`,
} as const satisfies Readonly<Record<string, (escaped: string) => string>>;

export type TextOperator = keyof typeof textOperators;

type Path = readonly (string | number)[];

/** A place of a translated filter that stands elsewhere in the filter of the caller. */
export interface Moved {
  readonly to: Path;
  readonly from: Path;
  readonly operator?: TextOperator;
}

/** One field under one operator. */
interface Like {
  readonly operator: TextOperator | "like";
  readonly field: string;
  readonly pattern: unknown;
}

/**
 * Writes the text operators of a filter as `like`. Whatever else is in the filter stays as it is, right or wrong.
 *
 * @param at where the filter stands in the request
 * @param moved takes the places that have changed, for messages about them
 */
export function withoutTextOperators(filter: unknown, at: Path, moved: Moved[], depth = 1): unknown {
  // What is too deep is refused later.
  if (!isObject(filter) || depth > searchLimits.depth) return filter;
  const inside = (operand: unknown, path: Path) => withoutTextOperators(operand, path, moved, depth + 1);
  const likes = likesOf(filter);
  if (likes === undefined)
    return Object.fromEntries(
      Object.entries(filter).map(([name, operand]) => [name, nested(name, operand, [...at, name], inside)]),
    );
  const collide = new Set(likes.map(({ field }) => field)).size < likes.length;
  const others = Object.entries(filter).filter(([name]) => name !== "like" && !isTextOperator(name));
  if (!collide) {
    for (const { operator, field } of likes) note([...at, "like", field], operator, field);
    const own = others.map(([name, operand]) => [name, nested(name, operand, [...at, name], inside)] as const);
    return { ...Object.fromEntries(own), like: Object.fromEntries(likes.map(({ field, pattern }) => [field, pattern])) };
  }
  // Two patterns for one field cannot stand in one object.
  const conditions = [
    ...others.map(([name, operand], index) => {
      const to = [...at, "and", index, name];
      const condition = nested(name, operand, to, inside);
      moved.push({ to, from: [...at, name] });
      return { [name]: condition };
    }),
    ...likes.map(({ operator, field, pattern }, index) => {
      note([...at, "and", others.length + index, "like", field], operator, field);
      return { like: Object.fromEntries([[field, pattern]]) };
    }),
  ];
  return { and: conditions };

  function note(to: Path, operator: Like["operator"], field: string): void {
    moved.push({ to, from: [...at, operator, field], ...(operator === "like" ? {} : { operator }) });
  }
}

function nested(name: string, operand: unknown, at: Path, inside: (operand: unknown, at: Path) => unknown): unknown {
  if (name === "not") return inside(operand, at);
  if ((name !== "and" && name !== "or") || !Array.isArray(operand) || operand.length > searchLimits.nodes) return operand;
  return operand.map((one: unknown, index) => inside(one, [...at, index]));
}

/** The fields under `like` and the text operators; undefined when no text operator is there, or one of them has no fields. */
function likesOf(filter: Readonly<Record<string, unknown>>): Like[] | undefined {
  const found = Object.entries(filter).filter(([name]) => name === "like" || isTextOperator(name));
  if (!found.some(([name]) => isTextOperator(name)) || !found.every(([, operand]) => isObject(operand))) return undefined;
  return found.flatMap(([name, operand]) =>
    Object.entries(isObject(operand) ? operand : {}).map(([field, text]): Like => {
      if (!isTextOperator(name)) return { operator: "like", field, pattern: text };
      return { operator: name, field, pattern: typeof text === "string" ? textOperators[name](escaped(text)) : text };
    }),
  );
}

function isTextOperator(name: string): name is TextOperator {
  return Object.hasOwn(textOperators, name);
}

/** The text as a pattern that only this text fits. */
function escaped(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
