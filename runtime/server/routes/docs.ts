import { fileURLToPath } from "node:url";
import express, { type RequestHandler, type Response, Router } from "express";
import { send } from "../headers.ts";

/** The documentation that the service shows at `/docs`. */
export interface Docs {
  /** Folder with the built site. Where nothing is built, the pages are not there. */
  readonly folder: URL;
  /**
   * The key with which the consoles of the pages send requests: only where every platform is simulated, so that whoever sees it can read
   * and change nothing real. Otherwise the reader types a key.
   */
  readonly consoleKey: string | undefined;
}

/** Scripts and styles come from the site itself only, and nothing may show the pages in a frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The routes below `/docs`. What is not there goes on to the next handler. */
export function docsRoutes({ folder, consoleKey }: Docs): Router {
  const router = Router();
  router.get("/console.json", consoleSettings(consoleKey));
  router.use(
    express.static(fileURLToPath(folder), {
      extensions: ["html"],
      index: "index.html",
      redirect: true,
      setHeaders: (response: Response, path) => {
        response.setHeader("X-Request-Id", String(response.locals["requestId"]));
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Content-Security-Policy", policy);
        response.setHeader("Cache-Control", "no-cache");
        if (path.endsWith(".md")) response.setHeader("Content-Type", "text/markdown; charset=utf-8");
      },
    }),
  );
  return router;
}

const loopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const localHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/**
 * `GET /docs/console.json`: tells the console of a page that the service itself shows it. The key is given only to a browser on the same
 * machine that also asked for this machine by name: a page of another site whose name was made to lead here (DNS rebinding) has its own
 * name in `Host`. A request that a proxy has forwarded may come from anywhere.
 */
function consoleSettings(key: string | undefined): RequestHandler {
  return ({ socket, headers, httpVersion }, response) => {
    const near = loopback.test(socket.remoteAddress ?? "") && localHost.test(headers.host ?? "");
    const direct = httpVersion === "1.1" && headers.connection === "keep-alive" && Object.keys(headers).every(isOfBrowser);
    send(response, "application/json; charset=utf-8", JSON.stringify(near && direct && key !== undefined ? { key } : {}));
  };
}

/**
 * The headers that browsers send by themselves with a request of a page. Proxies add others, under many names (`Via`, `X-Real-IP`,
 * `CF-Connecting-IP`), so that any other one counts as a sign of a proxy. One that adds none speaks HTTP/1.0 or closes its connections.
 */
const browserHeaders = new Set(
  "host connection user-agent accept cookie referer origin dnt priority pragma cache-control if-none-match upgrade-insecure-requests".split(
    " ",
  ),
);

function isOfBrowser(name: string): boolean {
  return browserHeaders.has(name) || name.startsWith("accept-") || name.startsWith("sec-");
}
