import { decodeText, isKernelError } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { errorWords, quoteName, type Run } from "./program.ts";
import { readAllBytes } from "./read-all.ts";

/** The names listed in a file (`-` is fd 0), each ended by `end`. Fails with a UsageError. */
export async function readNames(run: Run, file: string, end = "\0"): Promise<string[]> {
  let text = "";
  try {
    await run.withInput(file, async (fd) => {
      text = decodeText(await readAllBytes(run.sys, fd));
    });
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`cannot open ${quoteName(file)} for reading: ${errorWords(error)}`, {
      hasHint: false,
    });
  }
  const names = text.split(end);
  if (names.at(-1) === "") names.pop();
  return names;
}
