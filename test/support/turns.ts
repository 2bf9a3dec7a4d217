/** Counts how often other work of the process has its turn until something has ended. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let ended = false;
  const settled = work.finally(() => {
    ended = true;
  });
  while (!ended) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  await settled;
  return turns;
}
