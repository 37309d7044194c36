import {
  findSignalName,
  findSignalNumber,
  isKernelError,
  LAST_SIGNAL,
  signals,
} from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import type { Shell } from "../state/shell.ts";
import { collect } from "./jobs.ts";

const usage = "kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]";

export async function kill(shell: Shell, words: readonly string[]): Promise<number> {
  let operands = words.slice(1);
  let signal: number | undefined = signals.SIGTERM;
  const [first = "", second] = operands;
  if (first === "-l" || first === "-L") return list(shell, operands.slice(1));
  if ((first === "-s" || first === "-n") && second === undefined)
    return refuse(shell, `${first}: option requires an argument`);
  if (first === "-s" || first === "-n") {
    signal = findSignalNumber(second ?? "");
    if (signal === undefined)
      return refuse(shell, `${second ?? first}: invalid signal specification`);
    operands = operands.slice(2);
  } else if (/^-./.test(first) && first !== "--") {
    signal = findSignalNumber(first.slice(1));
    if (signal === undefined)
      return refuse(shell, `${first.slice(1)}: invalid signal specification`);
    operands = operands.slice(1);
  }
  if (operands[0] === "--") operands = operands.slice(1);
  if (operands.length === 0) {
    await shell.write(2, `kill: usage: ${usage}\n`);
    return 2;
  }
  // A child that has ended is no process any more.
  await collect(shell);
  let status = 0;
  for (const operand of operands) if (!(await send(shell, operand, signal))) status = 1;
  return status;
}

async function refuse(shell: Shell, message: string): Promise<number> {
  await shell.complain(`kill: ${message}`);
  return 1;
}

async function send(shell: Shell, operand: string, signal: number): Promise<boolean> {
  if (operand.startsWith("%")) {
    const job = shell.jobs.findBySpec(operand);
    if (job === undefined) {
      await shell.complain(`kill: ${operand}: no such job`);
      return false;
    }
    const targets = shell.options.has("monitor") ? [-job.pgid] : job.pids;
    for (const pid of targets) await sendTo(shell, pid, signal, operand);
    return true;
  }
  if (!/^-?\d+$/.test(operand)) {
    await shell.complain(`kill: ${operand}: arguments must be process or job IDs`);
    return false;
  }
  return sendTo(shell, Number(operand), signal, operand);
}

async function sendTo(
  shell: Shell,
  pid: number,
  signal: number,
  operand: string,
): Promise<boolean> {
  try {
    await shell.sys.kill(pid, signal);
    return true;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await shell.complain(`kill: (${operand}) - ${errorWords(error)}`);
    return false;
  }
}

async function list(shell: Shell, operands: readonly string[]): Promise<number> {
  if (operands.length === 0) return listSignals(shell);
  let status = 0;
  for (const operand of operands) {
    const number = /^\d+$/.test(operand)
      ? signalOfStatus(Number(operand))
      : /^EXIT$/i.test(operand)
        ? 0
        : findSignalNumber(operand);
    const name = number === undefined ? undefined : findSignalName(number);
    if (number === undefined || (name === undefined && number !== 0)) {
      await shell.complain(`kill: ${operand}: invalid signal specification`);
      status = 1;
      continue;
    }
    await shell.write(1, `${/^\d+$/.test(operand) ? (name?.slice(3) ?? "EXIT") : number}\n`);
  }
  return status;
}

/** A status over 128 tells the signal it stands for. */
function signalOfStatus(number: number): number | undefined {
  if (number === 128) return undefined;
  return number > 128 ? number - 128 : number;
}

/** bash's table of signals, five in a row. */
export async function listSignals(shell: Shell): Promise<number> {
  let text = "";
  for (let signal = 1; signal <= LAST_SIGNAL; signal++) {
    const cell = `${String(signal).padStart(2)}) ${findSignalName(signal) ?? ""}`;
    text += cell + (signal % 5 === 0 || signal === LAST_SIGNAL ? "\n" : "\t");
  }
  await shell.write(1, text);
  return 0;
}
