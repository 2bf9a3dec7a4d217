import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { TenonError } from "../base/errors.ts";
import { ModelError } from "./model-error.ts";
import type { OnnxAnswer, OnnxRequest } from "./onnx-messages.ts";
import type { EmbeddingProvider } from "./provider.ts";

/** Milliseconds that loading a transformer may take. */
const openTime = 60_000;
/** Variables of the environment that the process of the engine gets. Credentials are none of its business. */
const passed = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot", "TMPDIR", "TEMP"];

type Embedded = Extract<OnnxAnswer, { kind: "embedded" }>;
type Opened = Extract<OnnxAnswer, { kind: "opened" }>;

/**
 * Embeds by a sentence transformer from a folder, through packages that are not installed by default.
 *
 * @param folder as {@link readOnnxFolder} describes it; relative to the working directory
 * @param timeout milliseconds that a prompt, or a batch of passages, may take
 * @param program what its process runs
 * @throws ModelError when the packages are not installed, or the folder cannot be used
 */
export async function onnxProvider(
  folder: string,
  timeout: number,
  program = new URL("./onnx-process.ts", import.meta.url),
): Promise<EmbeddingProvider> {
  const process = new OnnxProcess(resolve(folder), timeout, program);
  const { name, dims } = await process.open();
  return {
    model: name,
    dims,
    longestPrompt: 8_192,
    batch: 16,
    embedPrompt: async (prompt, signal) => {
      const { vectors, cut } = await process.embed([prompt], true, signal);
      return { vector: vectors[0] ?? new Float32Array(dims), cut };
    },
    embedPassages: async (passages, signal) => [...(await process.embed(passages, false, signal)).vectors],
    close: () => process.close(),
  };
}

interface Pending {
  resolve(answer: Embedded): void;
  reject(error: Error): void;
}

/** The process of the engine. It is started anew after it has ended, and does not keep this process alive while it has nothing to do. */
class OnnxProcess {
  readonly #folder: string;
  readonly #timeout: number;
  readonly #program: URL;
  readonly #pending = new Map<number, Pending>();
  #child: ChildProcess | undefined;
  #opening: Promise<Opened> | undefined;
  /** The model as it was opened first. */
  #first: Opened | undefined;
  #next = 0;
  #closed = false;

  constructor(folder: string, timeout: number, program: URL) {
    this.#folder = folder;
    this.#timeout = timeout;
    this.#program = program;
  }

  /** @throws ModelError */
  async open(): Promise<Opened> {
    this.#opening ??= this.#start();
    const opened = await this.#opening;
    this.#first ??= opened;
    if (opened.name !== this.#first.name)
      throw new ModelError(`the files in ${this.#folder} have changed; a new start uses the new model`);
    return opened;
  }

  /** @throws TenonError `embedding_failed`; the reason of the signal */
  async embed(texts: readonly string[], urgent: boolean, signal: AbortSignal): Promise<Embedded> {
    // Why it cannot be opened names files, which are nothing for callers.
    await this.open().catch((thrown: unknown) => {
      throw failed("it cannot be loaded any more", thrown);
    });
    signal.throwIfAborted();
    const child = this.#child;
    if (child === undefined) throw failed("its process has ended");
    const id = this.#next++;
    let timer: NodeJS.Timeout | undefined;
    let abort: (() => void) | undefined;
    try {
      return await new Promise<Embedded>((done, reject) => {
        this.#pending.set(id, { resolve: done, reject });
        abort = () => reject(signal.reason as Error);
        signal.addEventListener("abort", abort, { once: true });
        timer = setTimeout(() => {
          // What does not answer may hang for ever.
          this.#forget(child, failed(`no response within ${this.#timeout} ms`));
          child.kill("SIGKILL");
        }, this.#timeout);
        this.#hold(child);
        send(child, { kind: "embed", id, texts, urgent });
      });
    } finally {
      clearTimeout(timer);
      if (abort !== undefined) signal.removeEventListener("abort", abort);
      this.#pending.delete(id);
      this.#letGo(child);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (child === undefined) return;
    await new Promise<void>((done) => {
      child.once("exit", () => done());
      child.ref();
      child.kill("SIGKILL");
    });
  }

  #start(): Promise<Opened> {
    if (this.#closed) return Promise.reject(new ModelError("it was closed"));
    const env = Object.fromEntries(
      passed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    );
    const child = fork(fileURLToPath(this.#program), [], {
      env,
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child = child;
    return new Promise<Opened>((done, refuse) => {
      const unusable = (problem: string) => {
        refuse(new ModelError(problem));
        child.kill("SIGKILL");
      };
      const timer = setTimeout(() => unusable(`${this.#folder} could not be loaded within ${openTime} ms`), openTime);
      child.on("message", (answer: OnnxAnswer) => {
        if (answer.kind === "opened" || answer.kind === "unusable") {
          clearTimeout(timer);
          if (answer.kind === "unusable") return unusable(answer.problem);
          done(answer);
          return this.#letGo(child);
        }
        const call = this.#pending.get(answer.id);
        if (answer.kind === "failed") call?.reject(failed("it cannot embed a text", new Error(answer.message)));
        else call?.resolve(answer);
      });
      const ended = (how: string) => {
        clearTimeout(timer);
        refuse(new ModelError(`the process of the engine has ended (${how})`));
        this.#forget(child, failed(`its process has ended (${how})`));
      };
      child.on("error", (error) => ended(error.message));
      child.on("exit", (code, signal) => ended(signal ?? String(code)));
      send(child, { kind: "open", folder: this.#folder });
    });
  }

  /** Fails the calls that wait for a process; the next call starts another one. */
  #forget(child: ChildProcess, why: TenonError): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#opening = undefined;
    for (const call of this.#pending.values()) call.reject(why);
  }

  #hold(child: ChildProcess): void {
    child.ref();
    child.channel?.ref();
  }

  #letGo(child: ChildProcess): void {
    if (this.#pending.size > 0) return;
    child.unref();
    child.channel?.unref();
  }
}

/** What cannot be sent is not lost: the end of the process fails every call that waits. */
function send(child: ChildProcess, request: OnnxRequest): void {
  child.send(request, () => undefined);
}

function failed(why: string, cause?: unknown): TenonError {
  return new TenonError("embedding_failed", `The transformer failed: ${why}.`, cause === undefined ? {} : { cause });
}
