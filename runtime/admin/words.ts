// Times and numbers as the page shows them.

/** A time in a form for people and in one for programs. */
export interface ShownTime {
  readonly iso: string;
  readonly text: string;
}

/** A time as a list of one element; none for null. A template shows as many elements as there are. */
export function timeOf(at: number | string | null, now: number): ShownTime[] {
  if (at === null) return [];
  const ms = typeof at === "number" ? at : Date.parse(at);
  return [{ iso: new Date(ms).toISOString(), text: ms > now ? `in ${duration(ms - now)}` : `${duration(now - ms)} ago` }];
}

/** A length of time in its largest unit, such as `3 min`. @param ms milliseconds */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** A size in its largest unit, such as `1.5 GiB`. */
export function bytes(size: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, size)) / 10));
  const value = size / 1024 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : count(Math.round(value))} ${units[power]}`;
}

/** A short length of time, such as `1.2 ms` or `350 ms`. */
export function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`;
}
