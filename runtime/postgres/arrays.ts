// Arrays in the binary form of the protocol: the server need not split a text, and no character needs an escape.
// Source: `array_send` and the functions named after the types, such as `textsend`, in PostgreSQL's source.

interface ElementType<Item> {
  /** Object id of the type, from PostgreSQL's `pg_type.dat`. */
  readonly oid: number;
  /** Bytes of an item. */
  readonly size: (item: Item) => number;
  readonly write: (to: Buffer, item: Item, at: number) => void;
}

interface ItemTypes {
  readonly boolean: boolean;
  readonly integer: number;
  readonly bigint: bigint;
  readonly "double precision": number;
  readonly text: string;
}

export type ArrayType = keyof ItemTypes;

const types: { readonly [Name in ArrayType]: ElementType<ItemTypes[Name]> } = {
  boolean: { oid: 16, size: () => 1, write: (to, item, at) => void to.writeUInt8(item ? 1 : 0, at) },
  integer: { oid: 23, size: () => 4, write: (to, item, at) => void to.writeInt32BE(item, at) },
  bigint: { oid: 20, size: () => 8, write: (to, item, at) => void to.writeBigInt64BE(item, at) },
  "double precision": { oid: 701, size: () => 8, write: (to, item, at) => void to.writeDoubleBE(item, at) },
  text: { oid: 25, size: (item) => Buffer.byteLength(item), write: (to, item, at) => void to.write(item, at) },
};

/** An array of one dimension as a value for a statement, in which its type has to follow: `${binaryArray("text", keys)}::text[]`. */
export function binaryArray<Name extends ArrayType>(name: Name, items: readonly (ItemTypes[Name] | null)[]): Uint8Array {
  const { oid, size, write }: ElementType<ItemTypes[Name]> = types[name];
  const sizes = items.map((item) => (item === null ? 0 : size(item)));
  const array = Buffer.allocUnsafe(20 + 4 * items.length + sizes.reduce((sum, one) => sum + one, 0));
  const header = [1, items.includes(null) ? 1 : 0, oid, items.length, 1];
  for (const [index, value] of header.entries()) array.writeInt32BE(value, 4 * index);
  let at = 20;
  for (const [index, item] of items.entries()) {
    const length = sizes[index] ?? 0;
    array.writeInt32BE(item === null ? -1 : length, at);
    if (item !== null) write(array, item, at + 4);
    at += 4 + length;
  }
  // An array without items has no dimension.
  return items.length === 0 ? array.fill(0, 0, 8).subarray(0, 12) : array;
}
