import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { figma } from "../../../generated/figma/index.ts";
import { gitlab } from "../../../generated/gitlab/index.ts";
import { jira } from "../../../generated/jira/index.ts";
import { notion } from "../../../generated/notion/index.ts";
import { slack } from "../../../generated/slack/index.ts";
import { stripe } from "../../../generated/stripe/index.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import { isObject } from "../../../runtime/base/is-object.ts";
import {
  type Connector,
  type FieldPlan,
  isHarmless,
  pathKeys,
  type RecordPlan,
  type RestOperation,
  type Warning,
} from "../../../runtime/contract/index.ts";
import { type ConnectorInstance, connect, type ExecuteResult } from "../../../runtime/execute/index.ts";
import { valueAtPath } from "../../../runtime/execute/record-reader.ts";
import { singleCredential } from "../../../runtime/platform/credential.ts";
import { startSimulator } from "../../../runtime/simulator/start-thread.ts";
import { run } from "../../support/fake-instance.ts";
import { seeded } from "../../support/seeded.ts";
import { withoutPace } from "../../support/simulated.ts";

// Platforms with a REST API that no longer send a value, send another type, or send it under another name. Each simulated platform responds
// once to every example of the reference pages; the responses are then changed and read again. The change costs the value, and nothing
// else. Two things may fail an action, with an error that names them: the whole key of the one record that it reads, and what leads to the
// records or to the next page (see the last test), which may be a value of a record too.

const connectors: readonly Connector[] = [figma, gitlab, jira, notion, slack, stripe];

interface Recorded {
  readonly request: { readonly entity: string; readonly action: string; readonly params: object };
  readonly operation: RestOperation;
  readonly response: { readonly status: number; readonly headers: Headers; readonly text: string };
  /** What the action answers to the response. */
  readonly result: ExecuteResult;
}

interface Platform {
  readonly connector: Connector;
  readonly all: readonly Recorded[];
  /** The result of a request when the platform's response has another body. */
  readonly read: (one: Recorded, body: unknown) => Promise<ExecuteResult>;
}

async function platformOf(connector: Connector): Promise<Platform> {
  if (connector.simulator === undefined) throw new Error(`${connector.name} has no simulator`);
  const simulator = await startSimulator(connector.simulator);
  const heard: Recorded["response"][] = [];
  let said: Response | undefined;
  const instance: ConnectorInstance = connect({
    id: connector.name,
    workspace: "default",
    connector: withoutPace(connector),
    endpoints: { rest: simulator.rest, graphql: undefined },
    credential: async () => singleCredential(connector.platform.auth.kinds, simulator.token),
    userAgent: "tenon/test",
    redact: (text) => text,
    fetch: async (input, init) => {
      if (said !== undefined) return said;
      const given = await fetch(input, init);
      const { status, headers } = given;
      const text = await given.text();
      heard.push({ status, headers, text });
      return new Response(text === "" ? null : text, { status, headers });
    },
  });
  const examples = await import(`../../../generated/${connector.name}/answers.json`, { with: { type: "json" } });
  const all: Recorded[] = [];
  for (const key of Object.keys(examples.default)) {
    const request: Recorded["request"] = JSON.parse(key);
    const operation = connector.entities[request.entity]?.actions[request.action]?.operation;
    if (operation?.kind !== "rest") continue;
    heard.length = 0;
    const result = await run(instance, request);
    const [response] = heard;
    // An empty response has nothing to lose. A job, which is read until it has ended, would be waited for.
    if (response !== undefined && response.text !== "" && operation.poll === undefined)
      all.push({ request, operation, response, result });
  }
  await simulator.close();
  const read = (one: Recorded, body: unknown) => {
    const { status, headers } = one.response;
    said = Response.json(body, { status, headers: [...headers].filter(([name]) => !name.startsWith("content-")) });
    return run(instance, one.request);
  };
  return { connector, all, read };
}

const platforms = new Map<string, Platform>();
beforeAll(async () => {
  for (const connector of connectors) platforms.set(connector.name, await platformOf(connector));
});
afterAll(() => platforms.clear());

const ways = ["removed", "renamed", "null", "a number", "a text", "a list", "an object", "a boolean"] as const;
const others = { "a number": 7, "a text": "other", "a list": ["other"], "an object": { other: 1 }, "a boolean": true } as const;

/** One change of a platform: the value at a path in every object that a plan reads. */
interface Loss {
  readonly plan: string;
  readonly keys: readonly string[];
  readonly way: (typeof ways)[number];
}

const keysOf = ({ read }: FieldPlan): readonly (readonly string[])[] =>
  [read ?? []].flat().map((path) => pathKeys(path.replaceAll("[]", "")));

/** The plans of an answer: that of its records, and of the objects inside. */
function plansIn(plan: RecordPlan, found = new Map<string, RecordPlan>()): Map<string, RecordPlan> {
  if (found.has(plan.name)) return found;
  found.set(plan.name, plan);
  for (const { of } of Object.values(plan.fields)) if (of !== undefined) plansIn(of(), found);
  return found;
}

/** All values at a path; a list on the way stands for each of its elements. */
function holdersAt(value: unknown, keys: readonly string[]): Record<string, unknown>[] {
  if (Array.isArray(value) && !/^(\d+|-1)$/.test(keys[0] ?? "")) return value.flatMap((one) => holdersAt(one, keys));
  if (keys.length === 0) return isObject(value) ? [value as Record<string, unknown>] : [];
  const [key = "", ...rest] = keys;
  const at = Array.isArray(value) && key === "-1" ? String(value.length - 1) : key;
  return typeof value === "object" && value !== null ? holdersAt(Reflect.get(value, at), rest) : [];
}

/** Changes the values. @param at where the source is @returns where the values were, by their keys from the records on */
function lose(source: unknown, plan: RecordPlan, loss: Loss, at: readonly string[] = []): (readonly string[])[] {
  const lost: (readonly string[])[] = [];
  if (at.length < 8)
    for (const field of Object.values(plan.fields))
      for (const keys of field.of === undefined ? [] : keysOf(field))
        for (const inner of holdersAt(source, keys)) lost.push(...lose(inner, field.of?.() ?? plan, loss, [...at, ...keys]));
  if (plan.name !== loss.plan) return lost;
  const key = loss.keys.at(-1) ?? "";
  for (const holder of holdersAt(source, loss.keys.slice(0, -1))) {
    if (!Object.hasOwn(holder, key)) continue;
    lost.push([...at, ...loss.keys]);
    const value = holder[key];
    if (loss.way === "removed" || loss.way === "renamed") delete holder[key];
    if (loss.way === "renamed") holder[`${key}_2`] = value;
    if (loss.way === "null") holder[key] = null;
    if (loss.way in others) holder[key] = Reflect.get(others, loss.way);
  }
  return lost;
}

type Places = readonly (readonly string[])[];

/** Whether a field reads what was lost, or something inside or around it. */
function reads(field: FieldPlan, at: readonly string[], lost: Places): boolean {
  const isAround = (one: readonly string[], other: readonly string[]) => one.every((key, index) => key === other[index]);
  const own = keysOf(field).map((keys) => [...at, ...keys]);
  return own.some((one) => lost.some((other) => isAround(one, other) || isAround(other, one)));
}

/** A record without the values that were lost. What is inside an object of the platform's own is not looked at. */
function spared(record: unknown, plan: RecordPlan, lost: Places, at: readonly string[] = []): unknown {
  if (Array.isArray(record)) return record.map((one) => spared(one, plan, lost, at));
  if (!isObject(record)) return record;
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const field = plan.fields[name];
      if (field === undefined) return [];
      if (!reads(field, at, lost)) return [[name, value]];
      const [keys = []] = keysOf(field);
      const here = [...at, ...keys];
      const isInside = lost.every((one) => one.length > here.length);
      return field.of !== undefined && isInside ? [[name, spared(value, field.of(), lost, here)]] : [];
    }),
  );
}

/** The names of fields that always have a value, and have none now. */
function missed(plan: RecordPlan, lost: Places, at: readonly string[] = []): string[] {
  return Object.entries(plan.fields).flatMap(([name, field]) => {
    if (field.onRequest === true) return [];
    const [keys = []] = keysOf(field);
    const here = [...at, ...keys];
    const isIt = lost.some((one) => one.join() === here.join());
    if (isIt) return field.always === true ? [name] : [];
    const isInside = lost.some((one) => one.length > here.length && one.slice(0, here.length).join() === here.join());
    return field.of !== undefined && isInside ? missed(field.of(), lost, here).map((inner) => `${name}.${inner}`) : [];
  });
}

function rowsOf(operation: RestOperation, body: unknown): unknown {
  return operation.answer === undefined ? body : valueAtPath(body, pathKeys(operation.answer));
}

/** Whether a response has one record, and nothing of its key is left that the platform sent. */
function hasLostKey({ connector }: Platform, { request, operation }: Recorded, body: unknown): boolean {
  if (operation.list !== undefined) return false;
  const record = rowsOf(operation, body);
  const paths = (connector.entities[request.entity]?.store.key ?? []).flatMap((part) => {
    const [name = "", ...inner] = part.split(".");
    const field = operation.record.fields[name];
    return field === undefined || field.param !== undefined ? [] : keysOf(field).map((keys) => [...keys, ...inner]);
  });
  return paths.length > 0 && paths.every((keys) => ["", null].includes(valueAtPath(record, keys) as string | null));
}

const count = Number(process.env["TENON_TEST_SEEDS"] ?? 0) || 60;

describe(`${count} platforms that lose a value`, () => {
  it("fail no action that can do without it, and say which value is missing", async () => {
    const random = seeded(30);
    const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;
    const failures: string[] = [];
    const seen = { actions: 0, warned: 0, needed: 0 };
    for (let number = 0; number < count; number++) {
      const platform = platforms.get(connectors[number % connectors.length]?.name ?? "") as Platform;
      const plan = pick([...plansIn(pick(platform.all).operation.record).values()]);
      const field = pick(Object.values(plan.fields).filter((one) => one.read !== undefined));
      const loss: Loss = { plan: plan.name, keys: keysOf(field)[0] ?? [], way: pick(ways) };
      for (const one of platform.all) {
        const body: unknown = JSON.parse(one.response.text);
        const { record } = one.operation;
        const lost = [rowsOf(one.operation, body)].flat().flatMap((row) => lose(row, record, loss));
        if (lost.length === 0) continue;
        const what = `${platform.connector.name} ${loss.plan}.${loss.keys.join(".")} ${loss.way}, ${one.request.entity}.${one.request.action}`;
        const got = await platform.read(one, body).catch((thrown: unknown) => thrown as Error);
        seen.actions++;
        if (got instanceof Error) {
          const { by } = one.operation.list ?? {};
          const next = by?.kind === "cursor" ? pathKeys(by.next) : [];
          const isPage =
            next.slice(-loss.keys.length).join() === loss.keys.join() &&
            got.message.includes(by?.kind === "cursor" ? by.next : "");
          const isKey = /without "\w+", which is its key/.test(got.message) && hasLostKey(platform, one, body);
          if (isKey || isPage) seen.needed++;
          else failures.push(`${what}: ${got.message}`);
          continue;
        }
        const warnings = (got.meta["warnings"] ?? []) as Warning[];
        expect(warnings.every(isHarmless), what).toBe(true);
        expect(spared(got.data, record, lost), what).toEqual(spared(one.result.data, record, lost));
        const known = (one.result.meta["warnings"] ?? []) as Warning[];
        if (["removed", "renamed", "null"].includes(loss.way))
          for (const name of missed(record, lost)) {
            const said = warnings.find(({ code }) => code === "field_removed");
            expect((said?.message ?? "").replace(/.*nothing for |, which .*/g, "").split(", "), what).toContain(name);
          }
        if (warnings.length > known.length) seen.warned++;
      }
    }
    expect(failures).toEqual([]);
    expect(seen.actions).toBeGreaterThan(count);
    expect(seen.warned).toBeGreaterThan(count / 2);
  });

  it("fail, and name what is missing, where it is not part of a record: the path to the records, or the sign of the last page", async () => {
    let failed = 0;
    for (const { connector, all, read } of platforms.values())
      for (const one of all) {
        const { list, answer } = one.operation;
        const by: object = list?.by ?? {};
        const paths = [answer, Reflect.get(by, "next"), Reflect.get(by, "more"), ...Object.values(Reflect.get(by, "end") ?? {})];
        for (const path of paths.filter((one) => typeof one === "string")) {
          const body: unknown = JSON.parse(one.response.text);
          const keys = pathKeys(path);
          const list = valueAtPath(body, keys.slice(0, -1));
          if (Array.isArray(list)) list.length = 0;
          for (const holder of holdersAt(body, keys.slice(0, -1))) delete holder[keys.at(-1) ?? ""];
          const what = `${connector.name} ${one.request.entity}.${one.request.action} without "${path}"`;
          await read(one, body).then(
            () => expect(path, what).not.toBe(answer),
            (error: unknown) => {
              expect(error, what).toBeInstanceOf(TenonError);
              expect((error as TenonError).message, what).toContain(`"${path}"`);
              failed++;
            },
          );
        }
      }
    expect(failed).toBeGreaterThan(50);
  });
});
