import { json, Refused } from "../../runtime/simulator/answer.ts";
import { Description } from "../../runtime/simulator/rest/description.ts";
import type { SimulatedPlatform } from "../../runtime/simulator/simulated-platform.ts";

export interface Notes {
  notes: string[];
}
export interface Writer {
  readonly name: string;
}

const text = { type: "object", required: ["text"], properties: { text: { type: "string", nullable: true } } };
const body = { content: { "application/json": { schema: text } } };

/** A platform with REST alone: notes, and nothing else. For tests of the machine without the knowledge of any real platform. */
export const notesPlatform: SimulatedPlatform<Notes, Writer> = {
  seed: (seed = 1) => ({ notes: [`first of ${seed}`] }),
  web: "https://notes.example",
  admit: ({ headers }) => {
    const name = headers["authorization"];
    return name === undefined ? { refused: json(401, { error: "who?" }) } : { viewer: { name } };
  },
  quota: {
    perHour: 3,
    account: ({ name }) => name,
    exceeded: (api, { name }) => json(429, { error: `${name}: no more ${api}` }),
  },
  headers: ({ serial, known }) => ({ "x-serial": String(serial), "x-left": String(known?.budget.remaining) }),
  rest: {
    description: new Description(() => ({
      paths: { "/notes": { post: { requestBody: body, responses: { "201": body } } } },
      components: { schemas: {}, responses: {} },
    })),
    routes: [
      { method: "GET", path: "/quota", free: true, run: ({ budget }) => json(200, { left: budget("rest").remaining }) },
      {
        method: "GET",
        path: "/notes/{text}",
        admit: ({ params }) => (params["text"] === "secret" ? json(404, { error: "hidden" }) : undefined),
        run: ({ world, params }) => {
          if (params["text"] === "torn") throw new Refused(json(410, { error: "torn" }));
          if (params["text"] === "bug") throw new Error("a bug");
          return json(200, { known: world.notes.includes(params["text"] ?? "") });
        },
      },
      ...["/notes", "/old-notes"].map((path) => ({
        method: "POST",
        path,
        describedAs: "/notes",
        run: ({ world }: { world: Notes }, given: Readonly<Record<string, unknown>>) => {
          world.notes.push(String(given["text"]));
          return json(201, given);
        },
      })),
    ],
    refusals: {
      path: json(404, { error: "path" }),
      syntax: json(400, { error: "syntax" }),
      object: json(400, { error: "object" }),
      body: ({ keyword }) => json(422, { error: keyword }),
    },
  },
};
