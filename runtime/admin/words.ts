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
