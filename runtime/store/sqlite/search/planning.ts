// Decision 2 in runtime/site/text/decisions.md says why: two engines keep two planners.

/**
 * The constants of the planner. Times are microseconds of a warm file, and rough: only their proportions decide between two ways, and a
 * walk that takes longer than estimated corrects all of them (`slowest`).
 *
 * `make bench NAME=planner` tries a quarter and four times of each on the machine on which it runs, by the processor time of all classes of
 * searches. It says which searches take longer then, and which value would be better. Nothing but that bench changes them. Where a class
 * suffers from one side only, the other side is the safe one.
 */
export const planning = {
  /** Fetching a record that an index gave, and sorting it. */
  gather: 2.5,
  /** Looking at a record in a walk, and fetching it where the index does not have everything. */
  look: 0.6,
  fetch: 0.6,
  /** Testing a text. */
  shortText: 2,
  longText: 7,
  /** Looking up a word. */
  word: 8,
  /** Counting a record in an index: of one word, of many words, of columns. */
  countWord: 0.08,
  countWords: 0.1,
  count: 0.06,
  /** Reading a record from an index of words into a list: in the order of the list, and in any order. */
  list: 0.15,
  listAnyOrder: 0.3,
  /** Finding out whether a record is in a list. */
  listed: 0.2,
  /** Reading a record of one part into a union. */
  union: 0.4,
  /** A union with a larger share of the records takes longer than looking at all records, because its parts may have the same records. */
  largestUnion: 0.5,
  /** When a condition has at most this many records, its way is taken without looking for a better one. */
  fewEnough: 100,
  /** Microseconds that a walk must have been estimated to take, so that the time that it really took says how fast this file is. */
  enoughTime: 500,
  /** How much slower than estimated a file can be: one of which little is in memory, or on a busy machine. */
  slowest: 20,
  /** How many tested records, and how many found records, are enough to estimate a share. */
  enoughTested: 20,
  enoughFound: 5,
  /** Microseconds for the first round of finding the best way, and by which factor each further round may take longer. */
  firstEffort: 100,
  moreEffort: 6,
  /** Microseconds for finding the best way where no index gives the order. Then there is only one round. */
  onlyEffort: 5_000,
};
