import { describe, expect, it } from "vitest";
import { AnswerBudget, AnswerTooLarge, TooManyLargeAnswers } from "../../../runtime/platform/answer-budget.ts";

const beginning = { status: 200, headers: new Headers() };
const mebibyte = 1024 * 1024;

describe("the budget of answers", () => {
  it("bounds one answer", () => {
    const room = new AnswerBudget().of("").open(beginning);
    room.take(16 * mebibyte);
    expect(() => room.take(1)).toThrow(AnswerTooLarge);
  });

  it("bounds all answers together, gives room back, and always has room for small ones", () => {
    const budget = new AnswerBudget();
    const open = (caller: string) => budget.of(caller).open(beginning);
    const rooms = ["a", "b", "c", "d"].map(open);
    for (const room of rooms) room.take(16 * mebibyte);
    const late = open("e");
    expect(() => late.take(2 * mebibyte)).toThrow(TooManyLargeAnswers);
    open("e").take(mebibyte / 4);
    rooms[0]?.close();
    rooms[0]?.close();
    open("e").take(2 * mebibyte);
    expect(() => open("f").take(16 * mebibyte)).toThrow(TooManyLargeAnswers);
  });

  it("leaves room for others, however many large answers one caller gets", () => {
    const budget = new AnswerBudget();
    const greedy = budget.of("greedy");
    for (let nth = 0; nth < 3; nth++) greedy.open(beginning).take(16 * mebibyte);
    expect(() => greedy.open(beginning).take(2 * mebibyte)).toThrow(TooManyLargeAnswers);
    budget
      .of("other")
      .open(beginning)
      .take(16 * mebibyte);
  });
});
