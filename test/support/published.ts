import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { readDescribed } from "../../generator/extract/source.ts";

/**
 * Folder with descriptions that platforms have published, as `<connector>/<version>.<ending>`. The versions of packages that it lacks are
 * packed into it; those of a platform without a package are put there by hand. Undefined where nothing is to be replayed.
 */
export const publishedFolder = process.env["TENON_TEST_DRIFT"];

const packages: Readonly<Record<string, readonly [name: string, path: string, versions: string]>> = {
  github: [
    "@octokit/graphql-schema",
    "schema.graphql",
    "14.0.0 14.9.1 14.19.1 14.24.1 14.28.0 14.31.0 14.32.1 14.33.0 14.34.0 14.37.0 14.39.0 14.40.1 14.41.0 14.42.0 14.45.0 14.46.0 14.47.1 14.50.0 14.53.0 14.55.1 14.56.0 14.58.0 15.0.0 15.3.0 15.5.0 15.9.0 15.12.0 15.14.0 15.15.0 15.16.0 15.17.0 15.18.0 15.20.0 15.22.0 15.23.0 15.24.0 15.25.0 15.26.0 15.26.1",
  ],
  figma: [
    "@figma/rest-api-spec",
    "openapi/openapi.yaml",
    "0.10.0 0.13.0 0.16.0 0.19.0 0.22.0 0.27.0 0.30.0 0.32.0 0.33.0 0.34.0 0.35.0 0.36.0 0.37.0 0.39.0 0.40.0 0.41.0 0.42.0 0.43.0",
  ],
};

/** The published descriptions of a connector's platform, as paths. */
export async function publishedVersions(connector: string): Promise<string[]> {
  const place = join(publishedFolder ?? "", connector);
  mkdirSync(place, { recursive: true });
  const [from = "", path = "", versions = ""] = packages[connector] ?? [];
  for (const version of versions.split(" ").filter((one) => one !== "")) {
    const file = join(place, `${version}${extname(path)}`);
    if (!existsSync(file)) writeFileSync(file, (await readDescribed(`${from}@${version}/${path}`)).text);
  }
  return readdirSync(place)
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((file) => join(place, file));
}
