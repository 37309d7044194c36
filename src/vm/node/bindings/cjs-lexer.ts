import { parse } from "cjs-module-lexer";
import type { Binding } from "./base.ts";

export const cjsLexer = (): Binding => ({
  parse(source: string): [Set<string>, string[]] {
    const { exports, reexports } = parse(source);
    return [new Set(exports), reexports];
  },
});
