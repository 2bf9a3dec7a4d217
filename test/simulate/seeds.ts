/** Whether the processes of a seed share PGlite. Those of all other seeds share SQLite files. */
export function isOnPglite(seed: number): boolean {
  return seed % 6 === 0;
}
