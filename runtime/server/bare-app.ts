import { randomUUID } from "node:crypto";
import express, { type Express } from "express";

/** An Express application without routes. Each of its answers has an id of its own, as those of the service have. */
export function bareApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.use((_request, response, next) => {
    response.locals["requestId"] = randomUUID();
    next();
  });
  return app;
}
