import { readFileSync } from "node:fs";
import { type Answer, json } from "../../../simulator/answer.ts";
import type { ReceivedRequest } from "../../../simulator/request.ts";
import type { RestApi } from "../../../simulator/rest/api.ts";
import { Description } from "../../../simulator/rest/description.ts";
import type { Viewer } from "../access.ts";
import { refuse } from "../refuse.ts";
import type { World } from "../world/world.ts";
import { routes } from "./routes.ts";

const versions: readonly string[] = ["2022-11-28", "2026-03-10"];

/** The extract of GitHub's REST description that the spec needs. */
export const description = new Description(() => {
  const root = JSON.parse(readFileSync(new URL("../../../../spec/github/description.json", import.meta.url), "utf8"));
  // The description has null for the whole body of this call, where the documentation has it for each file: it removes the file.
  const { schema } = root.paths["/gists/{gist_id}"].patch.requestBody.content["application/json"];
  schema.nullable = false;
  schema.properties.files.additionalProperties.nullable = true;
  return root;
});

/** GitHub's REST API. */
export const restApi: RestApi<World, Viewer> = {
  description,
  routes,
  negotiate,
  headers: (headers) => ({ "x-github-api-version-selected": headers["x-github-api-version"] ?? "2022-11-28" }),
  refusals: {
    path: refuse(404, "Not Found"),
    syntax: refuse(400, "Problems parsing JSON"),
    object: refuse(400, "Body should be a JSON object"),
    body: (error) => {
      const missing = error.keyword === "required" ? `"${String(error.params["missingProperty"])}" wasn't supplied.` : undefined;
      const place = `properties${error.instancePath}`;
      return refuse(422, `Invalid request.\n\n${missing ?? `For '${place}', ${error.message ?? "it is not valid"}.`}`);
    },
  },
};

/** Refusals that follow from the headers alone. */
function negotiate(headers: ReceivedRequest["headers"]): Answer | undefined {
  const version = headers["x-github-api-version"];
  if (version !== undefined && !versions.includes(version)) {
    return json(400, {
      message: `The API version "${version}" is not supported.`,
      documentation_url: "https://docs.github.com/rest/about-the-rest-api/api-versions",
    });
  }
  const accept = headers["accept"] ?? "*/*";
  const known = accept.split(",").some((type) => /^\s*(\*\/\*|application\/(\*|json|vnd\.github[\w.+-]*))\s*(;|$)/.test(type));
  return known ? undefined : refuse(415, `Unsupported 'Accept' header: '${accept}'. Must accept 'application/json'.`);
}
