import { expect, it } from "vitest";
import { serviceDocument } from "../../../runtime/server/openapi/document.ts";
import { errorPages } from "../../../runtime/site/pages/errors.ts";

it("the page of each error shows a response with all members that every response to an error has", async () => {
  const { components } = JSON.parse(await serviceDocument(new Map(), "test")) as {
    readonly components: { readonly schemas: Readonly<Record<string, { readonly required: readonly string[] }>> };
  };
  const required = components.schemas["tenon.problem"]?.required ?? [];
  expect(required).toContain("what_to_do");
  for (const { path, markdown } of errorPages()) {
    const [, sample = ""] = /^```json\n(.*?)^```$/ms.exec(markdown) ?? [];
    expect(Object.keys(JSON.parse(sample) as object).sort(), path).toEqual(required.toSorted());
  }
});
