import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answerer, fakeInstance, run } from "../support/fake-instance.ts";

// A platform of numbered records behind two kinds of lists, that fails now and then: every walk returns every record once, in order.

interface Variables {
  readonly first: number;
  readonly after?: string;
  readonly size: number;
  readonly parent?: string;
  readonly inside?: string;
}

const variablesOf = (body: unknown) => (body as { variables: Variables }).variables;
const page = (all: readonly unknown[], first: number, after: string | undefined) => {
  const start = after === undefined ? 0 : Number(after.slice(1)) + 1;
  const some = all.slice(start, start + first);
  return {
    start,
    some,
    hasNextPage: start + some.length < all.length,
    endCursor: some.length === 0 ? null : `c${start + some.length - 1}`,
  };
};

/** Refuses pages above a size, as a platform does that is overloaded by them. */
type Trouble = { readonly above: number; readonly how: "502" | "heavy" | "none" };
function refused(size: number, trouble: Trouble): Response | object | undefined {
  if (trouble.how === "none" || size <= trouble.above) return undefined;
  if (trouble.how === "502")
    return new Response("<html>Bad gateway</html>", { status: 502, headers: { "content-type": "text/html" } });
  return { data: null, errors: [{ type: "RESOURCE_LIMITS_EXCEEDED", message: "Too much." }] };
}

/** More than the longest of these walks has: 70 threads of 130 comments, one by one. */
const mostPages = 10_000;

async function walk(
  answer: Answerer,
  request: { entity: string; action: string; params: Record<string, unknown> },
  sizes: readonly number[],
): Promise<{ numbers: unknown[]; lengths: number[]; ends: unknown[] }> {
  const { instance } = fakeInstance(answer);
  const numbers: unknown[] = [];
  const lengths: number[] = [];
  const ends: unknown[] = [];
  let after: string | undefined;
  for (let step = 0; step < mostPages; step++) {
    const per_page = sizes[step % sizes.length] ?? 30;
    const { data, meta } = await run(instance, {
      ...request,
      params: { ...request.params, per_page, ...(after === undefined ? {} : { after }) },
    });
    const rows = data as readonly { number?: number; body?: string }[];
    numbers.push(...rows.map((row) => row.number ?? row.body));
    lengths.push(rows.length);
    expect(rows.length).toBeLessThanOrEqual(per_page);
    if (meta["has_next_page"] !== true) return { numbers, lengths, ends: [...ends, meta["end_cursor"]] };
    // A platform that gives few at a time may end a page early; then the answer says so.
    if (rows.length < per_page) expect(meta.warnings).toEqual([expect.objectContaining({ code: "short_page" })]);
    after = String(meta["end_cursor"]);
    ends.push(after);
  }
  throw new Error("the walk does not end");
}

const troubles = fc.record({
  above: fc.integer({ min: 1, max: 40 }),
  how: fc.constantFrom("502" as const, "heavy" as const, "none" as const),
});
const pageSizes = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 4 });
const where = { owner: "octocat", repo: "hello-world" };

describe("walks", () => {
  it("through a connection return every record once, though pages are halved", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 250 }),
        pageSizes,
        troubles.filter((one) => one.how !== "502"),
        async (count, sizes, trouble) => {
          const all = Array.from({ length: count }, (_, number) => ({ number }));
          const { numbers, ends } = await walk(
            ({ body }) => {
              const { first, after } = variablesOf(body);
              const { some, hasNextPage, endCursor } = page(all, first, after);
              return (
                refused(first, trouble) ?? {
                  data: { repository: { issues: { nodes: some, pageInfo: { hasNextPage, endCursor } } } },
                }
              );
            },
            { entity: "issues", action: "list", params: { ...where, fields: ["number"] } },
            sizes,
          );
          expect(numbers).toEqual(all.map((one) => one.number));
          expect(ends.at(-1)).toBeNull();
        },
      ),
      { numRuns: 60 },
    );
  });

  it("through a list of lists return every record once, in order, and end where there is nothing more", async () => {
    const threads = fc.array(fc.integer({ min: 0, max: 130 }), { maxLength: 70 });
    await fc.assert(
      fc.asyncProperty(
        threads,
        pageSizes,
        troubles.filter((one) => one.how !== "502"),
        async (sizesOfThreads, sizes, trouble) => {
          const all = sizesOfThreads.map((size, thread) => Array.from({ length: size }, (_, index) => `${thread}.${index}`));
          const inner = (thread: number, first: number, after: string | undefined) => {
            const { start, some, hasNextPage } = page(all[thread] ?? [], first, after);
            return {
              edges: some.map((body, index) => ({ cursor: `c${start + index}`, node: { body } })),
              pageInfo: { hasNextPage },
            };
          };
          const { numbers } = await walk(
            ({ body }) => {
              const { first, after, size, parent, inside } = variablesOf(body);
              const bad = refused(Math.max(first ?? 0, size), trouble);
              if (bad !== undefined) return bad;
              if (parent !== undefined) return { data: { node: { comments: inner(Number(parent), size, inside) } } };
              const { start, some, hasNextPage, endCursor } = page(all, first, after);
              const edges = some.map((_, index) => ({
                cursor: `c${start + index}`,
                node: { id: String(start + index), comments: inner(start + index, size, undefined) },
              }));
              return {
                data: { repository: { pullRequest: { reviewThreads: { edges, pageInfo: { hasNextPage, endCursor } } } } },
              };
            },
            { entity: "pr_comments", action: "list", params: { ...where, number: 1, fields: ["body"] } },
            sizes,
          );
          expect(numbers).toEqual(all.flat());
        },
      ),
      { numRuns: 60 },
    );
  });

  it("report records that the platform left out, and lose no other", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), async (present) => {
        fc.pre(present.some(Boolean));
        const nodes = present.map((there, number) => (there ? { number } : null));
        const { instance } = fakeInstance(() => ({
          data: { repository: { issues: { nodes, pageInfo: { hasNextPage: false, endCursor: null } } } },
        }));
        const { data, meta } = await run(instance, {
          entity: "issues",
          action: "list",
          params: { ...where, per_page: 60, fields: ["number"] },
        });
        expect(data).toEqual(nodes.filter((node) => node !== null));
        const missing = present.filter((there) => !there).length;
        expect(meta.warnings ?? []).toEqual(
          missing === 0
            ? []
            : [
                expect.objectContaining({
                  path: "data",
                  code: "record_missing",
                  message: expect.stringContaining(`${missing} of`) as string,
                }),
              ],
        );
      }),
    );
  });
});
