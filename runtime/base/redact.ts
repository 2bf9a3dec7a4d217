// Decision 16 in runtime/site/text/decisions-service.md says why: short credentials are not removed from records.

// Every text passes through a redactor before it goes into a log or a message, so that no token gets out.

const marker = "[redacted]";

/** Shorter secrets are not redacted, because they would occur by chance in other text. */
const shortest = 8;

export type Redact = (text: string) => string;

/**
 * Makes a function that removes tokens from text: whatever matches the connectors' token patterns, bearer credentials, and the given
 * secrets, both plain and encoded.
 *
 * @param patterns sources of regular expressions that match tokens
 * @param secrets texts to remove; those shorter than 8 characters are ignored
 */
export function redactor(patterns: readonly string[], secrets: readonly string[] = []): Redact {
  const literal = secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf);
  const all = new RegExp(
    // The longest form comes first, because one form may be the beginning of another.
    [
      ...[...new Set(literal)].sort((a, b) => b.length - a.length),
      ...patterns.map((pattern) => `(?:${pattern})`),
      "(?<=[Bb]earer )[A-Za-z0-9._~+/=-]{8,}",
    ].join("|"),
    "g",
  );
  return (text) => text.replace(all, marker);
}

/** A redactor that learns further secrets. */
export interface GrowingRedactor {
  readonly redact: Redact;
  /** From now on the secret is removed too. */
  add(secret: string): void;
  /** From now on these secrets and the ones before them are removed; earlier ones of this owner are good no longer, and are forgotten. */
  hold(owner: string, secrets: readonly string[]): void;
}

/** Secrets of an owner that are kept besides its newest ones. */
const mostHeld = 4;

/** A {@link redactor} to which secrets can be added. */
export function growingRedactor(patterns: readonly string[], secrets: readonly string[]): GrowingRedactor {
  const known = new Set(secrets);
  const held = new Map<string, readonly string[]>();
  let current = redactor(patterns, secrets);
  const learn = () => {
    current = redactor(patterns, [...known, ...[...held.values()].flat()]);
  };
  return {
    redact: (text) => current(text),
    add: (secret) => {
      if (known.has(secret)) return;
      known.add(secret);
      learn();
    },
    hold: (owner, secrets) => {
      const before = held.get(owner) ?? [];
      const fresh = secrets.filter((secret) => !before.includes(secret));
      if (fresh.length === 0) return;
      held.set(owner, [...before.slice(-mostHeld), ...fresh]);
      learn();
    },
  };
}

/** How secrets are found in what a platform sends. It can be given to a thread. */
export interface Mask {
  /** Parts of the secret's forms. A text without any of them has no form of it, and to search for them takes next to nothing. */
  readonly parts: readonly string[];
  /** Source of a regular expression for all forms. */
  readonly pattern: string;
}

/**
 * Shorter secrets are removed from records only as whole words: longer words have them by chance, and what is missing there would tell the
 * secret. Those shorter than {@link shortest} are not removed, because texts have such words by chance.
 */
const shortestInWords = 12;
/** What a word begins after: no letter or digit, unless it ends an escape of JSON or of a URL. */
const wordStart = "(?<=^|[^A-Za-z0-9]|\\\\[bfnrt]|\\\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2})";
const wordEnd = "(?![A-Za-z0-9])";
/** Shorter parts occur in most texts. */
const shortestPart = 4;

/** Makes a mask for secrets; undefined where there is none to find. */
export function maskOf(secrets: readonly string[]): Mask | undefined {
  const long = secrets.filter(({ length }) => length >= shortestInWords);
  const short = secrets.filter(({ length }) => length >= shortest && length < shortestInWords);
  const anywhere = [...long.flatMap(formsOf), ...short.flatMap(base64Forms)];
  const asWords = short.flatMap(textForms);
  const forms = [...anywhere, ...asWords];
  if (forms.length === 0) return undefined;
  const plain = (form: string) => form.replace(/\\u00|%?\[\w+\]|%../g, " ").match(/[A-Za-z0-9]+/g) ?? [];
  const parts = forms.map((form) => plain(form).reduce((longest, one) => (one.length > longest.length ? one : longest), ""));
  const words = asWords.length === 0 ? [] : [`${wordStart}(?:${longestFirst(asWords).join("|")})${wordEnd}`];
  const pattern = [...words, ...longestFirst(anywhere)].join("|");
  return { parts: parts.some((part) => part.length < shortestPart) ? [""] : [...new Set(parts)], pattern };
}

/** A text without the secrets of a mask. */
export function masked(text: string, { parts, pattern }: Mask): string {
  return parts.some((part) => text.includes(part)) ? text.replace(new RegExp(pattern, "g"), marker) : text;
}

/** The bytes of a text (UTF-8) without the secrets of a mask: the same bytes where it has none. */
export function maskedBytes(bytes: Buffer<ArrayBuffer>, mask: Mask): Buffer<ArrayBuffer> {
  if (!mask.parts.some((part) => bytes.includes(part))) return bytes;
  const text = bytes.toString();
  const without = masked(text, mask);
  return without === text ? bytes : Buffer.from(without);
}

/** Each form once, the longest first, because one form may be the beginning of another. */
function longestFirst(forms: readonly string[]): string[] {
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Patterns for the forms of a secret. */
function formsOf(secret: string): string[] {
  return [...textForms(secret), ...base64Forms(secret)];
}

/** Patterns for a secret within base64 or base64url. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => inBase64(secret, before));
}

/** Patterns for the forms of a secret as text: plain, escaped in JSON once or twice, and percent-encoded. */
function textForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(json).slice(1, -1);
  const percent = escaped(encodeURIComponent(secret)).replace(/%[0-9A-F]{2}/g, anyCase);
  // URLSearchParams also encodes characters that encodeURIComponent leaves as they are.
  const query = escaped(new URLSearchParams({ "": secret }).toString().slice(1)).replace(/%[0-9A-F]{2}/g, anyCase);
  // Some platforms escape more in JSON than they have to.
  const slashes = escaped(json.replaceAll("/", "\\/"));
  const unicode = escaped(json).replace(/\\?[/<>&'+=]/g, (found) => `\\\\u00${anyCase(hexOf(found.at(-1) ?? ""))}`);
  return [escaped(secret), escaped(json), escaped(twice), slashes, unicode, percent, query];
}

/**
 * The base64 characters that depend on the secret alone when the secret stands in a longer text. Base64 encodes groups of three bytes.
 *
 * @param before how many bytes of the first group come before the secret
 */
function inBase64(secret: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  // A base64 character holds six bits. Characters that also hold bits of the surrounding text are left out.
  const start = Math.ceil((before * 8) / 6);
  const end = Math.floor((bytes.length * 8) / 6);
  return (["base64", "base64url"] as const).map((encoding) => escaped(bytes.toString(encoding).slice(start, end)));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase();
}

/** Makes the hexadecimal digits of a pattern match in both cases. */
function anyCase(percent: string): string {
  return percent.replace(/[A-F]/g, (letter) => `[${letter}${letter.toLowerCase()}]`);
}
