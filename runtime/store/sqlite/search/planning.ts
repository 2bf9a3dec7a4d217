// Decision 2 in runtime/site/text/decisions.md says why: two engines keep two planners.

/**
 * The constants of the planner. Times are microseconds of a warm file, and rough: only their proportions decide between two ways, and a
 * walk that takes longer than estimated corrects all of them (`slowest`).
 *
 * `make bench NAME=planner` tries a quarter (¼) and four times (4×) of each on the machine on which it runs, by the processor time of all
 * classes of searches. It says which class takes longer then, and which value would be better. Nothing but that bench changes them. Each
 * comment says what it measured with 50,000 records: the class that suffers most, and how many times as long it takes. Where a class
 * suffers from one side only, the other side is the safe one. Where none does, the constant only orders ways that are as good here.
 * Seven other values were 11 to 17 % faster with 50,000 records. With 1,000,000 none of them was, so these stayed.
 */
export const planning = {
  /** Fetching a record that an index gave, and sorting it. 4×: a sorted range of dates 3.5 times. */
  gather: 2.5,
  /** Looking at a record in a walk. 4×: a state with sort 2.2 times. */
  look: 0.6,
  /** Looking at a record in a walk where lists of ids decide all conditions: 0.11 with 1,000,000 records. */
  lookInLists: 0.1,
  /** Fetching a record where the index does not have everything. ¼: a state with sort 9 times. */
  fetch: 0.6,
  /** Testing a short text. Neither side: nothing. */
  shortText: 2,
  /** Testing a long text. ¼: two fuzzy words 1.6 times; 4×: a list of numbers 1.8 times. */
  longText: 7,
  /** Looking up a word. ¼: a state with sort 8 times. */
  word: 8,
  /** Counting a record in an index of one word. ¼: a state with sort 3 times. */
  countWord: 0.08,
  /** Counting a record in an index of many words. Neither side: nothing. */
  countWords: 0.1,
  /** Counting a record in an index of columns. ¼: a part of a title 1.6 times. */
  count: 0.06,
  /** Reading a record from an index of words into a list, in the order of the list. ¼: a list of numbers twice. */
  list: 0.15,
  /** The same in any order. ¼: a list of numbers 2.3 times. */
  listAnyOrder: 0.3,
  /** Finding out whether a record is in a list. ¼: a state with sort 2.9 times; 4×: 4.5 times. */
  listed: 0.2,
  /** Reading a record of one part into a union. Neither side: nothing. */
  union: 0.4,
  /**
   * A union with a larger share of the records takes longer than looking at all records, because its parts may have the same records. ¼: a
   * list of ids 1.5 times.
   */
  largestUnion: 0.5,
  /** When a condition has at most this many records, its way is taken without looking for a better one. 4×: a state with sort 10 times. */
  fewEnough: 100,
  /**
   * Microseconds that a walk must have been estimated to take, so that the time that it really took says how fast this file is. ¼: two
   * fuzzy words 1.9 times; 4×: a sorted range of dates 5 times.
   */
  enoughTime: 500,
  /**
   * How much slower than estimated a file can be: one of which little is in memory, or on a busy machine. ¼: a state with sort 2.1 times;
   * 4×: 3 times.
   */
  slowest: 20,
  /** How many tested records are enough to estimate a share. ¼: a state with sort 8 times; 4×: 2.6 times. */
  enoughTested: 20,
  /** How many found records are. 4×: common words 1.8 times. */
  enoughFound: 5,
  /** Microseconds for the first round of finding the best way. 4×: a state with sort 7 times. */
  firstEffort: 100,
  /** By which factor each further round may take longer. ¼: words of medium frequency 1.9 times; 4×: a state with sort 5 times. */
  moreEffort: 6,
  /** Microseconds for finding the best way where no index gives the order; there is only one round. ¼: a fuzzy word in bodies twice. */
  onlyEffort: 5_000,
};
