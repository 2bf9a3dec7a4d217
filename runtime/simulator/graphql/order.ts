export interface Order {
  readonly field: string;
  readonly direction: "ASC" | "DESC";
}

type Key = string | number | null | undefined;

/** A sorted copy. Equal keys keep their order, so that a list has one order only; null comes last. */
export function ordered<T>(
  items: readonly T[],
  order: Order | null | undefined,
  keys: Readonly<Record<string, (item: T) => Key>>,
): T[] {
  if (order === null || order === undefined) return [...items];
  const key = keys[order.field];
  if (key === undefined) throw new Error(`the simulated platform cannot order by ${order.field}`);
  const sign = order.direction === "DESC" ? -1 : 1;
  return [...items].sort((a, b) => {
    const left = key(a) ?? null;
    const right = key(b) ?? null;
    if (left === right) return 0;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right ? -sign : sign;
  });
}

/** Whether a value passes a filter by a list, such as `states`: an absent or empty list lets everything pass. */
export function oneOf<V>(wanted: readonly V[] | null | undefined, value: V): boolean {
  return wanted === null || wanted === undefined || wanted.length === 0 || wanted.includes(value);
}
