import { expect, it } from "vitest";
import type { OnnxAnswer } from "../../../runtime/semantic/onnx-messages.ts";
import { OnnxQueue } from "../../../runtime/semantic/onnx-queue.ts";

/** A queue whose vectors are the lengths of the texts. Texts that contain "!" fail, and those of more than five characters are cut. */
function queueOf() {
  const embedded: string[] = [];
  const answers: OnnxAnswer[] = [];
  const queue = new OnnxQueue(
    async (text) => {
      embedded.push(text);
      if (text.includes("!")) throw new Error(`no vector for ${text}`);
      // What is embedded again and again would never end.
      if (embedded.length > 20) throw new Error("too many texts");
      return { vector: Float32Array.of(text.length), cut: text.length > 5 };
    },
    (answer) => answers.push(answer),
  );
  const add = (id: number, texts: readonly string[], urgent = false) => queue.add({ kind: "embed", id, texts, urgent });
  return { add, embedded, answers };
}

const vectors = (...lengths: readonly number[]) => lengths.map((length) => Float32Array.of(length));

it("embeds texts in their order, and says whether one of them was cut", async () => {
  const { add, answers } = queueOf();
  add(1, ["a", "bb", "ccc"]);
  add(2, ["a long one", "b"]);
  add(3, []);
  await expect.poll(() => answers).toHaveLength(3);
  expect(answers).toEqual([
    { kind: "embedded", id: 1, vectors: vectors(1, 2, 3), cut: false },
    { kind: "embedded", id: 2, vectors: vectors(10, 1), cut: true },
    { kind: "embedded", id: 3, vectors: [], cut: false },
  ]);
});

it("embeds an urgent text after the one that is being embedded", async () => {
  const { add, embedded, answers } = queueOf();
  add(1, ["a", "b", "c"]);
  add(2, ["last"]);
  add(3, ["first"], true);
  await expect.poll(() => answers).toHaveLength(3);
  expect(embedded).toEqual(["a", "first", "b", "c", "last"]);
  expect(answers.map((answer) => "id" in answer && answer.id)).toEqual([3, 1, 2]);
});

it("goes on after a text that fails, also when it had nothing to do meanwhile", async () => {
  const { add, embedded, answers } = queueOf();
  add(1, ["a", "b!", "c"]);
  add(2, ["d"]);
  await expect.poll(() => answers).toHaveLength(2);
  expect(answers).toEqual([
    { kind: "failed", id: 1, message: "no vector for b!" },
    { kind: "embedded", id: 2, vectors: vectors(1), cut: false },
  ]);
  add(3, ["e"]);
  await expect.poll(() => answers).toHaveLength(3);
  expect(embedded).toEqual(["a", "b!", "d", "e"]);
});
