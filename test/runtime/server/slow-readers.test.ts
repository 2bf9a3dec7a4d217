import { EventEmitter } from "node:events";
import { createServer } from "node:net";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BoundedLog } from "../../../runtime/server/connections/bounded-log.ts";
import { endSlowReaders } from "../../../runtime/server/connections/slow-readers.ts";

// Which connections are ended, on a clock of the test.

const timeout = 30_000;

class FakeSocket extends EventEmitter {
  bytesWritten = 0;
  writableLength = 0;
  ended = false;

  /** An answer, or a slice of one, is handed to the connection. */
  write(bytes: number): void {
    this.bytesWritten += bytes;
    this.writableLength += bytes;
  }

  /** The caller has taken everything. */
  drain(): void {
    this.writableLength = 0;
  }

  destroy(): void {
    this.ended = true;
    this.emit("close");
  }
}

let socket: FakeSocket;
beforeEach(() => {
  vi.useFakeTimers();
  const server = createServer();
  endSlowReaders(server, timeout, new BoundedLog(pino({ level: "silent" })));
  socket = new FakeSocket();
  server.emit("connection", socket);
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a connection", () => {
  it("ends when its caller reads none of the waiting data for the whole timeout", () => {
    socket.write(100);
    vi.advanceTimersByTime(timeout - 1000);
    expect(socket.ended).toBe(false);
    vi.advanceTimersByTime(3000);
    expect(socket.ended).toBe(true);
  });

  it("does not end while its caller reads slowly, although data waits all the time", () => {
    for (let round = 0; round < 10; round++) {
      socket.drain();
      socket.write(100);
      vi.advanceTimersByTime(timeout - 2000);
    }
    expect(socket.ended).toBe(false);
  });

  it("does not end while no data waits, however long a request takes", () => {
    socket.write(100);
    socket.drain();
    vi.advanceTimersByTime(10 * timeout);
    expect(socket.ended).toBe(false);
    socket.write(100);
    vi.advanceTimersByTime(timeout - 2000);
    expect(socket.ended).toBe(false);
  });
});
