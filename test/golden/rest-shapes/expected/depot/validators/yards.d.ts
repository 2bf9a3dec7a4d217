// Generated from spec/yards.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const listParams: Validator;
export const apiSearchParams: Validator;
