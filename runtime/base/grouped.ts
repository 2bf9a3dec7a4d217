/** A whole number with commas between groups of digits. `toLocaleString` loads its rules first, which takes longer than most modules. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
