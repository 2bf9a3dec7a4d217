import type { OnnxAnswer, OnnxRequest } from "../../../runtime/semantic/onnx-messages.ts";

// Stands for the process of a transformer, which needs packages that are not installed. Some texts tell it what to do.

const answer = (message: OnnxAnswer) => void process.send?.(message);

process.on("message", (request: OnnxRequest) => {
  if (request.kind === "open") return answer({ kind: "opened", name: "fake", dims: 2 });
  const { id, texts } = request;
  if (texts.includes("hang")) return;
  if (texts.includes("end")) process.exit(3);
  if (texts.includes("fail")) return answer({ kind: "failed", id, message: "no vector" });
  answer({ kind: "embedded", id, vectors: texts.map((text) => Float32Array.of(text.length, 0)), cut: texts.includes("cut") });
});
