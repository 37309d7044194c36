import {
  isKernelError,
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_TRUNC,
  O_WRONLY,
  signals,
} from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { writeAll } from "./output.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "tee",
    closesStdin: "standard input",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Copy standard input to each FILE, and also to standard output.",
    options: [
      { short: "a", long: "append", help: "append to the given FILEs, do not overwrite" },
      { short: "i", long: "ignore-interrupts", help: "ignore interrupt signals" },
      { short: "p", help: "operate in a more appropriate MODE with pipes" },
      {
        long: "output-error",
        value: "MODE",
        isOptional: true,
        help: "what to do where writing fails: warn, warn-nopipe,\nexit, exit-nopipe",
      },
    ],
  },
  async (run) => {
    const { sys } = run;
    const mode = readMode(run);
    if (mode !== undefined) await sys.sigaction(signals.SIGPIPE, "ignore");
    if (run.has("ignore-interrupts")) await sys.sigaction(signals.SIGINT, "ignore");
    const targets = new Map<number, string>([[1, "standard output"]]);
    for (const operand of run.operands) {
      try {
        const flags = O_WRONLY | O_CREAT | O_CLOEXEC | (run.has("append") ? O_APPEND : O_TRUNC);
        targets.set(await sys.open(operand, flags, 0o666), operand);
      } catch (error) {
        await run.failOn(error, operand);
        if (mode?.startsWith("exit") === true) return;
      }
    }
    const buffer = new Uint8Array(65_536);
    const read = (): Promise<number> => run.readStdin(buffer);
    for (let count = await read(); count > 0; count = await read()) {
      for (const [fd, name] of [...targets]) {
        if (!(await tryWrite(run, fd, name, buffer.subarray(0, count)))) targets.delete(fd);
        if (run.status !== 0 && mode?.startsWith("exit") === true && !targets.has(fd)) return;
      }
      if (targets.size === 0) return;
    }
  },
);

const modes = ["warn", "warn-nopipe", "exit", "exit-nopipe"];

function readMode(run: Run): string | undefined {
  const text = run.options.get("output-error");
  if (text === undefined) return run.has("p") ? "warn-nopipe" : undefined;
  if (text === "") return "warn-nopipe";
  const matching = modes.filter((one) => one.startsWith(text));
  if (modes.includes(text)) return text;
  if (matching.length === 1) return matching[0];
  const problem = matching.length > 1 ? "ambiguous" : "invalid";
  const valid = modes.map((one) => `  - '${one}'`).join("\n");
  throw new UsageError(
    `${problem} argument '${text}' for '--output-error'\nValid arguments are:\n${valid}`,
  );
}

/** Answers whether the target can still be written to; what is wrong has been said. */
async function tryWrite(run: Run, fd: number, name: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await writeAll(run.sys, fd, bytes);
    return true;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await run.fail(`${name}: ${errorWords(error)}`);
    return false;
  }
}
