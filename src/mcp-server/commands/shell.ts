// `agentos-mcp shell [name]`: an interactive shell in a VM, on a terminal of its own there, which
// follows the size of this one. Runs on Node 20.
import { spawnSync } from "node:child_process";
import type { CommandContext } from "../command-list.ts";
import { ControlError } from "../control/running-call.ts";
import { UsageError } from "../settings.ts";
import type { ExecParams } from "./exec-methods.ts";
import { ExecSession } from "./exec-session.ts";

const failedStatus = 125;

/** Resolves to the shell's status. The terminal is as it was whatever happens. */
export async function shell(context: CommandContext): Promise<number> {
  const { words, switches } = context;
  if (words.length > 1) throw new UsageError("Give one VM: agentos-mcp shell [name]");
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new UsageError(
      "A shell needs a terminal. To run a command without one: agentos-mcp exec -- 'command'",
    );
  }
  const session = await ExecSession.open({
    launch: context.launchServer(),
    params: {
      vm: words[0] ?? "default",
      as: switches.has("root") ? "root" : "user",
      pty: sizeOf(stdout),
    },
    command: undefined,
    input: stdin,
    say: context.say,
    onStarted: () => makeRaw(stdin),
  });
  const restore = (): void => {
    stdin.setRawMode(false);
  };
  process.once("exit", restore);
  // A terminal that is gone cannot be given back, and has no more to say: its end ends the shell.
  stdin.on("error", () => undefined);
  stdout.on("resize", () => {
    const { cols, rows } = sizeOf(stdout);
    session.resize(cols, rows);
  });
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) process.on(signal, () => session.stop());
  try {
    return (await session.run()).exitCode;
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    restore();
    context.say(error.message);
    return failedStatus;
  } finally {
    restore();
  }
}

/**
 * Every byte as it is, both ways. Node's raw mode still turns newlines into CR and newline, which
 * the VM's terminal has done already; stty, where there is one, switches that off. Leaving raw mode
 * brings all of it back.
 */
function makeRaw(terminal: NodeJS.ReadStream): void {
  terminal.setRawMode(true);
  if (process.platform === "win32") return;
  spawnSync("stty", ["-opost"], { stdio: ["inherit", "ignore", "ignore"] });
}

function sizeOf({ columns, rows }: NodeJS.WriteStream): NonNullable<ExecParams["pty"]> {
  return { cols: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}
