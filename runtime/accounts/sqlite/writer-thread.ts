import { serveCalls } from "../../base/serve-calls.ts";
import { type AccountWriterApi, openWriter } from "./writer.ts";

serveCalls<AccountWriterApi, { readonly file: string }>(({ file }) => openWriter(file));
