import { UsageError } from "../options.ts";
import type { FindFile } from "./file.ts";
import type { Test } from "./test.ts";

/** `5`, `+5` (more) or `-5` (less), of the test that `word` names. */
export function numberTest(word: string, text: string, value: (file: FindFile) => number): Test {
  const match = /^([-+]?)(\d+(?:\.\d+)?)$/.exec(text);
  if (match === null) throw refusal(`invalid argument \`${text}' to \`${word}'`);
  const wanted = Number(match[2]);
  if (match[1] === "+") return (file) => value(file) > wanted;
  if (match[1] === "-") return (file) => value(file) < wanted;
  return (file) => value(file) === wanted;
}

export function refusal(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}
