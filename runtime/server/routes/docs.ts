import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import { TenonError } from "../../base/errors.ts";
import type { Rounds } from "../../base/rounds.ts";
import { slice } from "../answers.ts";
import { networkOfCaller } from "../callers/caller-address.ts";
import { send } from "../headers.ts";
import { sent } from "../streamed.ts";
import { encodings } from "./encodings.ts";
import { isUnchanged } from "./tagged.ts";

/** The documentation that the service shows at `/docs`. */
export interface Docs {
  /** Folder with the built site. Where nothing is built, the pages are not there. */
  readonly folder: URL;
  /** Folder with the pages of the connectors of a project, which come before the pages of the site. */
  readonly own?: URL | undefined;
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

/**
 * The routes below `/docs`. What is not there goes on to the next handler.
 *
 * @param rounds gives the turns in which large files are sent
 */
export function docsRoutes({ folder, own, consoleKey }: Docs, rounds: Rounds): Router {
  const router = Router();
  router.get("/console.json", consoleSettings(consoleKey));
  router.get("/sitemap.xml", sitemapRoute(fileURLToPath(folder)));
  for (const from of own === undefined ? [folder] : [own, folder]) {
    const root = fileURLToPath(from);
    router.use(fileOfPath(root, rounds), express.static(root, { index: "index.html", redirect: true, setHeaders: fileHeaders }));
  }
  return router;
}

/** `GET /` leads to the pages, where they are built. */
export function frontRoute({ folder }: Pick<Docs, "folder">): RequestHandler {
  const front = fileURLToPath(new URL("index.html", folder));
  return async (request, response, next) =>
    request.path === "/" && isRead(request) && (await fileAt(front)) !== undefined ? lead(response, 302, "/docs/") : next();
}

/** Leads a browser to another address of the site. */
function lead(response: Response, status: number, path: string): void {
  response.setHeader("X-Request-Id", String(response.locals["requestId"]));
  response.redirect(status, path);
}

/** Says below `/docs` that the pages are not built, where they are not. */
export function unbuiltDocs({ folder }: Pick<Docs, "folder">): RequestHandler {
  const front = fileURLToPath(new URL("index.html", folder));
  return async (request, _response, next) => {
    if (!isRead(request) || (await fileAt(front)) !== undefined) return next();
    next(new TenonError("unknown_route", "The documentation is not built here. `make docs` builds it in a clone of Tenon."));
  };
}

/** The page for browsers at an address that there is not. Programs get the problem, and so do all where nothing is built. */
export function missingPage({ folder }: Pick<Docs, "folder">): ErrorRequestHandler {
  const page = fileURLToPath(new URL("404.html", folder));
  return async (error: unknown, request, response, next) => {
    if (!(error instanceof TenonError) || error.code !== "unknown_route" || !isRead(request)) return next(error);
    const html = request.accepts(["json", "html"]) === "html" ? await textOf(page) : undefined;
    if (html === undefined) return next(error);
    response.locals["code"] = error.code;
    fileHeaders(response, page);
    response.vary("Accept");
    response.setHeader("Cache-Control", "no-store");
    response.status(404).end(html);
  };
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

/** The text of a file; undefined where it is not there. */
async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}

/**
 * Finds the file of an address. `/docs/errors` is the page `errors.html` rather than the folder beside it, and of a file that the site was
 * built with in compressed forms, the first that the client takes is sent.
 */
function fileOfPath(root: string, rounds: Rounds): RequestHandler {
  return async (request, response, next) => {
    const path = pathOf(request);
    if (!isRead(request) || path === undefined || /\.(br|gz)$/.test(path)) return next("router");
    if (path === "/" && !request.originalUrl.startsWith(`${request.baseUrl}/`)) return lead(response, 301, `${request.baseUrl}/`);
    const page = `${path.replace(/\/$/, "")}.html`;
    if (path.length > 1 && !/\.\w+$/.test(path) && (await fileAt(join(root, page))) !== undefined) {
      // From an address that ends with a slash, the links of the page would lead elsewhere.
      if (path.endsWith("/")) return lead(response, 301, request.baseUrl + encodeURI(path.slice(0, -1)));
      request.url = encodeURI(page);
    } else if (path.endsWith("/")) request.url = encodeURI(`${path}index.html`);
    const file = pathOf(request) ?? path;
    const formOf = async (name: string, ending: string) => ({ name, ending, found: await fileAt(join(root, file + ending)) });
    const [plain, ...forms] = await Promise.all([
      formOf("identity", ""),
      ...encodings.map(({ name, ending }) => formOf(name, ending)),
    ]);
    if (forms.some(({ found }) => found)) response.vary("Accept-Encoding");
    const form = forms.find(({ found, name }) => found && request.acceptsEncodings(name) === name) ?? plain;
    if (form.found !== undefined && form.found.size > large) return sendInTurns(request, response, form.found, rounds);
    request.url = encodeURI(file + form.ending);
    next();
  };
}

/** The path of an address below `/docs`; undefined where it cannot be one of a file of the site. */
function pathOf({ path }: Request): string | undefined {
  try {
    const decoded = decodeURIComponent(path);
    const isStrange = decoded.includes("\0") || decoded.includes("/.") || normalize(decoded) !== decoded;
    return isStrange ? undefined : decoded;
  } catch {
    return undefined;
  }
}

interface Found {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** The file at a path; undefined where there is none. */
async function fileAt(path: string): Promise<Found | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? { path, size: found.size, mtimeMs: found.mtimeMs } : undefined;
}

/** A file of more bytes is sent in turns. */
const large = 64 * 1024;

/**
 * Sends a file slice by slice, each in a turn of the caller's network: anybody may request the index of the search any number of times, and
 * other requests come in between.
 */
async function sendInTurns(request: Request, response: Response, { path, size, mtimeMs }: Found, rounds: Rounds): Promise<void> {
  fileHeaders(response, path);
  if (isUnchanged(request, response, `${size}-${mtimeMs}`)) return;
  response.setHeader("Content-Length", size);
  const network = networkOfCaller(request, response);
  if (request.method !== "HEAD")
    for await (const piece of createReadStream(path, { highWaterMark: slice })) {
      await rounds.take(network, () => sent(response, piece));
      if (response.destroyed) return;
    }
  response.end();
}

const types: Readonly<Record<string, string>> = { ".md": "text/markdown; charset=utf-8" };

function fileHeaders(response: Response, path: string): void {
  const form = encodings.find(({ ending }) => path.endsWith(ending));
  const plain = form === undefined ? path : path.slice(0, -form.ending.length);
  if (form !== undefined) response.setHeader("Content-Encoding", form.name);
  response.type(types[extname(plain)] ?? extname(plain));
  response.setHeader("X-Request-Id", String(response.locals["requestId"]));
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Referrer-Policy", "no-referrer");
  response.setHeader("Content-Security-Policy", policy);
  // The name of an asset has a hash of its content.
  response.setHeader("Cache-Control", /\.[\da-f]{10}\.\w+$/.test(plain) ? "public, max-age=31536000, immutable" : "no-cache");
}

/** `GET /docs/sitemap.xml`: the pages by their whole addresses. Those that the site was built without begin with the host asked for. */
function sitemapRoute(root: string): RequestHandler {
  return async (request, response, next) => {
    const text = await textOf(join(root, "sitemap.xml"));
    const base = `${request.protocol}://${request.host}${request.baseUrl}/`;
    if (text === undefined || !URL.canParse(base)) return next();
    send(response, "application/xml; charset=utf-8", text.replaceAll(/<loc>(?!https?:)/g, `<loc>${new URL(base).href}`));
  };
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
