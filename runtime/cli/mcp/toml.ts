// Reads as much of TOML (https://toml.io/en/v1.0.0) as is needed to change one table and to keep everything else as it is written.

/** What is written between two ends of lines outside of strings, arrays and inline tables. */
export interface Statement {
  /** As it is written, with its end of line. */
  readonly text: string;
  /** `blank` is an empty line or a comment. */
  readonly kind: "header" | "setting" | "blank";
  /** The names of the table that it begins or belongs to; empty before the first one. */
  readonly table: readonly string[];
  /** The names before `=` of a setting. */
  readonly keys: readonly string[];
}

// Three quotes are tried first, because they begin like an empty string. One or two quotes may stand right before the three that end it.
const string = String.raw`"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`;
const name = String.raw`(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)`;
const names = String.raw`${name}(?:[ \t]*\.[ \t]*${name})*`;
const tokens = new RegExp(String.raw`${string}|#.*|[^"'#[\]{}\n]+|[^]`, "g");
const header = new RegExp(String.raw`^\s*\[\[?[ \t]*(${names})[ \t]*\]`);
const setting = new RegExp(String.raw`^\s*(${names})[ \t]*=`);
const texts = new RegExp(String.raw`(${names})[ \t]*=[ \t]*(${string})|${string}|#.*`, "g");
const escapes = /\\(?:([btnfre"\\])|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U(00(?:0[\da-fA-F]|10)[\da-fA-F]{4})|[ \t]*\r?\n\s*)/g;
const meanings: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001B" };

/** Reads all of a file, in its order. @returns undefined when it is not TOML */
export function readToml(file: string): Statement[] | undefined {
  const found: Statement[] = [];
  let table: readonly string[] = [];
  let text = "";
  let depth = 0;
  for (const [token] of `${file}\n`.matchAll(tokens)) {
    // Nothing ends this string.
    if (token === '"' || token === "'") return undefined;
    text += token;
    if (token === "[" || token === "{") depth++;
    if (token === "]" || token === "}") depth--;
    if (token !== "\n" || depth !== 0) continue;
    const begun = header.exec(text)?.[1];
    const keys = setting.exec(text)?.[1];
    if (begun !== undefined) table = namesOf(begun);
    else if (keys === undefined && !/^\s*(#|$)/.test(text)) return undefined;
    const kind = begun !== undefined ? "header" : keys !== undefined ? "setting" : "blank";
    found.push({ text, kind, table, keys: namesOf(keys ?? "") });
    text = "";
  }
  return depth === 0 ? found : undefined;
}

/** The texts that a setting sets, by their last names: the only one, or those of an inline table. */
export function textsOf({ text }: Statement): Record<string, string> {
  const found = [...text.matchAll(texts)].map(([, keys = "", value = '""']) => [namesOf(keys).at(-1), decoded(value)] as const);
  return Object.fromEntries(found.filter(([key]) => key !== undefined));
}

/** Names as TOML writes them in a header or before `=`. */
export function tomlNames(path: readonly string[]): string {
  return path.map((one) => (/^[\w-]+$/.test(one) ? one : JSON.stringify(one))).join(".");
}

function namesOf(written: string): string[] {
  return [...written.matchAll(new RegExp(name, "g"))].map(([one]) => (/^["']/.test(one) ? decoded(one) : one));
}

/** What a string means. */
function decoded(written: string): string {
  const isLong = /^("""|''')/.test(written);
  const inner = isLong ? written.slice(3, -3).replace(/^\r?\n/, "") : written.slice(1, -1);
  if (written.startsWith("'")) return inner;
  return inner.replace(escapes, (_, short: string | undefined, ...codes: unknown[]) => {
    if (short !== undefined) return meanings[short] ?? short;
    const code = codes.slice(0, 3).find((one) => typeof one === "string");
    return typeof code === "string" ? String.fromCodePoint(Number.parseInt(code, 16)) : "";
  });
}
