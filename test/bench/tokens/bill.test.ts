import { describe, expect, it } from "vitest";
import { addBills, bill, PRICES, SYSTEM_TOKENS } from "../../../bench/tokens/bill.ts";
import type { Conversation } from "../../../bench/tokens/conversation.ts";
import { countTokens } from "../../../bench/tokens/count-tokens.ts";

const conversation: Conversation = {
  definitions: [`{"name":"look"}`],
  notes: "",
  prompt: "What is there?",
  turns: [{ uses: [{ name: "look", input: {}, answer: "a stone" }] }],
  answer: "A stone.",
};

describe("the bill of a conversation", () => {
  const definitions = countTokens(`{"name":"look"}`);
  const first = SYSTEM_TOKENS + definitions + countTokens("What is there?");
  const call = countTokens(`{"name":"look","input":{}}`);
  const second = first + call + countTokens("a stone");
  const last = countTokens("A stone.");

  it("has every request in full, and what the model wrote once", () => {
    expect(bill(conversation)).toMatchObject({
      definitions,
      input: first + second,
      output: call + last,
      turns: 2,
      context: second + last,
    });
  });

  it("costs a read for what the request before has written, and a write for the rest", () => {
    const units =
      first * 1.25 + first * 0.1 + (second - first) * 1.25 + (call + last) * PRICES.output;
    expect(bill(conversation).cost).toBeCloseTo((units * 3) / 1_000_000, 12);
  });

  it("costs a read for definitions that are in the cache at the start", () => {
    const { cost, warmCost } = bill(conversation);
    const saved = (SYSTEM_TOKENS + definitions) * (PRICES.cacheWrite - PRICES.cacheRead);
    expect(cost - warmCost).toBeCloseTo((saved * 3) / 1_000_000, 12);
  });

  it("counts notes and parallel calls once for each request that has them", () => {
    const use = { name: "look", input: {}, answer: "a stone" };
    const twice = { ...conversation, notes: "Look twice.", turns: [{ uses: [use, use] }] };
    const start = first + countTokens("Look twice.");
    expect(bill(twice).input).toBe(start * 2 + 2 * (call + countTokens("a stone")));
  });

  it("is summed task by task, but for what one conversation holds at most", () => {
    const one = bill(conversation);
    expect(addBills([one, one])).toEqual({
      definitions: one.definitions,
      context: one.context,
      input: one.input * 2,
      output: one.output * 2,
      turns: 4,
      cost: one.cost * 2,
      warmCost: one.warmCost * 2,
    });
  });
});
