import { expect, it } from "vitest";
import { z } from "zod";
import { withPlainError } from "../../../src/mcp-server/transports/plain-errors.ts";

const answer = (code: number, message: string) =>
  ({ jsonrpc: "2.0", id: 1, error: { code, message } }) as const;

const findings = (value: unknown): string => {
  const params = z.object({ uri: z.string(), ref: z.union([z.string(), z.number()]) });
  return z.object({ params }).safeParse({ params: value }).error?.message ?? "";
};

it.each([
  [
    answer(-32603, findings({ uri: 5, ref: 1 })),
    "params.uri: Invalid input: expected string, received number",
  ],
  [
    answer(-32602, `Invalid tools/call request: ${findings({})}`),
    "params.uri: Invalid input: expected string, received undefined; params.ref: Invalid input",
  ],
])("says what is wrong with parameters in a sentence", (message, problem) => {
  expect(withPlainError(message)).toEqual(answer(-32602, `The parameters are wrong: ${problem}.`));
});

it.each([
  answer(-32603, "Something else failed."),
  answer(-32603, "[\n not JSON"),
  answer(-32602, "Tool nope not found"),
  { jsonrpc: "2.0", id: 1, result: {} } as const,
])("leaves %j as it is", (message) => {
  expect(withPlainError(message)).toBe(message);
});
