// Arrays in the binary form of the protocol: the server need not split a text, and no character needs an escape.
// Source: `array_send` and the functions named after the types, such as `textsend`, in PostgreSQL's source.

interface ElementType<Item> {
  /** Object id of the type, from PostgreSQL's `pg_type.dat`. */
  readonly oid: number;
  /** Bytes of an item. */
  readonly size: (item: Item) => number;
  readonly write: (to: ArrayBytes, item: Item, at: number) => void;
}

/** The bytes of an array. A view writes numbers much faster than a buffer does. */
interface ArrayBytes {
  readonly view: DataView;
  readonly buffer: Buffer;
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
  boolean: { oid: 16, size: () => 1, write: ({ view }, item, at) => view.setUint8(at, item ? 1 : 0) },
  integer: { oid: 23, size: () => 4, write: ({ view }, item, at) => view.setInt32(at, item) },
  bigint: { oid: 20, size: () => 8, write: ({ view }, item, at) => view.setBigInt64(at, item) },
  "double precision": { oid: 701, size: () => 8, write: ({ view }, item, at) => view.setFloat64(at, item) },
  text: { oid: 25, size: (item) => Buffer.byteLength(item), write: ({ buffer }, item, at) => void buffer.write(item, at) },
};

/** An array of one dimension as a value for a statement, in which its type has to follow: `${binaryArray("text", keys)}::text[]`. */
export function binaryArray<Name extends ArrayType>(name: Name, items: readonly (ItemTypes[Name] | null)[]): Uint8Array {
  const { oid, size, write }: ElementType<ItemTypes[Name]> = types[name];
  const sizes = items.map((item) => (item === null ? 0 : size(item)));
  const buffer = Buffer.allocUnsafe(20 + 4 * items.length + sizes.reduce((sum, one) => sum + one, 0));
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  const target = { buffer, view };
  const header = [1, items.includes(null) ? 1 : 0, oid, items.length, 1];
  for (const [index, value] of header.entries()) view.setInt32(4 * index, value);
  let at = 20;
  for (const [index, item] of items.entries()) {
    const length = sizes[index] ?? 0;
    view.setInt32(at, item === null ? -1 : length);
    if (item !== null) write(target, item, at + 4);
    at += 4 + length;
  }
  // An array without items has no dimension.
  return items.length === 0 ? buffer.fill(0, 0, 8).subarray(0, 12) : buffer;
}

/** An array of `bigint` from numbers of 32 bits: of each item first the upper half, then the lower one. */
export function binaryHalves(lists: readonly (readonly number[])[]): Uint8Array {
  const count = lists.reduce((sum, { length }) => sum + length / 2, 0);
  if (count === 0) return binaryArray("bigint", []);
  const buffer = Buffer.allocUnsafe(20 + 12 * count);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  for (const [index, value] of [1, 0, types.bigint.oid, count, 1].entries()) view.setInt32(4 * index, value);
  let at = 20;
  for (const list of lists)
    for (let index = 0; index < list.length; index += 2) {
      view.setInt32(at, 8);
      view.setInt32(at + 4, list[index] ?? 0);
      view.setInt32(at + 8, list[index + 1] ?? 0);
      at += 12;
    }
  return buffer;
}
