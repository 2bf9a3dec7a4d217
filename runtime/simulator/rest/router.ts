/** The route that a request takes, with what stands in the places of its path. */
export interface Found<Route> {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a method and a path; undefined where there is none. */
export function findRoute<Route extends { readonly method: string; readonly path: string }>(
  routes: readonly Route[],
  method: string,
  path: string,
): Found<Route> | undefined {
  for (const route of routes) {
    const params = route.method === method ? match(route.path, path) : undefined;
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

/** What stands in the places of a template such as `/repos/{owner}/{repo}`; undefined where the path is another one. */
function match(template: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? text !== part : text === "") return undefined;
    if (name !== undefined) params[name] = decode(text);
  }
  return params;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
