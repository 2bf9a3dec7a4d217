import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { descriptionIn } from "../../base/description-text.ts";
import { Description } from "../rest/description.ts";
import type { SimulatedPlatform } from "../simulated-platform.ts";
import { graphqlOf } from "./graphql-api.ts";
import { overriddenDescription } from "./overrides.ts";
import type { Json, ReadPlatformFile } from "./platform-file.ts";
import { type DescribedViewer, type DescribedWorld, invalid, refusalOf, routesOf } from "./rest-routes.ts";
import { hasSignature, isSigned } from "./security.ts";
import { recordsOf } from "./template.ts";

/** Requests that an account may make in an hour, where the file does not say it. */
const usualQuota = 5000;

/** Makes a platform of its description and of a file of records. */
export function describedPlatform(read: ReadPlatformFile): SimulatedPlatform<DescribedWorld, DescribedViewer> {
  const { file, spec, folder } = read;
  const description: Json =
    spec.rest === undefined
      ? {}
      : overriddenDescription(descriptionIn(textOf(folder, spec.rest.description)) as Json, spec.rest.overrides ?? {});
  const graphql =
    file.graphql === undefined || spec.graphql === undefined
      ? undefined
      : graphqlOf(file, file.graphql, textOf(folder, spec.graphql.schema));
  return {
    seed: () => ({
      records: Object.fromEntries(
        Object.entries(file.records).map(([name, written]) => [
          name,
          recordsOf(written).map((one) => (file.graphql === undefined ? one : { __typename: name, ...one })),
        ]),
      ),
      serial: 9000,
      done: {},
      made: {},
    }),
    web: file.web,
    admit: (received) => {
      const ofGraphql = file.graphql !== undefined && received.path.split("?")[0] === file.graphql.path;
      const signed = ofGraphql
        ? (received.headers[file.graphql?.header.toLowerCase() ?? ""] ?? "").replace(/^Bearer /, "") === file.token
        : isSigned(description, received, file.token);
      if (!signed || !hasSignature(file, received)) return { refused: refusalOf(file.errors.unauthorized) };
      const lacking = Object.entries(file.headers ?? {}).find(([name, value]) => received.headers[name.toLowerCase()] !== value);
      if (lacking !== undefined) return { refused: invalid(file, `The header ${lacking[0]} should be "${lacking[1]}".`) };
      return { viewer: { token: file.token } };
    },
    quota: {
      perHour: file.perHour ?? usualQuota,
      account: ({ token }) => token,
      exceeded: () => refusalOf(file.errors.limited),
    },
    headers: ({ serial, known }) => {
      const id = { "x-request-id": `simulated-${serial}` };
      if (file.budget === undefined || known === undefined) return id;
      const { remaining, reset, as = "seconds" } = file.budget;
      const at = known.budget.reset;
      return { ...id, [remaining]: String(known.budget.remaining), [reset]: String(as === "seconds" ? at / 1000 : at) };
    },
    ...(graphql === undefined ? {} : { graphql }),
    rest: {
      description: new Description(() => description),
      routes: routesOf(file, description),
      refusals: {
        path: refusalOf(file.errors.missing),
        syntax: invalid(file, "The body is not JSON"),
        object: invalid(file, "The body must be an object"),
        body: ({ instancePath, message = "is wrong", params }) => {
          const keys = instancePath.split("/").slice(1);
          const [first = "", second = ""] = keys;
          // What is missing or too much is not there to be pointed to.
          const absent: unknown = params["missingProperty"] ?? params["additionalProperty"];
          const inside = first === file.errors.field?.below ? second : first;
          const hasWords = Object.hasOwn(file.errors.params ?? {}, first);
          const param = typeof absent === "string" && !hasWords ? absent : inside;
          return invalid(file, `Request body error: ${[instancePath, message].join(" ").trim()}`, param);
        },
      },
    },
  };
}

/** Text of a file beside the spec, or in a package that is installed. */
function textOf(folder: string, reference: string): string {
  for (let here = folder; ; here = dirname(here)) {
    const places = [join(here, reference), join(here, "node_modules", reference)];
    const found = places.find((place) => existsSync(place));
    if (found !== undefined) return readFileSync(found, "utf8");
    if (here === dirname(here)) throw new Error(`cannot read "${reference}"`);
  }
}
