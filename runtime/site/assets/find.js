import MiniSearch from "./minisearch.js";
import { termsOf, wordsOf } from "./terms.js";

/** What a term of another kind counts, beside a whole word: the start of a word, and a word with the same meaning or another spelling. */
const weights = { prefix: 0.4, fuzzy: 0.3, synonym: 0.6 };

/**
 * Opens an index that the site was built with.
 *
 * @param file content of `search.json`
 * @returns a function that finds pages for a text, the best first: each page once, with the section that fits best and the terms that
 * were found in it
 */
export function openIndex({ options, index, synonyms }) {
  const search = MiniSearch.loadJS(index, { ...options, tokenize: termsOf, processTerm: (term) => term });
  const alike = alikeOf(synonyms);
  return (text) => pagesOf(sectionsFor(search, wantedOf(wordsOf(text), alike)));
}

/** The other terms that mean the same, by a word or phrase. */
function alikeOf(synonyms) {
  const alike = new Map();
  for (const group of synonyms) {
    const meanings = group.map((one) => wordsOf(one).map(({ whole }) => whole));
    for (const one of meanings) {
      const key = one.join(" ");
      alike.set(key, [...(alike.get(key) ?? []), ...meanings.filter((other) => other !== one)]);
    }
  }
  return alike;
}

/** What has to be found: each word, or all words of something that means the same. The words of a phrase have its meanings. */
function wantedOf(words, alike) {
  const wanted = [];
  for (let at = 0; at < words.length; ) {
    const phraseOf = (length) =>
      words
        .slice(at, at + length)
        .map(({ whole }) => whole)
        .join(" ");
    const length = [4, 3, 2, 1].find((count) => alike.has(phraseOf(count))) ?? 1;
    const others = alike.get(phraseOf(length)) ?? [];
    for (const { whole, parts, isCommon } of words.slice(at, at + length))
      wanted.push({ term: whole, others: parts.length === 0 ? others : [parts, ...others], isCommon });
    at += length;
  }
  // "how to" and other texts of nothing but common words are looked for as they are.
  const telling = wanted.filter(({ isCommon }) => !isCommon);
  return telling.length === 0 ? wanted : telling;
}

/** Sections in which terms were found. What is found for a term counts once, by the best of its meanings. */
function sectionsFor(search, wanted) {
  const found = new Map();
  for (const [place, { term, others }] of wanted.entries()) {
    const scores = new Map();
    const add = (results, weight) => {
      for (const { id, score, terms, ...stored } of results) {
        const before = scores.get(id) ?? { score: 0, terms: [] };
        scores.set(id, { stored, score: Math.max(before.score, score * weight), terms: [...before.terms, ...terms] });
      }
    };
    for (const [spelling, weight] of spellingsOf(search, term)) add(spelling, weight);
    for (const other of others) add(lookUp(search, other), weights.synonym / other.length);
    for (const [id, { score, terms, stored }] of scores) {
      const section = found.get(id) ?? { ...stored, scores: wanted.map(() => 0), terms: [] };
      section.scores[place] = score;
      section.terms.push(...terms);
      found.set(id, section);
    }
  }
  return [...found.values()];
}

/** What is found for a term. A word that the site does not have may be spelled wrong. */
function* spellingsOf(search, term) {
  const found = lookUp(search, [term], { prefix: term.length > 2 });
  yield [found, 1];
  if (found.length > 0 || term.length < 4) return;
  yield [lookUp(search, [term], { fuzzy: term.length < 8 ? 1 : 2 }), 1];
  // Two letters that changed places are one mistake.
  for (let at = 1; at < term.length; at++)
    yield [lookUp(search, [term.slice(0, at - 1) + term[at] + term[at - 1] + term.slice(at + 1)]), weights.fuzzy];
}

function lookUp(search, terms, more = {}) {
  return search.search(terms.join(" "), {
    tokenize: (text) => text.split(" "),
    combineWith: "AND",
    weights,
    boost: { title: 4, page: 3 },
    boostDocument: (_id, _term, { weight }) => weight,
    ...more,
  });
}

const sum = (scores) => scores.reduce((all, score) => all + score, 0);

/** What all terms that were found count together: twice as much when none is missing, less for each that is. */
function total(scores) {
  const found = scores.filter((score) => score > 0).length / scores.length;
  return sum(scores) * found * (found === 1 ? 2 : 1);
}

/** The part of a score that comes from the other sections of a page. */
const pageWeight = 0.3;

/** Each page once, with its best section. */
function pagesOf(sections) {
  const pages = Map.groupBy(sections, ({ href }) => href.replace(/#.*/, ""));
  const ranked = [...pages.values()].map((all) => {
    const best = all.reduce((a, b) => (total(b.scores) > total(a.scores) ? b : a));
    const together = best.scores.map((_, place) => Math.max(...all.map(({ scores }) => scores[place])));
    return { ...best, score: total(best.scores) + pageWeight * total(together) };
  });
  return ranked.sort((a, b) => b.score - a.score);
}

/** Characters of a passage before and behind the first word that was found. */
const around = { before: 50, length: 170 };

/** The passage of a text that has the most of the terms: pieces, of which those with `found` are the words that were found. */
export function passageOf(text, terms) {
  const wanted = new Set(terms);
  const hits = [...text.matchAll(/[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu)]
    .filter(([word]) => termsOf(word).some((term) => wanted.has(term)))
    .map(({ 0: word, index }) => ({ word, index }));
  const kinds = (from) =>
    new Set(
      hits
        .filter(({ index }) => index >= from && index < from + around.length - around.before)
        .flatMap(({ word }) => termsOf(word)),
    ).size;
  const first =
    hits.reduce((best, { index }) => (best === undefined || kinds(index) > kinds(best) ? index : best), undefined) ?? 0;
  const near = first <= around.before ? 0 : text.indexOf(" ", first - around.before) + 1;
  const end = text.length <= near + around.length ? text.length : text.lastIndexOf(" ", near + around.length);
  const pieces = near === 0 ? [] : [{ text: "… " }];
  let at = near;
  for (const { word, index } of hits.filter(({ index }) => index >= near && index < end)) {
    pieces.push({ text: text.slice(at, index) }, { text: word, found: true });
    at = index + word.length;
  }
  return [...pieces, { text: `${text.slice(at, end)}${end < text.length ? " …" : ""}` }];
}
