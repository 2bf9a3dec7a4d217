// Generated from spec/slack/reactions.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const addActionParams: Validator;
export const removeActionParams: Validator;
