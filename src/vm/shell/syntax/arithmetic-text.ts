import type { ArithmeticText, WordPart } from "./ast.ts";
import { readTemplate } from "./read-quoted.ts";
import type { Scanner } from "./scanner.ts";

/** Arithmetic text; what is to be expanded in it is read when it is first asked for. */
export function arithmeticText(text: string, scanner: Scanner): ArithmeticText {
  if (!/[$`\\"]/.test(text)) return { text, parts: undefined };
  const line = scanner.line();
  let parts: readonly WordPart[] | undefined;
  return {
    text,
    get parts() {
      parts ??= readTemplate(scanner.over(text, line));
      return parts;
    },
  };
}
