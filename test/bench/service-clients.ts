import { connect, type Socket } from "node:net";

// Slow and broken clients, as they come to every service that is on the internet.

/** How many there are, and what they send in a second, over all of them. It is little work: what hurts is what they do not do. */
const resets = 50;
const wrongTokens = 50;
const slow = 100;
const ahead = 10;

/** Starts the clients. @returns a function that ends them */
export function startBadClients(url: string, path: string, token: string): () => void {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const open = (text: string, reads = true): Socket => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    if (reads) socket.resume();
    else socket.pause();
    return socket;
  };
  const request = (body: string, given = token, length = body.length) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${given}\r\nContent-Length: ${length}\r\n\r\n${body}`;
  const large = request('{"entity":"issues","action":"context_store_search","params":{"query":{},"limit":500}}');
  const small = request(
    '{"entity":"issues","action":"context_store_search","params":{"query":{},"limit":1,"fields":["number"]}}',
  );
  // Those that send their headers or their body byte by byte, and those that do not read what they asked for.
  const dripping = () =>
    Array.from({ length: slow }, (_, nth) => open(nth % 2 === 0 ? "POST / HTTP/1.1\r\nX: " : request("{", token, 500)));
  let drips = dripping();
  const unread = Array.from({ length: slow }, () => open(large, false));
  const timers = [
    setInterval(() => {
      for (const socket of drips) if (!socket.destroyed) socket.write("x");
      if (drips.every(({ destroyed }) => destroyed)) drips = dripping();
    }, 1000),
    setInterval(() => {
      const socket = open(request('{"entity":', token, 5_000));
      setTimeout(() => socket.resetAndDestroy(), 5);
    }, 1000 / resets),
    setInterval(() => {
      const socket = open(request("{}", "wrong"));
      socket.once("data", () => socket.end());
    }, 1000 / wrongTokens),
    setInterval(() => void open(small.repeat(ahead)), 1000),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
    for (const socket of [...sockets, ...unread]) socket.destroy();
  };
}

/** What the clients are, in words. */
export const badClients = `${slow} that drip, ${slow} that do not read 1 MB answers, ${resets} resets and ${wrongTokens} wrong tokens a second, one connection a second with ${ahead} requests sent ahead`;
