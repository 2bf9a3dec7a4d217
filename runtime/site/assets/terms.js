/** Words that say nothing about what somebody looks for. */
const common = new Set(
  (
    "a about after all am an and any are as at be been but by can could did do does doing for from get gets give given had has have " +
    "how i if in into is it its just let like made make many may me more much must my need of on one or other our out please should show " +
    "so some such than that the their them then there these they this those to too up us use used using via want was we were what when " +
    "where which while who why will with without would you your"
  ).split(" "),
);

/**
 * The words of a text as terms of the index. A name such as `pullRequests`, `per_page` or `dry-run` is one word with parts.
 *
 * @returns for each word the term of the whole, those of its parts where it has several, and whether it is a common word
 */
export function wordsOf(text) {
  return (text.match(/[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu) ?? []).map((word) => {
    const parts = partsOf(word);
    const whole = parts.join("");
    return { whole: stemOf(whole), parts: parts.length === 1 ? [] : parts.map(stemOf), isCommon: common.has(whole) };
  });
}

/** The terms under which the index has a text. */
export function termsOf(text) {
  return wordsOf(text).flatMap(({ whole, parts }) => [whole, ...parts]);
}

function partsOf(word) {
  const split = word.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return split.toLowerCase().split(/[ _-]/);
}

/** A word without the endings that only its place in a sentence gives it: `creating`, `creates` and `create` are one term. */
function stemOf(word) {
  if (word.length < 4 || /\d/.test(word)) return word;
  const single = word
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh)es$/, "$1")
    .replace(/([^s])s$/, "$1");
  const root = single.replace(/(?:ing|ed|e)$/, "");
  if (root.length < 4) return single;
  return root === single ? root : root.replace(/([bdgmnprt])\1$/, "$1");
}
