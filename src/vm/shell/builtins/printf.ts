import { formatPrintf } from "../../programs/format-printf.ts";
import { formatTime } from "../../programs/format-time.ts";
import { quoteBackslash } from "../expansion/quote-text.ts";
import { assignElement, assignScalar } from "../state/assign.ts";
import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";
import { writeOutput } from "./echo.ts";

const usage = "printf [-v var] format [arguments]";

export async function printf(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "v:", usage);
  if (flags === undefined) return 2;
  const [format, ...values] = flags.operands;
  if (format === undefined) {
    await shell.write(2, `printf: usage: ${usage}\n`);
    return 2;
  }
  const nowMs = format.includes("T") ? (await shell.sys.clock()).nowMs : 0;
  const { text, errors } = formatPrintf(format, values, {
    quote: quoteBackslash,
    formatTime: (time, seconds) => formatTime(time, seconds === -1 ? nowMs : seconds * 1000),
  });
  for (const error of errors) await shell.complain(`printf: ${error}`);
  const target = flags.values.get("v");
  if (target === undefined)
    return (await writeOutput(shell, "printf", text)) === 0 && errors.length === 0 ? 0 : 1;
  const element = /^([A-Za-z_]\w*)\[(.*)\]$/s.exec(target);
  if (element === null) assignScalar(shell, target, text);
  else
    assignElement(shell, {
      name: element[1] ?? "",
      index: element[2] ?? "",
      value: text,
      isAppend: false,
    });
  return errors.length === 0 ? 0 : 1;
}
