/** An example as a built page shows it. */
export interface Example {
  readonly page: string;
  readonly connector: string;
  readonly request: { readonly entity: string; readonly action: string; readonly params?: Readonly<Record<string, unknown>> };
  /** The code of each way to send the request, by the name of the way. */
  readonly ways: ReadonlyMap<string, string>;
  /** Sentences about the ways that cannot send the request. */
  readonly unsent: readonly string[];
  /** The answer below it, where one is recorded. */
  readonly answer: unknown;
}

/** Reads the examples out of the HTML of a page. */
export function examplesOf(page: string, html: string): Example[] {
  return html
    .split('<div class="example" ')
    .slice(1)
    .map((text): Example => {
      const [part = ""] = text.split(/<h2|<h1|<\/article>/);
      const attribute = (name: string) => unescapeHtml(new RegExp(`${name}="([^"]*)"`).exec(part)?.[1] ?? "");
      const panels = [...part.matchAll(/<div class="panel" data-way="([\w-]+)">[\s\S]*?<code>([\s\S]*?)<\/code>/g)];
      const answer = /<div class="answer">[\s\S]*?<code>([\s\S]*?)<\/code>/.exec(part)?.[1];
      return {
        page,
        connector: attribute("data-connector"),
        request: JSON.parse(attribute("data-request")) as Example["request"],
        unsent: [...part.matchAll(/<p class="unsent">([\s\S]*?)<\/p>/g)].map(([, text = ""]) => textOf(text)),
        ways: new Map(panels.map(([, way = "", code = ""]) => [way, textOf(code)])),
        answer: answer === undefined ? undefined : JSON.parse(textOf(answer)),
      };
    });
}

/** The text that a reader sees and copies. */
function textOf(html: string): string {
  return unescapeHtml(html.replace(/<[^>]+>/g, ""));
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}

/** What differs from run to run: the id of the request, times of the search, of the last sync, and of what a write has just changed. */
export function withoutTimes(answer: unknown, writes: boolean): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => {
      if (key === "took_ms" || key === "synced_at" || key === "instance") return undefined;
      return writes && typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? "a time" : value;
    }),
  );
}
