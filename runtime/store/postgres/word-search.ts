import type { Queries, Sql } from "../../postgres/index.ts";
import { type FuzzyWord, fuzzyMatches } from "../../search/index.ts";
import type { Words } from "../word-groups.ts";
import type { Layout, WordColumn } from "./layout.ts";
import type { Trigrams } from "./trigrams.ts";
import { Vocabularies, type WordsInMemory } from "./vocabularies.ts";
import { type FieldOfWords, wordsBeginning, wordsContaining, wordsNear } from "./word-lookups.ts";

/** How many words are read to be compared here with a word of a fuzzy search. When there are more, the word is not looked up. */
const mostCompared = 20_000;

interface WordRow {
  readonly word: string;
}

/**
 * Finds the words that conditions ask for: those with a part by their trigrams where the database has an index of them, others in memory, and
 * in a field with too many words for that in its table.
 */
export class WordSearch {
  readonly #trigrams: Pick<Trigrams, "serve">;
  readonly #vocabularies: Vocabularies;

  constructor(trigrams: Pick<Trigrams, "serve">, most: WordsInMemory) {
    this.#trigrams = trigrams;
    this.#vocabularies = new Vocabularies(most);
  }

  /** @param seen is called with every statement that looks words up in a table. @returns as `Words.containing` */
  async containing(queries: Queries, of: FieldOfWords, text: string, most: number, seen: (statement: Sql) => void) {
    const list = this.#trigrams.serve(of.layout, text) ? undefined : await this.#vocabularies.words(queries, of);
    if (list !== undefined) return list.containing(text, most);
    const statement = wordsContaining(of, text, most + 1);
    seen(statement);
    return atMost(most, await wordsOf(queries, statement));
  }

  /** As `containing`. @returns as `Words.near` */
  async near(queries: Queries, of: FieldOfWords, wanted: FuzzyWord, most: number, seen: (statement: Sql) => void) {
    const list = await this.#vocabularies.words(queries, of);
    if (list !== undefined) return list.near(wanted, most);
    const { text, distance, prefix } = wanted;
    const begin = prefix ? wordsBeginning(of, text, most + 1) : undefined;
    if (begin !== undefined) seen(begin);
    const longer = begin === undefined ? [] : await wordsOf(queries, begin);
    if (longer.length > most) return undefined;
    if (distance === 0) return [...new Set([...longer, text])];
    const statement = wordsNear(of, wanted, distance, mostCompared + 1);
    seen(statement);
    const compared = await wordsOf(queries, statement);
    if (compared.length > mostCompared) return undefined;
    return atMost(most, [...new Set([...longer, ...compared.filter((word) => fuzzyMatches(wanted, word))])]);
  }
}

async function wordsOf(queries: Queries, statement: Sql): Promise<string[]> {
  const rows = await queries.query<WordRow>(statement);
  return rows.map(({ word }) => word);
}

function atMost(most: number, words: string[]): string[] | undefined {
  return words.length > most ? undefined : words;
}

/**
 * The words that the conditions of one search ask for. To translate a condition takes no time in which the database could be asked, so
 * conditions are translated twice: first without the words, which notes what is asked for, and then with them.
 */
export class AskedWords {
  readonly #search: WordSearch;
  readonly #queries: Queries;
  readonly #of: { readonly layout: Layout; readonly inst: number };
  readonly #answers = new Map<string, string[] | undefined>();
  readonly #open: (() => Promise<void>)[] = [];
  readonly #statements: Sql[] = [];

  constructor(search: WordSearch, queries: Queries, of: { readonly layout: Layout; readonly inst: number }) {
    this.#search = search;
    this.#queries = queries;
    this.#of = of;
  }

  /** The words of a field. */
  words(words: WordColumn): Words {
    const of = { ...this.#of, words };
    const seen = (statement: Sql) => void this.#statements.push(statement);
    return {
      containing: (text, most) =>
        this.#ask(`${words.number} contains ${text}`, () => this.#search.containing(this.#queries, of, text, most, seen)),
      near: (wanted, most) =>
        this.#ask(`${words.number} near ${wanted.text}`, () => this.#search.near(this.#queries, of, wanted, most, seen)),
    };
  }

  /** Looks up what was asked for and is not known. */
  async answer(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((find) => find()));
  }

  /** The statements that looked words up. */
  get statements(): readonly Sql[] {
    return this.#statements;
  }

  #ask(question: string, find: () => Promise<string[] | undefined>): string[] | undefined {
    if (!this.#answers.has(question)) {
      this.#answers.set(question, undefined);
      this.#open.push(async () => void this.#answers.set(question, await find()));
    }
    return this.#answers.get(question);
  }
}
