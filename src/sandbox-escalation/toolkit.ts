/** The toolkit `agentos-sandbox`: the sandbox's processes for scripts and code, with agentOS's names for them. */
import { type ToolContext, ToolError, type Toolkit, tool, toolkit } from "../toolkit-cli/index.ts";
import type { FindController } from "./command/sandbox-command.ts";
import { drainOutput } from "./controller/drain-output.ts";
import type { HeldProcess } from "./controller/process-table.ts";
import { TailLog } from "./controller/tail-log.ts";
import type { EscalationRequest } from "./policy/offer.ts";
import { SandboxError } from "./provider.ts";

/** Of run-command's output, each stream; the newest is kept. */
const OUTPUT_BYTES = 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 120_000;
/** A day; calls that take longer are create-process's. */
const TIMEOUT_LIMIT_MS = 86_400_000;

const start = {
  command: {
    type: "string",
    minLength: 1,
    maxLength: 4096,
    description: "A program, not a shell line",
  },
  args: { type: "array", items: { type: "string" }, maxItems: 4096 },
  cwd: { type: "string", maxLength: 4096, description: "Default /workspace" },
  env: { type: "object", additionalProperties: { type: "string" } },
  reason: { type: "string", maxLength: 300, description: "Why a sandbox is needed" },
} as const;
const id = { type: "string", minLength: 1, maxLength: 20 } as const;
const byId = {
  type: "object",
  properties: { id },
  required: ["id"],
  additionalProperties: false,
} as const;

/** As shells have it. */
const NOT_FOUND = 127;
const LINE_HINT =
  "command is one program; for a shell line: --command sh --args -c --args 'npm install'";

interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly isCut?: boolean;
}

interface StartInput {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly reason?: string;
}

export function sandboxToolkit(find: FindController): Toolkit {
  const spawn = async (
    input: StartInput,
    context: ToolContext,
    isDetached: boolean,
  ): Promise<HeldProcess> => {
    const controller = find(context.vm);
    const argv = [input.command, ...(input.args ?? [])];
    const { cwd, env = {} } = input;
    const wish = { env, isDetached, ...(cwd === undefined ? {} : { cwd }) };
    return await controller.spawn(argv, wish, requestOf(input, argv, context));
  };
  const held = (key: string, { vm }: ToolContext): HeldProcess => find(vm).processes.get(key);
  return toolkit("sandbox", {
    description:
      "Processes in the full Linux machine beside this VM; /sandbox here is /workspace there.",
    tools: {
      runCommand: runCommandTool(spawn),
      createProcess: tool({
        description: "Starts a program in the sandbox that goes on by itself.",
        input: {
          type: "object",
          properties: start,
          required: ["command"],
          additionalProperties: false,
        },
        timeoutMs: TIMEOUT_LIMIT_MS,
        handler: (input, context) =>
          withToolErrors(async () => describe(await spawn(input, context, true))),
      }),
      listProcesses: tool({
        description: "Lists processes started in the sandbox.",
        readOnly: true,
        handler: (_, { vm }) =>
          withToolErrors(async () => ({ processes: find(vm).processes.list().map(describe) })),
      }),
      getProcessLogs: logsTool(held),
      sendInput: inputTool(held),
      stopProcess: signalTool("Asks a process to end (SIGTERM).", "SIGTERM", held),
      killProcess: signalTool("Ends a process at once (SIGKILL).", "SIGKILL", held),
    },
  });
}

type Spawn = (input: StartInput, context: ToolContext, isDetached: boolean) => Promise<HeldProcess>;
type FindHeld = (id: string, context: ToolContext) => HeldProcess;

function runCommandTool(spawn: Spawn): ReturnType<typeof tool> {
  return tool({
    description: "Runs a program in the sandbox to its end; starts the sandbox if need be.",
    input: {
      type: "object",
      properties: {
        ...start,
        timeoutMs: { type: "integer", minimum: 1, maximum: TIMEOUT_LIMIT_MS },
      },
      required: ["command"],
      additionalProperties: false,
    },
    timeoutMs: TIMEOUT_LIMIT_MS,
    handler: (input, context) =>
      withToolErrors(async () => {
        const { process } = await spawn(input, context, false);
        const timeoutMs = input.timeoutMs ?? DEFAULT_TIMEOUT_MS;
        const result = await runToEnd(process, timeoutMs, context.signal);
        if (result.exitCode === NOT_FOUND && /\s/.test(input.command)) context.hint(LINE_HINT);
        return result;
      }),
  });
}

function logsTool(held: FindHeld): ReturnType<typeof tool> {
  return tool({
    description: "What a process of create-process has written.",
    readOnly: true,
    input: {
      type: "object",
      properties: {
        id,
        stream: { type: "string", enum: ["stdout", "stderr", "combined"] },
        tail: { type: "integer", minimum: 1, maximum: 100_000, description: "Lines at most" },
      },
      required: ["id"],
      additionalProperties: false,
    },
    handler: ({ id: key, stream = "combined", tail }, context) =>
      withToolErrors(async () => {
        const { log, end } = held(key, context);
        if (log === undefined)
          throw new SandboxError("failed", `The output of process ${key} is not kept.`);
        const text = textOf(log.bytes(stream === "combined" ? undefined : stream));
        return {
          text: tail === undefined ? text : lastLines(text, tail),
          isCut: log.isCut,
          isRunning: end === undefined,
        };
      }),
  });
}

function inputTool(held: FindHeld): ReturnType<typeof tool> {
  return tool({
    description: "Writes to a process's stdin.",
    input: {
      type: "object",
      properties: {
        id,
        data: { type: "string", maxLength: OUTPUT_BYTES },
        close: { type: "boolean" },
      },
      required: ["id"],
      additionalProperties: false,
    },
    handler: ({ id: key, data = "", close = false }, context) =>
      withToolErrors(async () => {
        const { process } = held(key, context);
        if (data !== "") await process.writeInput(new TextEncoder().encode(data));
        if (close) await process.closeInput();
        return { ok: true };
      }),
  });
}

function signalTool(description: string, signal: string, held: FindHeld): ReturnType<typeof tool> {
  return tool({
    description,
    input: byId,
    handler: ({ id: key }, context) =>
      withToolErrors(async () => {
        const { process, end } = held(key, context);
        if (end === undefined) await process.kill(signal);
        return { ok: true };
      }),
  });
}

async function runToEnd(
  process: HeldProcess["process"],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<RunResult> {
  const logs = { stdout: new TailLog(OUTPUT_BYTES), stderr: new TailLog(OUTPUT_BYTES) };
  const startMs = performance.now();
  let timedOut = false;
  const kill = (): void => {
    process.kill("SIGKILL").catch(() => undefined);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  try {
    await process.closeInput();
    const end = await drainOutput(process, {
      out: (bytes) => logs.stdout.add("stdout", bytes),
      error: (bytes) => logs.stderr.add("stderr", bytes),
    });
    return {
      stdout: textOf(logs.stdout.bytes()),
      stderr: textOf(logs.stderr.bytes()),
      exitCode: end.status,
      timedOut,
      durationMs: Math.round(performance.now() - startMs),
      ...(logs.stdout.isCut || logs.stderr.isCut ? { isCut: true } : {}),
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
  }
}

function requestOf(
  input: StartInput,
  argv: readonly string[],
  context: ToolContext,
): EscalationRequest {
  const { pid, command, signal } = context;
  const reason = input.reason ?? `run: ${argv.join(" ")}`;
  return { pid, command, reason: reason.slice(0, 300), signal };
}

async function withToolErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw new ToolError(error.code === "denied" ? "denied" : "unavailable", error.message, {
      cause: error,
    });
  }
}

function describe({ id: key, command, end, startedAtMs }: HeldProcess): object {
  return {
    id: key,
    command,
    startedAt: new Date(startedAtMs).toISOString(),
    status: end === undefined ? "running" : "exited",
    ...(end === undefined ? {} : { exitCode: end.status }),
  };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function lastLines(text: string, count: number): string {
  const lines = text.split("\n");
  const isWhole = lines.at(-1) === "";
  return lines.slice(-count - (isWhole ? 1 : 0)).join("\n");
}
