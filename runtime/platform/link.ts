/**
 * Finds the target of a relation in a header `Link` (RFC 8288, 3). Parameters may be quoted or not, in any order, and a relation may be one
 * of several in `rel`.
 *
 * @returns the target as it stands there, which may be relative; undefined where no link has the relation; `unreadable` for a text that is
 *   no list of links
 */
export function linkTarget(header: string, relation: string): string | "unreadable" | undefined {
  let rest = header.trim();
  let found: string | undefined;
  while (rest !== "") {
    const link = /^<([^>]*)>\s*/.exec(rest);
    if (link === null) return "unreadable";
    rest = rest.slice(link[0].length);
    let relations: string | undefined;
    let isEmpty = false;
    for (let param = nextParam(rest); param !== undefined; param = nextParam(rest)) {
      rest = rest.slice(param.length);
      // Only the first `rel` of a link counts (RFC 8288, 3.3).
      if (param.name === "rel") relations ??= param.value;
      // Sentry links to a next page behind the last one too, and says in this way that nothing is there.
      if (param.name === "results") isEmpty = param.value === "false";
    }
    if (!isEmpty && relations?.toLowerCase().split(/\s+/).includes(relation)) found ??= link[1];
    const comma = /^(?:,\s*)+/.exec(rest);
    if (comma === null && rest !== "") return "unreadable";
    rest = rest.slice(comma?.[0].length ?? 0);
  }
  return found;
}

function nextParam(text: string): { readonly name: string; readonly value: string; readonly length: number } | undefined {
  const match =
    /^;\s*([\w!#$&+\-.^`|~*]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?\s*/.exec(text) ?? /^()()();\s*/.exec(text);
  if (match === null) return undefined;
  const [whole, name = "", quoted, token = ""] = match;
  return { name: name.toLowerCase(), value: quoted?.replace(/\\(.)/g, "$1") ?? token, length: whole.length };
}
