import { expect, it } from "vitest";
import { multipartOf } from "../../../runtime/execute/multipart.ts";

it("a body of parts has a file, a text for each value and element, objects as JSON, and nothing for what is absent", async () => {
  const file = { param: "file", name: "upload", file: true } as const;
  const given = {
    file: { name: 'a"b\r\nc.txt', content: Buffer.from("content").toString("base64"), contentType: "text/plain" },
    title: "t",
    tags: ["a", null, "b"],
    size: 5,
    owner: { id: 7 },
    gone: null,
  };
  const { type, bytes } = multipartOf([file, "title", "tags", "size", "owner", "gone", "missing"], given, { kind: "k" });
  const form = await new Response(Buffer.from(bytes ?? ""), { headers: { "content-type": type } }).formData();
  const upload = form.get("upload") as File;
  expect([upload.type, await upload.text()]).toEqual(["text/plain", "content"]);
  expect(String(bytes)).toContain('filename="a%22b%0D%0Ac.txt"');
  expect([...form].slice(1)).toEqual([
    ["title", "t"],
    ["tags", "a"],
    ["tags", "b"],
    ["size", "5"],
    ["owner", '{"id":7}'],
    ["kind", "k"],
  ]);
});

it("what should be a file and is none is a text", async () => {
  const { type, bytes } = multipartOf([{ param: "file", name: "file", file: true }], { file: "text" }, {});
  const form = await new Response(Buffer.from(bytes ?? ""), { headers: { "content-type": type } }).formData();
  expect([...form]).toEqual([["file", "text"]]);
});

it("a file without a media type is any bytes", () => {
  const { bytes } = multipartOf([{ param: "f", name: "f", file: true }], { f: { name: "n", content: "" } }, {});
  expect(String(bytes)).toContain("Content-Type: application/octet-stream\r\n\r\n\r\n");
});
