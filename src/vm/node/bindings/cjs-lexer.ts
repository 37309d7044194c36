import { parse } from "cjs-module-lexer";
import type { Binding } from "./base.ts";

export const cjsLexer = (): Binding => ({
  /** Names that a CommonJS source exports and modules it re-exports; none where it cannot be read. */
  parse(source: string): [Set<string>, string[]] {
    try {
      const { exports, reexports } = parse(source);
      return [new Set(exports), reexports];
    } catch {
      return [new Set(), []];
    }
  },
});
