import { describe, expect, it } from "vitest";
import {
  bytesOfTokens,
  defaultOutputTokens,
  estimateTokens,
} from "../../../src/mcp-server/presentation/tokens.ts";

describe("tokens", () => {
  it("stand for bytes: what an answer shows by default is 30 KB", () => {
    expect(bytesOfTokens(defaultOutputTokens)).toBe(30_000);
    expect(estimateTokens("x".repeat(30_000))).toBe(defaultOutputTokens);
    expect(estimateTokens("ü")).toBe(1);
  });
});
