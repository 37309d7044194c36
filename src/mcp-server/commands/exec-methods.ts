// The server's side of `agentos-mcp exec` and `shell`.
import { z } from "zod";
import { GrowingBytes } from "../../streams/index.ts";
import type { Exec, SpawnOptions } from "../../vm/index.ts";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { ControlCall } from "../control/methods.ts";
import { ExecFeeding } from "../exec-feeding.ts";
import { ExecOutput } from "./exec-output.ts";
import { type ExecEnded, type ExecStarted, maxCommandBytes } from "./exec-protocol.ts";
import { tellApprovals } from "./tell-approvals.ts";

const size = { cols: z.number(), rows: z.number() };

const execParams = z.object({
  /** Made if it does not exist. */
  vm: z.string(),
  /** How long the command for the shell is, which is the first input; without it a shell is started. */
  commandBytes: z.number().int().max(maxCommandBytes).optional(),
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  as: z.enum(["user", "root"]),
  timeoutMs: z.number().optional(),
  /** Runs it on a terminal of that size. */
  pty: z.object(size).optional(),
});

export type ExecParams = z.input<typeof execParams>;

const signalParams = z.object({ vm: z.string(), exec: z.string(), signal: z.string() });
const resizeParams = z.object({ vm: z.string(), exec: z.string(), ...size });

/**
 * Runs a command for its caller. A caller that cancels or leaves takes its command along; on a terminal that is
 * a hang-up, which `nohup` survives.
 */
export async function runExec(params: FrameHeader, call: ControlCall): Promise<ExecEnded> {
  const { vm: name, commandBytes, ...wish } = execParams.parse(params);
  const command =
    commandBytes === undefined ? ["/bin/bash"] : await readCommand(call, commandBytes);
  const { vm, isNew } = await (await call.vms()).getOrCreate({ name });
  const desk = await call.approvals();
  call.signal.throwIfAborted();
  const output = new ExecOutput(call);
  const exec = await vm.spawn(command, spawnOptions(wish, output));
  const isTerminal = wish.pty !== undefined;
  const stopTelling = tellApprovals(desk, { vm, exec, output, isTerminal });
  try {
    const started = { exec: exec.id, isNewVm: isNew, notice: vm.takeNotice() };
    await serve(exec, { call, output, started, isTerminal });
  } finally {
    stopTelling();
  }
  exec.requireKept();
  return endOf(exec);
}

interface Service {
  readonly call: ControlCall;
  readonly output: ExecOutput;
  readonly started: ExecStarted;
  readonly isTerminal: boolean;
}

/** Carries input and output until the command has ended, or ends it. */
async function serve(exec: Exec, service: Service): Promise<void> {
  const { call, output, started, isTerminal } = service;
  try {
    await output.begin(started);
    const fed = feed(exec, call);
    await exec.wait(undefined, call.signal);
    await output.finish();
    fed.throwIfFailed();
  } finally {
    output.end();
    // A caller that leaves takes its command along, whatever made us fail.
    if (exec.isRunning) await (isTerminal ? exec.hangUp() : exec.stop());
  }
}

function spawnOptions(
  wish: Omit<z.output<typeof execParams>, "vm" | "commandBytes">,
  output: ExecOutput,
): SpawnOptions {
  const { as, cwd, env, timeoutMs, pty } = wish;
  return {
    as,
    onOutput: (stream, bytes) => output.take(stream, bytes),
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(pty === undefined ? {} : { pty }),
  };
}

export async function signalExec(params: FrameHeader, call: ControlCall): Promise<object> {
  const { vm, exec, signal } = signalParams.parse(params);
  await (await call.vms()).get(vm).getExec(exec).signal(signal);
  return {};
}

export async function resizeExec(params: FrameHeader, call: ControlCall): Promise<object> {
  const { vm, exec, cols, rows } = resizeParams.parse(params);
  await (await call.vms()).get(vm).getExec(exec).resize({ cols, rows });
  return {};
}

/** No piece of the input holds the end of the command and the beginning of stdin: their tags differ. */
async function readCommand({ input, signal }: ControlCall, bytes: number): Promise<string> {
  const text = new GrowingBytes();
  while (text.length < bytes) {
    const piece = await input.next();
    signal.throwIfAborted();
    if (piece === undefined) throw new Error("A call of exec sends its command first.");
    text.add(piece);
  }
  return Buffer.from(text.take()).toString("utf8");
}

function feed(exec: Exec, { input, isInputOnDemand, signal }: ControlCall): ExecFeeding {
  return new ExecFeeding(exec, async () => {
    for (;;) {
      if (isInputOnDemand) await exec.waitForDemand(signal);
      // Nobody asks for what cannot be given.
      if (!exec.isStdinOpen) return;
      const piece = await input.next();
      if (piece === undefined) break;
      await exec.write(piece);
    }
    // The input of a caller that has left is not all of it: the command is not told that it is.
    if (!signal.aborted) await exec.closeStdin();
  });
}

function endOf(exec: Exec): ExecEnded {
  const { state, exitCode = 0 } = exec.status();
  if (state === "lost" || state === "running") throw new Error("The command has no end.");
  return { state, exitCode };
}
