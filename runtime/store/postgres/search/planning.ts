/**
 * The constants by which this process decides what the server's own planner cannot: the server underestimates by far what it costs to test
 * the words of a record, and it cannot see tests in JavaScript.
 *
 * `make bench NAME=planner` tries a quarter (¼) and four times (4×) of each on the machine on which it runs. Nothing but that bench changes
 * them. Each comment says what it measured with 50,000 records: the class that suffers most, and how many times as long it takes.
 */
export const planning = {
  /**
   * Testing the words of a record that is met on a walk through all records takes about this many times as long as reading a record that
   * was looked up by its words. 4×: a fuzzy word in bodies twice.
   */
  testCost: 4,
  /**
   * Looking records up by their words takes about this many times as long for each of them as reading it with all others. Neither side:
   * nothing.
   */
  lookupCost: 10,
  /**
   * How many records are read at once where each of them has to be tested; then twice as many each time, up to the most. 4× of the first:
   * common words, sorted, 1.5 times. 4× of the most: nothing.
   */
  firstTested: 200,
  mostTested: 5_000,
};
