// What a conversation costs: every turn sends all that came before it.
import type { Conversation } from "./conversation.ts";
import { countTokens } from "./count-tokens.ts";

export interface Bill {
  /** Tool definitions and instructions; part of every request. */
  readonly definitions: number;
  /** The largest request with its answer: what the model's window must hold. */
  readonly context: number;
  /** All requests together, as if nothing were cached. */
  readonly input: number;
  readonly output: number;
  /** Requests to the model, the one it answers with included. */
  readonly turns: number;
  /** Dollars with a perfect prefix cache that is empty at the start. */
  readonly cost: number;
  /** The same, where system prompt and definitions are in the cache already. */
  readonly warmCost: number;
}

/** A host's own system prompt; the same in every arm. */
export const SYSTEM_TOKENS = 300;

/** Relative to a token of input, and what a million of those cost in dollars: common list prices. */
export const PRICES = { cacheWrite: 1.25, cacheRead: 0.1, output: 5, dollarsPerMillion: 3 };

export function bill(conversation: Conversation): Bill {
  const definitions = sum(conversation.definitions.map(countTokens));
  const start =
    SYSTEM_TOKENS +
    definitions +
    countTokens(conversation.notes) +
    countTokens(conversation.prompt);
  const requests = [start];
  const outputs: number[] = [];
  for (const { uses } of conversation.turns) {
    const output = sum(uses.map(({ name, input }) => countTokens(JSON.stringify({ name, input }))));
    outputs.push(output);
    requests.push(
      (requests.at(-1) ?? 0) + output + sum(uses.map((use) => countTokens(use.answer))),
    );
  }
  outputs.push(countTokens(conversation.answer));
  return {
    definitions,
    context: (requests.at(-1) ?? 0) + (outputs.at(-1) ?? 0),
    input: sum(requests),
    output: sum(outputs),
    turns: requests.length,
    cost: dollars(requests, outputs, 0),
    warmCost: dollars(requests, outputs, SYSTEM_TOKENS + definitions),
  };
}

export function addBills(bills: readonly Bill[]): Bill {
  return {
    definitions: Math.max(...bills.map((each) => each.definitions)),
    context: Math.max(...bills.map((each) => each.context)),
    input: sum(bills.map((each) => each.input)),
    output: sum(bills.map((each) => each.output)),
    turns: sum(bills.map((each) => each.turns)),
    cost: sum(bills.map((each) => each.cost)),
    warmCost: sum(bills.map((each) => each.warmCost)),
  };
}

/** Each request reads what the one before it has written to the cache, and writes the rest. */
function dollars(requests: readonly number[], outputs: readonly number[], cached: number): number {
  const { cacheWrite, cacheRead, output, dollarsPerMillion } = PRICES;
  const units = requests.map((request, turn) => {
    const read = turn === 0 ? cached : (requests[turn - 1] ?? 0);
    return read * cacheRead + (request - read) * cacheWrite + (outputs[turn] ?? 0) * output;
  });
  return (sum(units) * dollarsPerMillion) / 1_000_000;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
