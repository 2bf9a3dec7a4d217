import { describe, expect, it } from "vitest";
import { AnswerBudget, AnswerTooLarge, TooManyLargeAnswers } from "../../../runtime/platform/answer-budget.ts";

const beginning = { status: 200, headers: new Headers() };
const mebibyte = 1024 * 1024;

describe("the budget of answers", () => {
  it("bounds one answer", () => {
    const room = new AnswerBudget().open(beginning);
    room.take(16 * mebibyte);
    expect(() => room.take(1)).toThrow(AnswerTooLarge);
  });

  it("bounds all answers together, gives room back, and always has room for small ones", () => {
    const budget = new AnswerBudget();
    const rooms = Array.from({ length: 4 }, () => budget.open(beginning));
    for (const room of rooms) room.take(16 * mebibyte);
    const late = budget.open(beginning);
    expect(() => late.take(2 * mebibyte)).toThrow(TooManyLargeAnswers);
    budget.open(beginning).take(mebibyte / 4);
    rooms[0]?.close();
    rooms[0]?.close();
    budget.open(beginning).take(2 * mebibyte);
    expect(() => budget.open(beginning).take(16 * mebibyte)).toThrow(TooManyLargeAnswers);
  });
});
