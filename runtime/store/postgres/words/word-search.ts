import type { Queries } from "../../../postgres/index.ts";
import { type FuzzyWord, fuzzyMatches } from "../../../search/index.ts";
import type { Sql } from "../../../sql/index.ts";
import type { Words } from "../../words/word-groups.ts";
import type { WordColumn } from "../tables/layout.ts";
import type { Trigrams } from "./trigrams.ts";
import { Vocabularies, type WordsInMemory } from "./vocabularies.ts";
import { type FieldOfWords, wordsBeginning, wordsContaining, wordsNear } from "./word-lookups.ts";

/** How many words are read to be compared here with a word of a fuzzy search. When there are more, the word is not looked up. */
const mostCompared = 20_000;

interface WordRow {
  readonly word: string;
}

/** Where words are looked for. */
export interface WordPlace extends FieldOfWords {
  readonly queries: Pick<Queries, "query">;
  /** Is called with every statement that looks words up in a table. */
  readonly seen: (statement: Sql) => void;
}

/**
 * Finds the words that conditions ask for: those with a part by their trigrams where the database has an index of them, others in memory,
 * and in a field with too many words for that in its table.
 */
export class WordSearch {
  readonly #trigrams: Pick<Trigrams, "serve">;
  readonly #vocabularies: Vocabularies;

  constructor(trigrams: Pick<Trigrams, "serve">, most: WordsInMemory) {
    this.#trigrams = trigrams;
    this.#vocabularies = new Vocabularies(most);
  }

  /** As `Words.containing`. */
  async containing(place: WordPlace, text: string, most: number): Promise<string[] | undefined> {
    const list = this.#trigrams.serve(place.layout, text) ? undefined : await this.#vocabularies.words(place.queries, place);
    if (list !== undefined) return list.containing(text, most);
    return atMost(most, await lookUp(place, wordsContaining(place, text, most + 1)));
  }

  /** As `Words.near`. */
  async near(place: WordPlace, wanted: FuzzyWord, most: number): Promise<string[] | undefined> {
    const list = await this.#vocabularies.words(place.queries, place);
    if (list !== undefined) return list.near(wanted, most);
    const { text, distance, prefix } = wanted;
    const longer = prefix ? await lookUp(place, wordsBeginning(place, text, most + 1)) : [];
    if (longer.length > most) return undefined;
    if (distance === 0) return [...new Set([...longer, text])];
    const compared = await lookUp(place, wordsNear(place, wanted, distance, mostCompared + 1));
    if (compared.length > mostCompared) return undefined;
    return atMost(most, [...new Set([...longer, ...compared.filter((word) => fuzzyMatches(wanted, word))])]);
  }
}

async function lookUp({ queries, seen }: WordPlace, statement: Sql): Promise<string[]> {
  seen(statement);
  const rows = await queries.query<WordRow>(statement);
  return rows.map(({ word }) => word);
}

function atMost(most: number, words: string[]): string[] | undefined {
  return words.length > most ? undefined : words;
}

/**
 * The words that the conditions of one search ask for. Conditions are translated without a pause in which the database could be asked.
 * So they are translated twice: the first time no word is known, and what is asked for is noted; the second time the answers are there.
 */
export class SearchedWords {
  readonly #search: WordSearch;
  readonly #place: Omit<WordPlace, "words">;
  readonly #answers = new Map<string, string[] | undefined>();
  readonly #open: (() => Promise<void>)[] = [];
  readonly #statements: Sql[] = [];

  constructor(search: WordSearch, place: Omit<WordPlace, "words" | "seen">) {
    this.#search = search;
    this.#place = { ...place, seen: (statement) => void this.#statements.push(statement) };
  }

  /** The words of a field. */
  words(words: WordColumn): Words {
    const place = { ...this.#place, words };
    return {
      containing: (text, most) => this.#ask(`${words.number} contains ${text}`, () => this.#search.containing(place, text, most)),
      near: (wanted, most) => this.#ask(`${words.number} near ${wanted.text}`, () => this.#search.near(place, wanted, most)),
    };
  }

  /** Looks up what was asked for and is not known: one after the other, because there may be tens of thousands, on one connection. */
  async answer(): Promise<void> {
    for (const find of this.#open.splice(0)) await find();
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
