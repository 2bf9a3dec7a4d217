import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { wordsOf } from "../../runtime/search/index.ts";

// Texts in the style of issues, and prompts that say in other words what some of them are about. Both are written for this project: one
// file for each field of work. A prompt names every document that answers it.

export interface LabelledDocument {
  /** Name of the file and a number. */
  readonly id: string;
  readonly text: string;
}

export interface LabelledPrompt {
  readonly text: string;
  /** The ids of the relevant documents. */
  readonly documents: readonly string[];
}

export interface LabelledSet {
  readonly documents: readonly LabelledDocument[];
  readonly prompts: readonly LabelledPrompt[];
}

/** Reads the set. The order is the same each time. */
export function readLabelledSet(): LabelledSet {
  const files = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".yaml"))
    .sort();
  const parts = files.map((name) => parse(readFileSync(join(import.meta.dirname, name), "utf8")) as LabelledSet);
  return { documents: parts.flatMap(({ documents }) => documents), prompts: parts.flatMap(({ prompts }) => prompts) };
}

/** The half of the prompts by which a choice is made, and the other half, by which it is judged. Each has prompts of every file. */
export function halves(prompts: readonly LabelledPrompt[]): {
  readonly tuning: LabelledPrompt[];
  readonly held: LabelledPrompt[];
} {
  return {
    tuning: prompts.filter((_, index) => index % 2 === 0),
    held: prompts.filter((_, index) => index % 2 === 1),
  };
}

const functionWords = new Set(
  "a about after again all also an and another any are as at be because been before behind but by can cannot could do does each every for from get gets has have how i if in into is it its like many may me more most my need needed no not of off on once one only or other our out own same should so someone some still than that the their them then there they this to too two up us was we were what when where which who whose will with without would you".split(
    " ",
  ),
);

/** The words of a text that carry its meaning, without the endings of their forms. */
export function contentWords(text: string): Set<string> {
  const words = wordsOf(text).filter((word) => word.length > 1 && !functionWords.has(word));
  return new Set(words.map((word) => word.replace(/(?:ies|es|s|ing|ed|ly|y|e)$/, "")));
}
