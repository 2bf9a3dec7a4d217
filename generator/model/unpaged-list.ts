import { alternatives, jsonTypes, propertyNames, propertySchema } from "./json-schema.ts";
import type { JsonSchema, PlatformDescription } from "./platform-description.ts";

/** Members by which platforms say that a list has more pages, without the way of writing: `nextPage`, `next_page`. */
const signs = new Set([
  ...["hasmore", "hasnext", "hasnextpage", "morepages", "ismore", "islast", "islastpage", "lastpage"],
  ...["next", "nextpage", "nexturl", "nextlink", "nexturi", "nextcursor", "nextpagetoken", "nexttoken", "endcursor", "cursor"],
  ...[
    "pagetoken",
    "continuationtoken",
    "total",
    "totalcount",
    "totalresults",
    "totalpages",
    "pagecount",
    "totalitems",
    "startat",
  ],
]);

/** The place in a described answer that says of a list that it may have more than one page; undefined where there is none. */
export function pageSign(answer: JsonSchema, platform: PlatformDescription): string | undefined {
  const names = propertyNames(answer, platform);
  const own = names.find(isSign);
  if (own !== undefined) return own;
  for (const name of names) {
    const inner = propertySchema(answer, name, platform);
    // What is inside the elements of a list says nothing of the list.
    if (inner === undefined || alternatives(inner, platform).flatMap(jsonTypes).includes("array")) continue;
    const found = propertyNames(inner, platform).find(isSign);
    if (found !== undefined) return `${name}.${found}`;
  }
  return undefined;
}

function isSign(name: string): boolean {
  return signs.has(name.toLowerCase().replace(/[^a-z]/g, ""));
}
