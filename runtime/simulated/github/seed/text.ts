import type { Random } from "./random.ts";

const verbs = ["Fix", "Add", "Drop", "Explain", "Speed up", "Refuse", "Retry", "Cache", "Rename", "Document"];
const things = [
  "the parser",
  "empty pages",
  "cursor handling",
  'quoted "titles"',
  "timeouts in the worker",
  "{braces} in templates",
  "emoji 🎉 in labels",
  "the sync of milestones",
  "unicode paths",
  "the login form",
];
const endings = [
  "",
  " on Windows",
  " after a restart",
  " when the list is empty",
  " for large repositories",
  " — again",
  " (part 2)",
];

/** Bodies that break careless code: quotes, braces, markup, emoji, right-to-left text, control of line ends. */
const bodies = [
  "Steps:\n\n1. Open the page\n2. Click **Save**\n\nNothing happens.",
  'It says `{"error": "unexpected }"}` and then stops. "Quoted" and \'quoted\'.',
  "Works on my machine 🤷‍♀️. See <https://example.com/?a=1&b=2#frag>.",
  "```ts\nconst query = `query { viewer { login } }`;\n```\n\nThe template literal above should stay as it is: \u0024{not} {{handled}}.",
  "زر الحفظ لا يعمل عند فتح الصفحة لأول مرة.\r\nOnly in right-to-left layouts.",
  "שלום — mixed עברית and English, with a nul-like \\u0000 escape.",
  "日本語のファイル名で失敗します。\n\n- [x] checked\n- [ ] not checked",
  "<script>alert('no')</script> & <b>bold</b>",
  "Short.",
  `A long one. ${"All work and no play makes the parser a dull tool. ".repeat(30)}`,
  "",
];

export function someTitle(random: Random): string {
  return `${random.pick(verbs)} ${random.pick(things)}${random.pick(endings)}`;
}

export function someBody(random: Random): string {
  return random.pick(bodies);
}

const replies = [
  "I can reproduce this.",
  "+1 🎉",
  "Could you share the log?",
  "> Could you share the log?\n\nHere: `ECONNRESET`.",
  "@octocat what do you think?",
  "תודה רבה!",
  'Try `--flag="value with spaces"`.',
  "Fixed on `main`. Thank you!",
];

/** A comment: never empty, as the platform refuses empty ones. */
export function someReply(random: Random): string {
  return random.pick(replies);
}
