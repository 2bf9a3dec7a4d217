import type { SnakeCase } from "./names.ts";

// Types of the parameter `fields`, and what it makes of the type of a record.

/** A field that a request may name: in camelCase or snake_case, and with a path into it. */
export type FieldOf<Item> = FieldName<keyof Item & string>;
type FieldName<Name extends string> = Spelling<Name> | `${Spelling<Name>}.${string}` | readonly [Spelling<Name>, ...string[]];
type Spelling<Name extends string> = Name | SnakeCase<Name>;

/** What `fields` may be: names that the compiler checks where it sees them, or a list that is only known at run time. */
export type Fields<Item> = readonly FieldOf<Item>[] | UnknownFields;
/** A list of which the compiler knows no element. */
export type UnknownFields = readonly string[] & { readonly [0]?: never };

/** The members of a record that a literal `fields` names. A path gives its first member whole. */
export type Chosen<Item, Names> = Names extends readonly unknown[]
  ? number extends Names["length"]
    ? Partial<Item>
    : Required<Pick<Item, Named<keyof Item, FirstOf<Names[number]>>>>
  : Item;

type FirstOf<Path> = Path extends readonly [infer First, ...unknown[]]
  ? First
  : Path extends `${infer First}.${string}`
    ? First
    : Path;
type Named<Keys, Names> = Keys extends string
  ? Keys extends Names
    ? Keys
    : SnakeCase<Keys> extends Names
      ? Keys
      : never
  : never;
