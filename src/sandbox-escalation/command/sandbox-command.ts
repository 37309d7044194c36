/** The commands of a VM that lead to its sandbox: `sandbox`, and those the operator has run there as if they were here. */
import {
  type HostCommand,
  type HostCommandCall,
  HostCommandError,
  type KilledBySignal,
} from "../../toolkit-cli/index.ts";
import type { SandboxController } from "../controller/sandbox-controller.ts";
import { FAILED_STATUS, requestOf, withStatus } from "./escalate.ts";
import { findThere, MOUNT_POINT, WORKSPACE } from "./map-path.ts";
import { runExec, runInSandbox } from "./run-exec.ts";
import { help, misuse, readSignal, readVerb, readWords, type Verb } from "./sandbox-words.ts";
import { showLogs } from "./show-logs.ts";
import { describeProcesses, describeStatus, statusFacts } from "./show-status.ts";

/** The controller of a VM. SandboxError. */
export type FindController = (vm: string) => SandboxController;

type Outcome = number | KilledBySignal;
type Act = (
  controller: SandboxController,
  call: HostCommandCall,
  words: readonly string[],
) => Promise<Outcome>;

export function sandboxCommand(find: FindController): HostCommand {
  return {
    name: "sandbox",
    description: "Runs commands in a full Linux machine beside this VM.",
    run: (call) =>
      withStatus(async () => {
        const [, word, ...words] = call.argv;
        const verb = words[0] === "--help" ? "help" : readVerb(word);
        return await acts[verb](find(call.vm), call, words);
      }),
  };
}

/** Words that ask a command about itself: where it runs does not matter. */
const ABOUT_ITSELF: ReadonlySet<string> = new Set(["--version", "--help", "-V", "-h"]);

/** A command that runs in the sandbox whenever it is called, and only where the directory is there, too. */
export function transparentCommand(name: string, find: FindController): HostCommand {
  return {
    name,
    description: "Runs in the sandbox.",
    run: (call) =>
      withStatus(async () => {
        const argv = [name, ...call.argv.slice(1)];
        requireShared(argv, call.cwd);
        return await runInSandbox(find(call.vm), call, {
          argv,
          env: {},
          reason: `run: ${argv.join(" ")}`,
          isDetached: false,
          hasInput: true,
          hasTerminal: true,
        });
      }),
  };
}

/** It would otherwise read and write files in another directory than the caller means. */
function requireShared([name = "", ...words]: readonly string[], cwd: string): void {
  if (findThere(cwd, WORKSPACE) !== undefined) return;
  if (words.length > 0 && words.every((word) => ABOUT_ITSELF.has(word))) return;
  throw new HostCommandError(
    FAILED_STATUS,
    `${name} runs in the sandbox, where ${cwd} is not; do this in ${MOUNT_POINT} (cd ${MOUNT_POINT}), or run it there from here: sandbox exec -C ${MOUNT_POINT} ${name}`,
  );
}

const acts: Readonly<Record<Verb, Act>> = {
  exec: runExec,
  help: async (_, call) => await say(call, help),
  start: async (controller, call, words) => {
    const { options, operands } = readWords(words, { "--reason": true, "--provider": true });
    if (operands.length > 0) throw misuse("start takes no operands");
    const reason = options.get("--reason") ?? "sandbox start";
    await controller.ensure(requestOf(call, reason, options.get("--provider")));
    return await say(call, await describeStatus(controller));
  },
  status: async (controller, call, words) => {
    const { options, operands } = readWords(words, { "--json": false });
    requireCount("status", operands, 0);
    const isJson = options.has("--json");
    return await say(
      call,
      isJson
        ? `${JSON.stringify(await statusFacts(controller))}\n`
        : await describeStatus(controller),
    );
  },
  stop: async (controller, call, words) => {
    requireCount("stop", words, 0);
    const didRun = await controller.stop("sandbox stop");
    return await say(
      call,
      didRun ? "stopped; files are kept, processes ended\n" : "no sandbox runs\n",
    );
  },
  ps: async (controller, call, words) => {
    requireCount("ps", words, 0);
    return await say(call, describeProcesses(controller));
  },
  logs: async (controller, call, words) => {
    const { options, operands } = readWords(words, { "-f": false });
    requireCount("logs", operands, 1);
    return await showLogs(controller.processes.get(operands[0] ?? ""), call, options.has("-f"));
  },
  kill: async (controller, _, words) => {
    const isSignal = words[0]?.startsWith("-") === true && words[0] !== "--";
    const signal = isSignal ? readSignal(words[0] ?? "") : "SIGTERM";
    const operands = words.slice(isSignal ? 1 : 0).filter((word) => word !== "--");
    if (operands.length === 0) throw misuse("kill needs a process");
    const all = operands.map((id) => controller.processes.get(id));
    const ended = all.filter(({ end }) => end !== undefined);
    for (const held of all) if (!ended.includes(held)) await held.process.kill(signal);
    if (ended.length === 0) return 0;
    throw new HostCommandError(1, ended.map(({ id }) => `process ${id} has ended`).join("; "));
  },
  cp: async (controller, call, words) => {
    // Whole directories are copied with or without them, modes and times, too.
    const { operands } = readWords(words, { "-a": false, "-r": false, "-R": false, "-p": false });
    if (operands.length < 2) throw misuse("cp needs a file and where to");
    const sandbox = await controller.ensure(requestOf(call, `copy: ${words.join(" ")}`));
    const paths = operands.map((word) => inSandbox(word, call.cwd, sandbox.cwd));
    const status = await runInSandbox(controller, call, {
      argv: ["cp", "-a", "--", ...paths],
      env: {},
      cwd: sandbox.cwd,
      reason: `copy: ${words.join(" ")}`,
      isDetached: false,
      hasInput: false,
      hasTerminal: false,
    });
    if (status !== 0 && paths.some((path) => findThere(path, sandbox.cwd) === undefined))
      await call.writeError(new TextEncoder().encode(CP_HINT));
    return status;
  },
  connect: async (controller, call, words) => {
    requireCount("connect", words, 1);
    const [port = ""] = words;
    if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
      throw misuse(`"${port.slice(0, 40)}" is not a port`);
    if (controller.current === undefined) throw new HostCommandError(1, "no sandbox runs");
    return await runInSandbox(controller, call, {
      argv: ["sh", "-c", CONNECT, "sh", port],
      env: {},
      cwd: WORKSPACE,
      reason: `connect to port ${port}`,
      isDetached: false,
      hasInput: true,
      hasTerminal: false,
    });
  },
  snapshot: async (controller, call, words) => {
    requireCount("snapshot", words, 1);
    const [name = ""] = words;
    if (!/^[a-z0-9][a-z0-9._-]{0,62}$/.test(name))
      throw misuse(`"${name.slice(0, 40)}" cannot be a snapshot's name`);
    if (controller.current === undefined) throw new HostCommandError(1, "no sandbox runs");
    return await say(call, `${await controller.current.snapshot(name)}\n`);
  },
};

/** With what a small Linux has: bash connects by itself; else netcat does. Ends when the server there closes. */
const CONNECT = `
if command -v bash > /dev/null; then
  exec bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1; cat >&3 <&0 & cat <&3; kill $! 2> /dev/null' bash "$1"
fi
command -v nc > /dev/null || { echo "connect needs bash or nc in the sandbox" >&2; exit 127; }
exec nc 127.0.0.1 "$1"`;

const CP_HINT = `sandbox: paths that are not below ${MOUNT_POINT} are the sandbox's own; files of this VM get there by cp FILE ${MOUNT_POINT}\n`;

async function say(call: HostCommandCall, text: string): Promise<number> {
  await call.writeOut(new TextEncoder().encode(text));
  return 0;
}

function requireCount(verb: Verb, words: readonly string[], count: number): void {
  if (words.length !== count)
    throw misuse(`${verb} takes ${count === 0 ? "no" : count} operand${count === 1 ? "" : "s"}`);
}

function inSandbox(word: string, cwd: string, workspace: string): string {
  // What cp says of it is better than what it would do with all that is here.
  if (word === "") return word;
  const found = findThere(word.startsWith("/") ? word : `${cwd}/${word}`, workspace);
  if (found !== undefined) return `${found}${endOf(word)}`;
  if (word.startsWith("/")) return word;
  throw misuse(`${word.slice(0, 80)} is not below ${MOUNT_POINT}: copy it there with cp first`);
}

/** `from/.` is what is in it, `to/` must be a directory: cp(1) tells them by how they end. */
function endOf(word: string): string {
  if (/(?:^|\/)\.\/*$/.test(word)) return "/.";
  return word.endsWith("/") ? "/" : "";
}
