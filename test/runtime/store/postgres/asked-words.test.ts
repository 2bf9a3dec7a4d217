import { expect, it } from "vitest";
import type { Queries } from "../../../../runtime/postgres/index.ts";
import { fuzzyWord } from "../../../../runtime/search/index.ts";
import { statementOf } from "../../../../runtime/sql/index.ts";
import { columnNamed, layoutOf } from "../../../../runtime/store/postgres/tables/layout.ts";
import { wordsInMemory } from "../../../../runtime/store/postgres/words/vocabularies.ts";
import { SearchedWords, WordSearch } from "../../../../runtime/store/postgres/words/word-search.ts";
import { searchPlan } from "../../../support/search-records.ts";
import { shaped, standIn } from "../../../support/shaped.ts";

const layout = layoutOf("test", "things", searchPlan);

it.each([
  [20_000, true],
  [20_001, false],
])("a fuzzy word is compared with at most 20,000 words of a field without room in memory: %d", async (count, isFound) => {
  const { words } = columnNamed(layout, "title");
  if (words === undefined) throw new Error("the field has no words");
  const query = async <Row extends object>(statement: Parameters<Queries["query"]>[0]) => {
    const { text, values } = statementOf(statement);
    if (text.includes("count(*)")) return shaped<Row[]>([{ count: 1 }]);
    const limit = Number(values.at(-1));
    return shaped<Row[]>(Array.from({ length: Math.min(count, limit) }, (_, at) => ({ word: `explainin${at}` })));
  };
  const place = { layout, inst: 1, words, queries: standIn<Queries>({ query }), seen: () => undefined };
  const search = new WordSearch({ serve: () => false }, { field: 0, all: 0, stay: 0 });
  const near = await search.near(place, { ...fuzzyWord("explaining"), distance: 1, prefix: false }, 50_000);
  expect(near?.includes("explainin1")).toBe(isFound || undefined);
});

it("the words of a filter are looked up one after the other, and those of a field are counted once", async () => {
  const { words } = columnNamed(layout, "title");
  if (words === undefined) throw new Error("the field has no words");
  const statements: string[] = [];
  let open = 0;
  let most = 0;
  const query = async <Row extends object>(statement: Parameters<Queries["query"]>[0]) => {
    statements.push(statementOf(statement).text);
    most = Math.max(most, ++open);
    await new Promise((resolve) => setImmediate(resolve));
    open--;
    return statements.at(-1)?.includes("count(*)") === true ? shaped<Row[]>([{ count: 0 }]) : [];
  };
  const queries = standIn<Queries>({ query });
  const asked = new SearchedWords(new WordSearch({ serve: () => false }, wordsInMemory), { queries, layout, inst: 1 });
  for (let word = 0; word < 200; word++) asked.words(words).near(fuzzyWord(`explaining${word}`), 10);
  await asked.answer();
  expect(most).toBe(1);
  expect(statements.filter((text) => text.includes("count(*)"))).toHaveLength(1);
});
