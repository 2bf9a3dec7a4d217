import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { shown } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { visibleText } from "../base/visible-text.ts";

// Prompts for the questions that people ask most. A client shows them to its user, who fills in the arguments.

type Given = Readonly<Record<string, string>>;

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  /** What the model is to do. @param given the arguments, as JSON */
  readonly text: (given: Given) => string;
}

const connector = { name: "connector", description: "Connector id; needed only where there are several.", required: false };
const entity = { name: "entity", description: "Kind of record, such as issues.", required: true };

/** The connector, where one was given, as a part of the text. */
const placeText = ({ connector }: Given) => (connector === undefined ? "" : ` of the connector ${connector}`);
const sources = "Name each record by its title and link it by its url. Say so if nothing was found or synced, and why.";

const prompts: readonly Prompt[] = [
  {
    name: "find_records",
    title: "Find records about a topic",
    description: "Searches by meaning and by words, and responds with links.",
    arguments: [{ name: "topic", description: "What the records are about.", required: true }, entity, connector],
    text: (given) =>
      `Find ${given["entity"]}${placeText(given)} about ${given["topic"]}. Call semantic_search if there is such a tool, and search with keyword; where nothing was synced, call read with api_search. ${sources}`,
  },
  {
    name: "summarize_record",
    title: "Summarize a record and its discussion",
    description: "Reads one record and its comments, and says what is decided and what is open.",
    arguments: [
      { name: "record", description: "A URL, or a place such as octocat/hello-world#12.", required: true },
      entity,
      connector,
    ],
    text: (given) =>
      `Summarize ${given["record"]}, one of the ${given["entity"]}${placeText(given)}. Call describe_entity for the params, then read for the record and for its comments, both in one call. Say in at most ten lines what it is about, what was decided, what is open, and who has to act.`,
  },
  {
    name: "recent_changes",
    title: "Show what changed",
    description: "Lists what was changed since a date, grouped by what it means.",
    arguments: [entity, { name: "since", description: "A date, such as 2026-11-01.", required: true }, connector],
    text: (given) =>
      `What changed in ${given["entity"]}${placeText(given)} since ${given["since"]}? Call describe_entity for the field with the time of the last change, then search with gte on it, latest first, with count. Group the records by state, and say how many there are. ${sources}`,
  },
  {
    name: "count_records",
    title: "Count records by a field",
    description: "Counts records for each value of a field, such as issues by state.",
    arguments: [entity, { name: "field", description: "The field to count by, such as state.", required: true }, connector],
    text: (given) =>
      `Count ${given["entity"]}${placeText(given)} by ${given["field"]}. Call search with groupBy, and not with a list of records. Give a table, the largest count first, and say when the records were synced.`,
  },
  {
    name: "find_similar",
    title: "Find records that are like a text",
    description: "Looks for duplicates before something new is written.",
    arguments: [{ name: "text", description: "What is about to be written.", required: true }, entity, connector],
    text: (given) =>
      `Are there ${given["entity"]}${placeText(given)} that already say this: ${given["text"]}? Call semantic_search if there is such a tool, else search with fuzzy on the title. Read the three nearest whole, and say for each whether it is the same, related or different. Write nothing. ${sources}`,
  },
];

/** The prompts as a list shows them. */
export function listedPrompts() {
  return prompts.map(({ text: _text, arguments: own, ...rest }) => ({ ...rest, arguments: [...own] }));
}

/** The message of a prompt. @throws ProtocolError that names what is wrong, and what is allowed */
export function promptMessage(name: string, all: unknown = {}) {
  const prompt = prompts.find((one) => one.name === name);
  if (prompt === undefined) throw wrong(`There is no prompt "${shown(name)}". There is ${namesOf(prompts)}.`);
  if (!isObject(all)) throw wrong("arguments must be an object.");
  const given: Given = Object.fromEntries(
    Object.entries(all).map(([key, value]) => {
      if (typeof value !== "string") throw wrong(`The argument ${shown(key)} must be a string.`);
      return [key, value];
    }),
  );
  const unknown = Object.keys(given).find((key) => !prompt.arguments.some((one) => one.name === key));
  if (unknown !== undefined)
    throw wrong(`The prompt ${name} has no argument "${shown(unknown)}". It takes ${namesOf(prompt.arguments)}.`);
  const missing = prompt.arguments.filter((one) => one.required && (given[one.name] ?? "") === "");
  if (missing.length > 0) throw wrong(`The prompt ${name} needs ${namesOf(missing)}.`);
  // Quoted, so that the model sees where the words of its user end.
  const quoted = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === "" ? [] : [[key, JSON.stringify(visibleText(value))]])),
  );
  const text = prompt.text(quoted);
  return { description: prompt.description, messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
}

function namesOf(list: readonly { readonly name: string }[]): string {
  return list.map(({ name }) => name).join(", ");
}

function wrong(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, visibleText(message));
}
