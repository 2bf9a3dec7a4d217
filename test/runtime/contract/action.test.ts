import { expect, it } from "vitest";
import { isSamePlace } from "../../../runtime/contract/action.ts";

it.each([
  ["owner", "owner", true],
  ["owner", "owner.id", true],
  ["filter", "filter[state]", true],
  // A list beside an element of it: both may be sent.
  ["labels", "labels[]", false],
  ["owner", "ownerId", false],
  ["owner", "repo", false],
])("the places %j and %j of a platform are one, or one is inside the other: %j", (one, other, isSame) => {
  expect([isSamePlace(one, other), isSamePlace(other, one)]).toEqual([isSame, isSame]);
});
