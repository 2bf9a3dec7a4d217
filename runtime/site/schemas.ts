import type { ConnectorSource } from "./sources.ts";

/**
 * A JSON Schema of its own for every record, parameter set and answer, at `schemas/<connector>/<name>.json`. What a schema refers to is
 * among its `$defs`.
 *
 * @returns texts by path
 */
export function schemaFiles({ name: connector, openapi }: ConnectorSource): Map<string, string> {
  const { schemas } = openapi.components;
  const files = Object.keys(schemas).filter((name) => !/^tenon\.(?!.*\.params$)|(^|\.)(request|answer)$/.test(name));
  return new Map(files.map((name) => [`schemas/${connector}/${name}.json`, schemaFile(name, schemas)]));
}

function schemaFile(name: string, schemas: Readonly<Record<string, object>>): string {
  const needed = new Set<string>();
  const collect = (schema: unknown) => {
    for (const [, other = ""] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (needed.has(other)) continue;
      needed.add(other);
      collect(schemas[other]);
    }
  };
  collect(schemas[name]);
  const definitions = Object.fromEntries([...needed].sort().map((other) => [other, schemas[other]]));
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...schemas[name],
    ...(needed.size === 0 ? {} : { $defs: definitions }),
  };
  return `${JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/$defs/')}\n`;
}
