/** The mean of a record's two best passages counts so much beside the best one. It ranked better than the best passage alone. */
const shareOfMean = 0.4;

/** The score of a record by those of its two best passages. @param second undefined for a record of one passage */
export function recordScore(best: number, second: number | undefined): number {
  const mean = (best + (second ?? best)) / 2;
  return (best + shareOfMean * mean) / (1 + shareOfMean);
}
