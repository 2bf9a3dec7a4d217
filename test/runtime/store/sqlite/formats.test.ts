import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { prepareFile } from "../../../../runtime/store/sqlite/tables/schema.ts";

const first = "CREATE TABLE things (id INTEGER PRIMARY KEY); INSERT INTO things VALUES (7)";
const second = "ALTER TABLE things ADD COLUMN name TEXT NOT NULL DEFAULT 'none'";

describe("formats of the file", () => {
  it("follow each other: a file of an older version gets the steps that it lacks, and keeps what it has", () => {
    const db = new Database(":memory:");
    prepareFile(db, [first]);
    prepareFile(db, [first, second]);
    prepareFile(db, [first, second]);
    expect(db.prepare("SELECT * FROM things").all()).toEqual([{ id: 7, name: "none" }]);
    expect(db.pragma("user_version", { simple: true })).toBe(2);
    db.close();
  });

  it("are refused when they are newer, or older than the first release, and the file stays as it is", () => {
    const newer = new Database(":memory:");
    prepareFile(newer, [first, second]);
    expect(() => prepareFile(newer, [first])).toThrow(
      "was written by a newer version of Tenon (format 2, this one reads up to 1)",
    );
    newer.close();

    for (const id of [0x74656e6e, 0x74656e72]) {
      const earlier = new Database(":memory:");
      earlier.exec(first);
      earlier.pragma(`application_id = ${id}`);
      earlier.pragma("user_version = 1");
      const message = "was written before the first release of Tenon; move it away, and the next sync makes a new one";
      expect(() => prepareFile(earlier)).toThrow(message);
      expect(earlier.prepare("SELECT count(*) AS count FROM sqlite_schema").get()).toEqual({ count: 1 });
      earlier.close();
    }
  });
});
