/** Options of sort whose values are checked though nothing here depends on them. */
import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";

/** Fails with a UsageError in GNU's words. */
export function checkOptions(run: Run): void {
  const { options } = run;
  const separators = options.all("field-separator");
  if (new Set(separators).size > 1) refuse("incompatible tabs");
  checkBatch(options.get("batch-size"));
  const parallel = options.get("parallel");
  if (parallel !== undefined) {
    if (!/^\d+$/.test(parallel)) refuse(`invalid --parallel argument ${quoteText(parallel)}`);
    if (Number(parallel) === 0) refuse("number in parallel must be nonzero");
  }
  const size = options.get("buffer-size");
  if (size !== undefined) checkSize(size, options.spelling("buffer-size"));
}

function checkBatch(text: string | undefined): void {
  if (text === undefined) return;
  if (!/^\d+$/.test(text)) refuse(`invalid --batch-size argument ${quoteText(text)}`);
  if (Number(text) < 2)
    refuse(
      `invalid --batch-size argument ${quoteText(text)}\nsort: minimum --batch-size argument is '2'`,
    );
}

function checkSize(text: string, spelling: string): void {
  if (/^\d+(?:[%bKkMmGgTtPEZY]|[KkMGTPEZY]i?B)?$/.test(text)) return;
  const what = /^\d/.test(text) ? "invalid suffix in" : "invalid";
  refuse(`${what} ${spelling} argument ${quoteText(text)}`);
}

/** What checks writes nothing, and is quiet or not. */
export function refuseCheckCombinations(run: Run): void {
  const { options } = run;
  const words = options.all("check").map((word) => /^[qs]/.test(word));
  const isLoud = options.has("c") || words.includes(false);
  const isQuiet = options.has("C") || words.includes(true);
  if (isLoud && isQuiet) refuse("options '-cC' are incompatible");
  if ((isLoud || isQuiet) && options.has("output"))
    refuse(`options '-${isLoud ? "c" : "C"}o' are incompatible`);
}

function refuse(message: string): never {
  throw new UsageError(message, { hasHint: false });
}
