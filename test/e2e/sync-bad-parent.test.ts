import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { figma } from "../../generated/figma/index.ts";
import { type Simulated, simulated } from "../support/simulated.ts";

// A REST API that cannot say what belongs to some of the records that it lists itself.

const files = Array.from({ length: 7 }, (_, at) => ({
  key: `file${at}`,
  name: `File ${at}`,
  last_modified: "2026-01-01T00:00:00Z",
}));
const keys = files.map(({ key }) => key);

let platform: Simulated;
let calls: string[] = [];
/** The status with which the platform refuses a file's comments; undefined answers them. */
let statusOf: (file: string) => number | undefined = () => undefined;

beforeEach(async () => {
  calls = [];
  statusOf = () => undefined;
  let owner: string | undefined;
  platform = await simulated(figma, (_method, path) => {
    const [, folder] = /^\/v2\/folders\/([^/]+)\/files$/.exec(path) ?? [];
    if (folder !== undefined) {
      // Only the folder that is asked for first has files.
      owner ??= folder;
      return { files: folder === owner ? files : [] };
    }
    const [, file] = /^\/v1\/files\/([^/]+)\/comments$/.exec(path) ?? [];
    if (file === undefined) return undefined;
    calls.push(file);
    const status = statusOf(file);
    const comment = { id: `of ${file}`, file_key: file, message: "Hello.", created_at: "2026-01-01T00:00:00Z" };
    return status === undefined ? { comments: [comment] } : Response.json({ status, err: "Odd." }, { status });
  });
});
afterEach(() => platform.close());

async function commentsOfSync() {
  calls = [];
  const { entities } = await platform.syncExamples();
  const comments = entities.find(({ entity }) => entity === "comments");
  if (comments === undefined) throw new Error("comments were not synced");
  return { comments, asked: [...new Set(calls)] };
}

describe("a sync in which the platform fails for some parents", () => {
  it.each([
    [404, "not_found"],
    [400, "platform_rejected"],
    [500, "platform_failed"],
  ])("with %i reads the others, removes nothing, and reads all the next time", async (status, code) => {
    for (const bad of ["file0", "file3"]) {
      expect((await commentsOfSync()).comments.outcome).toBe("complete");
      statusOf = (file) => (file === bad ? status : undefined);
      const { asked, comments } = await commentsOfSync();
      expect(asked).toEqual(keys);
      expect(comments).toMatchObject({ outcome: "partial", removed: 0, problem: { code: "partial_results" } });
      expect(comments.problem?.message).toContain(`What belongs to one record of files could not be read (${code}: `);
      expect(comments.problem?.message).not.toContain("--forget");
      statusOf = () => undefined;
      const after = await commentsOfSync();
      expect(after.asked).toEqual(keys);
      expect(after.comments).toMatchObject({ outcome: "complete", removed: 0, inserted: 0, unchanged: 7 });
    }
  });

  it("reads on behind any number of parents that are not found", async () => {
    statusOf = () => 404;
    const { asked, comments } = await commentsOfSync();
    expect(asked).toEqual(keys);
    expect(comments).toMatchObject({ outcome: "partial", inserted: 0 });
    expect(comments.problem?.message).toContain("What belongs to 7 records of files could not be read (not_found: ");
  });

  it("fails soon where the platform is down, and begins anew", async () => {
    statusOf = () => 500;
    const { asked, comments } = await commentsOfSync();
    expect(asked).toEqual(keys.slice(0, 3));
    expect(comments).toMatchObject({ outcome: "failed", problem: { code: "platform_failed" } });
    statusOf = () => undefined;
    const after = await commentsOfSync();
    expect(after.asked).toEqual(keys);
    expect(after.comments).toMatchObject({ outcome: "complete", inserted: 7 });
  });

  it("fails soon where the platform goes down midway, and goes on from there", async () => {
    statusOf = (file) => (file === "file0" ? undefined : 500);
    const down = await commentsOfSync();
    expect(down.asked).toEqual(keys.slice(0, 4));
    expect(down.comments).toMatchObject({ outcome: "failed", problem: { code: "platform_failed" } });
    statusOf = () => undefined;
    const next = await commentsOfSync();
    expect(next.asked).toEqual(keys.slice(3));
    expect(next.comments).toMatchObject({ outcome: "partial", removed: 0 });
    expect((await commentsOfSync()).comments).toMatchObject({ outcome: "complete", removed: 0, inserted: 2 });
  });
});
