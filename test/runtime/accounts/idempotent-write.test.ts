import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { newOwner } from "../../../runtime/accounts/idempotent-write.ts";
import { idempotentWrite } from "../../../runtime/accounts/index.ts";
import { retryWhileAway } from "../../../runtime/accounts/retry-while-away.ts";
import type { StoredWrite, WriteStore } from "../../../runtime/accounts/write-store.ts";
import { TenonError } from "../../../runtime/base/errors.ts";

// What becomes of a write whose end cannot be stored at once. What stores do is tested with each store.

/** A store with one write, which cannot be reached as long as the test says so. */
function lostStore() {
  let kept: StoredWrite | undefined;
  const place = { away: false, refused: 0, cut: false };
  const reach = () => {
    if (!place.away) return;
    place.refused++;
    throw new TenonError("database_unavailable", "The database cannot be reached.", { retryAfter: 1 });
  };
  const store: WriteStore = {
    beginWrite: async (write) => {
      reach();
      if (kept !== undefined) return kept;
      kept = { ...write, state: "begun", answer: null };
      // It is stored, and the answer to that never comes.
      if (place.cut) place.away = true;
      reach();
      return undefined;
    },
    endWrite: async (_id, owner, end) => {
      reach();
      if (kept?.owner !== owner) return;
      kept =
        end.state === "nothing" ? undefined : { ...kept, state: end.state, answer: end.state === "done" ? end.answer : null };
    },
    write: async () => {
      reach();
      return kept;
    },
  };
  return { store, place };
}

const request = { caller: "c", key: "k", request: { a: 1 }, timeout: 60_000, signal: new AbortController().signal };
const never = () => Promise.reject(new Error("It was sent twice."));

describe("a write that is done while the database is away", () => {
  it("responds when its response is stored, and a repetition gets the same", async () => {
    const { store, place } = lostStore();
    const work = async () => {
      place.away = true;
      return '"done"';
    };
    const first = idempotentWrite(store, request, work, () => "nothing");
    await expect.poll(() => place.refused, { timeout: 60_000 }).toBeGreaterThan(1);
    place.away = false;
    expect(await first).toEqual({ answer: '"done"', replayed: false });
    expect(await idempotentWrite(store, request, never, () => "nothing")).toEqual({ answer: '"done"', replayed: true });
  });

  it("responds at its deadline, and its response is stored later", async () => {
    const { store, place } = lostStore();
    const work = async () => {
      place.away = true;
      return '"done"';
    };
    expect(await idempotentWrite(store, { ...request, timeout: 20 }, work, () => "nothing")).toMatchObject({ answer: '"done"' });
    place.away = false;
    expect(await idempotentWrite(store, request, never, () => "nothing")).toEqual({ answer: '"done"', replayed: true });
  });

  it("is free again when it was not sent, because its beginning was stored and the answer to that was lost", async () => {
    const { store, place } = lostStore();
    place.cut = true;
    await expect(idempotentWrite(store, request, never, () => "nothing")).rejects.toMatchObject({ code: "database_unavailable" });
    Object.assign(place, { cut: false, away: false });
    const sent = async () => '"done"';
    expect(await idempotentWrite(store, request, sent, () => "nothing")).toEqual({ answer: '"done"', replayed: false });
  });

  it("is sent again when it is in doubt and the platform knows its key", async () => {
    const { store } = lostStore();
    const lose = () => Promise.reject(new Error("lost"));
    await expect(idempotentWrite(store, request, lose, () => "in_doubt")).rejects.toThrow("lost");
    await expect(idempotentWrite(store, request, never, () => "in_doubt")).rejects.toMatchObject({ code: "in_doubt" });
    const again = { ...request, resend: true };
    await expect(idempotentWrite(store, again, lose, () => "in_doubt")).rejects.toThrow("lost");
    expect(
      await idempotentWrite(
        store,
        again,
        async () => '"done"',
        () => "in_doubt",
      ),
    ).toEqual({ answer: '"done"', replayed: false });
  });

  it("is free again when the platform had refused it", async () => {
    const { store, place } = lostStore();
    const refuse = async () => {
      place.away = true;
      throw new Error("refused");
    };
    await expect(idempotentWrite(store, { ...request, timeout: 20 }, refuse, () => "nothing")).rejects.toThrow("refused");
    place.away = false;
    expect(
      await idempotentWrite(
        store,
        request,
        async () => '"done"',
        () => "nothing",
      ),
    ).toEqual({ answer: '"done"', replayed: false });
  });
});

describe("a write that another request with its key has begun", () => {
  const begunBy = async (owner: string) => {
    const { store } = lostStore();
    const beginWrite: WriteStore["beginWrite"] = (write, forget) => store.beginWrite({ ...write, owner }, forget);
    await idempotentWrite({ ...store, beginWrite }, { ...request, timeout: 20 }, never, () => "in_doubt").catch(() => undefined);
    return idempotentWrite(store, { ...request, timeout: 0 }, never, () => "nothing");
  };

  it("is under way as long as its process runs, and the caller may ask again in a second", async () => {
    await expect(begunBy(newOwner())).rejects.toMatchObject({ code: "idempotency_running", retryAfter: 1 });
  });

  it("is in doubt when its process has ended and a later one has its number", async () => {
    await expect(begunBy(`${hostname()}:${process.pid}:another run:1`)).rejects.toMatchObject({ code: "in_doubt" });
  });
});

describe("what is stored while the database may be away", () => {
  const away = async () => Promise.reject(new TenonError("database_unavailable", "away", {}));
  const broken = async () => Promise.reject(new Error("broken"));

  it("is given up at its time, and at once for any other error", async () => {
    expect([await retryWhileAway(away, 0), await retryWhileAway(broken, Number.POSITIVE_INFINITY)]).toEqual([false, false]);
    expect(await retryWhileAway(() => Promise.resolve(), 0)).toBe(true);
  });
});
