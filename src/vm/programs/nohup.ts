import {
  isKernelError,
  O_APPEND,
  O_CREAT,
  O_RDONLY,
  O_WRONLY,
  signals,
} from "../../kernel/index.ts";
import { becomeCommand } from "./become-command.ts";
import { isTerminal } from "./is-terminal.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

const FAILED = 125;

export const main = defineProgram(
  {
    name: "nohup",
    usage: ["COMMAND [ARG]...", "OPTION"],
    summary: "Run COMMAND, ignoring hangup signals.",
    options: [],
    refusal: FAILED,
    stopsAtOperand: true,
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("missing operand");
    const { sys } = run;
    const [hasInput, hasOutput, hasErrors] = [
      await isTerminal(sys, 0),
      await isTerminal(sys, 1),
      await isTerminal(sys, 2),
    ];
    if (hasInput) {
      const fd = await sys.open("/dev/null", O_RDONLY);
      await sys.dup2(fd, 0);
      await sys.close(fd);
      if (!hasOutput) await run.warn("ignoring input");
    }
    if (hasOutput && !(await redirectOutput(run, hasInput))) return FAILED;
    if (hasErrors) {
      if (!hasOutput) await run.warn("redirecting stderr to stdout");
      await sys.dup2(1, 2);
    }
    await sys.sigaction(signals.SIGHUP, "ignore");
    return becomeCommand(run, run.operands);
  },
);

/** To nohup.out here, or at home where that cannot be written. */
async function redirectOutput(run: Run, hasInput: boolean): Promise<boolean> {
  const { sys } = run;
  const home = (await sys.environ()).get("HOME");
  const prefix = hasInput ? "ignoring input and " : "";
  for (const path of ["nohup.out", ...(home === undefined ? [] : [`${home}/nohup.out`])]) {
    try {
      const fd = await sys.open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600);
      await sys.dup2(fd, 1);
      await sys.close(fd);
      await run.warn(`${prefix}appending output to ${quoteName(path)}`);
      return true;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await run.warn(`failed to open ${quoteName(path)}: ${errorWords(error)}`);
    }
  }
  return false;
}
