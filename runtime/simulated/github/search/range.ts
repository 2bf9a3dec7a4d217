/** `>10`, `>=10`, `<10`, `<=10`, `10..20`, `10..*`, `10`; numbers and dates alike. A date without a time means the whole day. */
export function inRange(value: number | string, range: string): boolean {
  const between = /^(.+)\.\.(.+)$/.exec(range);
  if (between !== null) {
    const [, low = "*", high = "*"] = between;
    return (low === "*" || compare(value, low) >= 0) && (high === "*" || compare(value, high) <= 0);
  }
  const [, sign = "", limit = ""] = /^(>=|<=|>|<)?(.*)$/.exec(range) ?? [];
  const order = compare(value, limit);
  switch (sign) {
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    default:
      return order === 0;
  }
}

function compare(value: number | string, limit: string): number {
  if (typeof value === "number") return value - Number(limit);
  const part = value.slice(0, limit.length);
  return part < limit ? -1 : part > limit ? 1 : 0;
}
