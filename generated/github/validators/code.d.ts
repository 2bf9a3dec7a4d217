// Generated from spec/github/code.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const apiSearchParams: Validator;
