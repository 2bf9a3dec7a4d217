import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TenonError } from "../../runtime/base/errors.ts";
import { connect } from "../../runtime/execute/connect.ts";
import { execute } from "../../runtime/execute/execute.ts";
import type { ConnectorInstance } from "../../runtime/execute/instance.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { tokenCredential } from "../support/credential.ts";
import { unpaced } from "../support/fake-instance.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";

// The issue's states as a model, against the simulated platform: what the interface document's table allows happens, and what it
// does not allow is refused before anything is sent.

let platform: Platform;
let instance: ConnectorInstance;
beforeAll(async () => {
  platform = await startPlatform();
  instance = connect({
    id: "github",
    workspace: "default",
    connector: unpaced,
    endpoints: { rest: platform.url, graphql: platform.graphqlUrl },
    credential: async () => tokenCredential(ownerToken),
    userAgent: "tenon/test",
    redact: (text) => text,
  });
});
afterAll(() => platform.close());

interface Model {
  state: "open" | "closed";
}
interface Real {
  readonly number: number;
}

const where = { owner: "octocat", repo: "hello-world" };
const call = (action: string, params: object) =>
  execute(
    instance,
    { entity: "issues", action, params: { ...where, ...params } },
    { timeout: 10_000, signal: new AbortController().signal, log: pino({ level: "silent" }), requestId: "test" },
  );

type Reason = string | null | undefined;
const allowedReasons: Readonly<Record<string, readonly Reason[]>> = {
  closed: ["completed", "not_planned", null, undefined],
  open: ["reopened", null, undefined],
};

/** An update that asks for a state, a reason, both or neither. */
class Update implements fc.AsyncCommand<Model, Real> {
  readonly state: "open" | "closed" | undefined;
  readonly reason: Reason;
  constructor(state: "open" | "closed" | undefined, reason: Reason) {
    this.state = state;
    this.reason = reason;
  }
  check(): boolean {
    return true;
  }
  async run(model: Model, real: Real): Promise<void> {
    const params = {
      issue_number: real.number,
      ...(this.state === undefined ? {} : { state: this.state }),
      ...(this.reason === undefined ? {} : { state_reason: this.reason }),
    };
    const before = platform.requests.length;
    const outcome = await call("update", params).catch((thrown: unknown) => thrown);
    // Null gives no reason, and by itself changes nothing.
    const nothing = this.state === undefined && (this.reason === undefined || this.reason === null);
    const allowed = this.state !== undefined && allowedReasons[this.state]?.includes(this.reason);
    if (allowed) {
      if (this.state !== undefined) model.state = this.state;
      expect(outcome).toMatchObject({ data: { state: model.state } });
      expect(platform.requests.length).toBe(Math.min(before + 1, 1000));
    } else {
      expect(outcome).toBeInstanceOf(TenonError);
      expect(outcome).toMatchObject({ code: nothing ? "invalid_request" : "forbidden_transition" });
      expect(platform.requests.length).toBe(before);
    }
  }
  toString(): string {
    return `update(${this.state}, ${this.reason})`;
  }
}

class Read implements fc.AsyncCommand<Model, Real> {
  check(): boolean {
    return true;
  }
  async run(model: Model, real: Real): Promise<void> {
    const { data } = await call("get", { number: real.number, fields: ["state", "closedAt"] });
    expect(data).toMatchObject({ state: model.state });
    expect((data as { closedAt: unknown }).closedAt === null).toBe(model.state === "open");
  }
  toString(): string {
    return "read";
  }
}

describe("the states of an issue", () => {
  it("follow the table", async () => {
    const reason = fc.constantFrom("completed", "not_planned", "reopened", null, undefined);
    const update = fc
      .tuple(fc.constantFrom("open" as const, "closed" as const, undefined), reason)
      .map(([state, why]) => new Update(state, why));
    await fc.assert(
      fc.asyncProperty(fc.commands([update, fc.constant(new Read())], { maxCommands: 25 }), async (commands) => {
        platform.reset();
        const { data } = await call("create", { title: "A state machine" });
        const { number } = data as { number: number };
        await fc.asyncModelRun(() => ({ model: { state: "open" } satisfies Model as Model, real: { number } }), commands);
      }),
      { numRuns: 25 },
    );
  });
});
