import { isObject } from "../../base/is-object.ts";
import type { Json } from "./platform-file.ts";
import { valueAt } from "./template.ts";

type JsonObject = { [key: string]: Json };

/** A description with what the spec says is wrong in it, as merge patches (RFC 7396). The simulated platform is right where it is not. */
export function overriddenDescription(description: Json, overrides: Readonly<Record<string, Json>>): Json {
  const result = structuredClone(description);
  for (const [place, patch] of Object.entries(overrides)) {
    const [, method, path] = /^([A-Z]+) (.*)$/.exec(place) ?? [];
    const keys =
      method === undefined || path === undefined
        ? place
            .replace(/^#\//, "")
            .split("/")
            .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
        : ["paths", path, method.toLowerCase()];
    const target = valueAt(result, keys);
    if (isObject(target as Json) && isObject(patch)) apply(target as JsonObject, patch);
  }
  return result;
}

function apply(target: JsonObject, patch: JsonObject): void {
  for (const [key, change] of Object.entries(patch)) {
    const here = target[key];
    if (change === null) delete target[key];
    else if (isObject(change) && isObject(here)) apply(here, change);
    else target[key] = change;
  }
}
