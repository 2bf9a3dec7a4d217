export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly aim?: string;
}

export interface Result {
  readonly name: string;
  readonly notes: string;
  readonly rows: readonly Row[];
}

export function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The result as a table of Markdown. */
export function table({ name, notes, rows }: Result): string {
  const lines = rows.map(({ what, value, unit, aim }) => `| ${what} | ${value}${unit === "" ? "" : ` ${unit}`} | ${aim ?? ""} |`);
  return [`## ${name}`, "", notes, "", "| what | measured | aim |", "| --- | --- | --- |", ...lines, ""].join("\n");
}
