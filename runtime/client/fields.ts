import type { SnakeCase } from "./names.ts";

// Types of the parameter `fields`, and what it makes of the type of a record.

/** A field that a request may name: in camelCase or snake_case, and with a path into it, dotted or as a list of keys. */
export type FieldOf<Item> = Dotted<Item, Depth> | Listed<Item, Depth>;
type Spelling<Name extends string> = Name | SnakeCase<Name>;

/** Paths are checked to this depth; what they name below it is left to the service. Each element is one level. */
type Depth = readonly [0, 0, 0, 0];
type Below<Levels> = Levels extends readonly [unknown, ...infer Rest] ? Rest : [];

/** The object that a path leads into: behind null, and that of a list's elements; never for anything else. */
type Inside<Value> = Value extends readonly (infer Element)[] ? Inside<Element> : Value extends object ? Value : never;
/** Whether an object may have any members: those of the platform's own objects are not known. */
type IsOpen<Item> = string extends keyof Item ? true : false;

type Dotted<Item, Levels> = [Item] extends [never]
  ? never
  : Levels extends readonly []
    ? string
    : IsOpen<Item> extends true
      ? string
      : {
          [Key in keyof Item & string]-?: Spelling<Key> | `${Spelling<Key>}.${Dotted<Inside<Item[Key]>, Below<Levels>>}`;
        }[keyof Item & string];

type Listed<Item, Levels> = Levels extends readonly []
  ? readonly string[]
  : IsOpen<Item> extends true
    ? readonly string[]
    : {
        [Key in keyof Item & string]-?: [Inside<Item[Key]>] extends [never]
          ? readonly [Spelling<Key>]
          : readonly [Spelling<Key>] | readonly [Spelling<Key>, ...Listed<Inside<Item[Key]>, Below<Levels>>];
      }[keyof Item & string];

/** What `fields` may be: names that the compiler checks where it sees them, or a list that is only known at run time. */
export type Fields<Item> = readonly FieldOf<Item>[] | UnknownFields;
/** A list of which the compiler knows no element. */
export type UnknownFields = readonly string[] & { readonly [0]?: never };

/** The members of a record that a literal `fields` names, and of the objects in it those that its paths name. */
export type Chosen<Item, Names> = Names extends readonly unknown[]
  ? number extends Names["length"]
    ? Partial<Item>
    : Picked<Item, KeysOf<Names[number]>>
  : Item;

/** The keys of a path: `"author.login"` is `["author", "login"]`. */
type KeysOf<Path> = Path extends readonly unknown[]
  ? Path
  : Path extends `${infer First}.${infer Rest}`
    ? readonly [First, ...KeysOf<Rest>]
    : readonly [Path];

type Picked<Item, Paths> = {
  [Key in keyof Item as [Rest<Key, Paths>] extends [never] ? never : Key]-?: Within<Required<Item>[Key], Rest<Key, Paths>>;
};
/** What the paths that begin with a key have after it. */
type Rest<Key, Paths> = Paths extends readonly [infer First, ...infer After]
  ? First extends Spelling<Key & string>
    ? After
    : never
  : never;
/** A name without a path selects the whole object. */
type Within<Value, Paths> = [] extends Paths ? Value : Inner<Value, Paths>;
type Inner<Value, Paths> = Value extends readonly (infer Element)[]
  ? readonly Inner<Element, Paths>[]
  : Value extends object
    ? IsOpen<Value> extends true
      ? Value
      : Picked<Value, Paths>
    : Value;
