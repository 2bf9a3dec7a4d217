import type { RequestHandler } from "express";
import { TenonError } from "../base/errors.ts";

/** Refuses every request to an address with other methods than these. @param methods with commas between */
export function allowOnly(methods: string): RequestHandler {
  return (_request, response, next) => {
    response.setHeader("Allow", methods);
    next(new TenonError("method_not_allowed", `This address takes ${methods}.`));
  };
}
