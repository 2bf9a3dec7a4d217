import { IncomingMessage } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { request, statuses, viewer } from "../../support/http.ts";
import { useHttp } from "../../support/use-http.ts";

const { start, open } = useHttp();
afterEach(() => void vi.restoreAllMocks());

const chunked = "Transfer-Encoding: chunked";
const chunks = (count: number, text: string) => `${text.length.toString(16)}\r\n${text}\r\n`.repeat(count);
const tokenHead = `POST /api/v1/account/applications/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${chunked}\r\n\r\n`;

/** Counts the pieces of bodies that Node hands to requests. */
function countedPieces(): () => number {
  const push = vi.spyOn(IncomingMessage.prototype, "push");
  return () => push.mock.calls.filter(([piece]) => piece !== null).length;
}

describe("a body in chunks of one byte", () => {
  it.each([
    ["whose sender is not known", Buffer.from(tokenHead + chunks(50_000, "1"))],
    ["of a caller", request(chunks(50_000, " "), [chunked])],
    ["that is dropped", request(chunks(50_000, " "), [chunked], "a-wrong-key")],
  ])("%s ends its connection at the first too many, and the rest costs nothing", async (_whose, sent) => {
    const http = await start();
    const pieces = countedPieces();
    const wire = await open(http, sent);
    await wire.closed.catch(() => undefined);
    expect(pieces()).toBeLessThanOrEqual(1_000);
    expect(http.lines.filter(({ reason }) => reason === "SMALL_PIECES").length).toBeLessThanOrEqual(1);
  });

  it("gets an error while nothing was sent", async () => {
    const http = await start();
    const wire = await open(http, request(chunks(3_000, " "), [chunked]));
    await wire.closed.catch(() => undefined);
    expect(wire.text()).toContain("too many small pieces");
    expect(statuses(wire.text())).toEqual([400]);
  });

  it("is read when it is short, and after it the next one of the connection", async () => {
    const http = await start();
    const body = `${[...viewer].map((one) => chunks(1, one)).join("")}0\r\n\r\n`;
    const wire = await open(http, "");
    for (let count = 1; count <= 12; count++) {
      wire.socket.write(request(body, [chunked]));
      await vi.waitFor(() => expect(statuses(wire.text())).toEqual(Array.from({ length: count }, () => 200)), {
        timeout: 30_000,
      });
    }
  });
});

it("a long body may come in any number of chunks that are not small", async () => {
  const http = await start();
  const body = `${chunks(3_000, " ".repeat(64))}${chunks(1, viewer)}0\r\n\r\n`;
  const wire = await open(http, request(body, [chunked]));
  await vi.waitFor(() => expect(statuses(wire.text())).toEqual([200]), { timeout: 30_000 });
});
