// `agentos-mcp exec -- 'command'`: one command in a VM, as if it ran here. Runs on Node 20.
import type { CommandContext } from "../command-list.ts";
import { ControlError } from "../control/running-call.ts";
import { UsageError } from "../settings.ts";
import { maxCommandBytes } from "./exec-protocol.ts";
import { ExecSession, type ExecSessionOptions } from "./exec-session.ts";
import type { OutputLoss } from "./output-pipe.ts";

/** As timeout(1) and docker(1) have them. */
const timedOutStatus = 124;
const failedStatus = 125;
const outputFailedStatus = 1;
/** 128 + SIGPIPE. */
const brokenPipeStatus = 141;

/**
 * Resolves to the command's status, 128 + n when a signal ended it. Its stdin is ours, also where that
 * is a terminal. SIGINT goes to the command; a second one, SIGTERM and SIGHUP end it.
 */
export async function exec(context: CommandContext): Promise<number> {
  const command = context.words.join(" ");
  if (command === "") throw new UsageError("Give a command: agentos-mcp exec -- 'ls -l'");
  if (Buffer.byteLength(command) > maxCommandBytes) {
    throw new UsageError(`The command is longer than ${maxCommandBytes} bytes; pipe it into "sh".`);
  }
  const session = await ExecSession.open({
    launch: context.launchServer(),
    params: readParams(context),
    command,
    input: process.stdin,
    // Lines of a terminal that the command does not ask for stay there for whoever reads it next.
    isInputOnDemand: process.stdin.isTTY,
    say: context.say,
  });
  let interrupts = 0;
  process.on("SIGINT", () => {
    interrupts += 1;
    if (interrupts === 1) session.signal("SIGINT");
    else session.stop();
  });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => session.stop());
  try {
    const { state, exitCode } = await session.run();
    if (session.outputLoss !== undefined) return tellLoss(context, session.outputLoss);
    if (state !== "timed_out") return exitCode;
    context.say("The command was ended by its timeout.");
    return timedOutStatus;
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    if (session.outputLoss !== undefined) return tellLoss(context, session.outputLoss);
    context.say(error.message);
    return failedStatus;
  }
}

function tellLoss(context: CommandContext, { isReaderGone, message }: OutputLoss): number {
  if (isReaderGone) return brokenPipeStatus;
  context.say(`The output could not be written: ${message}`);
  return outputFailedStatus;
}

function readParams(context: CommandContext): ExecSessionOptions["params"] {
  const { flags, lists, switches } = context;
  const cwd = flags.get("cwd");
  const timeout = flags.get("timeout");
  return {
    vm: flags.get("vm") ?? "default",
    as: switches.has("root") ? "root" : "user",
    env: Object.fromEntries((lists.get("env") ?? []).map(parseVariable)),
    ...(cwd === undefined ? {} : { cwd }),
    ...(timeout === undefined ? {} : { timeoutMs: parseTimeout(timeout) }),
  };
}

function parseVariable(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`"${text}" is no variable: give --env NAME=VALUE.`);
  const name = text.slice(0, at);
  // What our messages are checked with leaves this one name out of any object.
  if (name === "__proto__") throw new UsageError('No variable can be named "__proto__".');
  return [name, text.slice(at + 1)];
}

function parseTimeout(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value < 2 ** 31) return value;
  throw new UsageError(`"${text}" is no number of milliseconds (--timeout).`);
}
