// The server's side of `agentos-mcp exec` and `shell`.
import { z } from "zod";
import { HostError } from "../../vm/host-error.ts";
import type { Exec, SpawnOptions, Vm, Vms } from "../../vm/index.ts";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { ControlCall, ControlInput } from "../control/methods.ts";
import { ExecFeeding } from "../exec-feeding.ts";
import { ExecOutput } from "./exec-output.ts";
import type { ExecEnded, ExecStarted } from "./exec-protocol.ts";
import { tellApprovals } from "./tell-approvals.ts";

const size = { cols: z.number(), rows: z.number() };

const execParams = z.object({
  vm: z.string(),
  hasCommand: z.boolean(),
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  as: z.enum(["user", "root"]),
  timeoutMs: z.number().optional(),
  pty: z.object(size).optional(),
  isStdinOnDemand: z.boolean().optional(),
});

const signalParams = z.object({ vm: z.string(), exec: z.string(), signal: z.string() });
const resizeParams = z.object({ vm: z.string(), exec: z.string(), ...size });

/** Runs a command for its caller, and ends it when the caller cancels or leaves. */
export async function runExec(params: FrameHeader, call: ControlCall): Promise<ExecEnded> {
  const { vm: name, hasCommand, ...wish } = execParams.parse(params);
  const input = call.input[Symbol.asyncIterator]();
  const command = hasCommand ? await readCommand(input, call.signal) : ["/bin/bash"];
  const { vm, isNew } = await findOrCreate(await call.vms(), name);
  const desk = await call.approvals();
  call.signal.throwIfAborted();
  const output = new ExecOutput(call);
  const exec = await vm.spawn(command, spawnOptions(wish, output));
  const isTerminal = wish.pty !== undefined;
  const stopTelling = tellApprovals(desk, { vm, exec, output, isTerminal });
  try {
    const started = describeStart(vm, exec, isNew);
    await serve(exec, { call, input, output, started, isOnDemand: wish.isStdinOnDemand === true });
  } finally {
    stopTelling();
  }
  exec.requireKept();
  return endOf(exec);
}

interface Service {
  readonly call: ControlCall;
  readonly input: AsyncIterator<ControlInput>;
  readonly output: ExecOutput;
  readonly started: ExecStarted;
  /** Whether the caller sends input only on demand. */
  readonly isOnDemand: boolean;
}

/** Carries input and output until the command has ended, or ends it. */
async function serve(exec: Exec, service: Service): Promise<void> {
  const { call, output, started } = service;
  try {
    await output.begin(started);
    const fed = feed(exec, service);
    await exec.wait(undefined, call.signal);
    if (!call.signal.aborted) await output.sent();
    fed.throwIfFailed();
  } finally {
    output.end();
    // A caller that leaves takes its command along, whatever made us fail.
    if (exec.isRunning) await exec.stop();
  }
}

function spawnOptions(
  wish: Omit<z.output<typeof execParams>, "vm" | "hasCommand" | "isStdinOnDemand">,
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

function describeStart(vm: Vm, exec: Exec, isNewVm: boolean): ExecStarted {
  const notice = vm.takeNotice();
  const words = notice === undefined ? {} : { notice };
  return { kind: "started", exec: exec.id, isNewVm, ...words };
}

export async function signalExec(params: FrameHeader, call: ControlCall): Promise<object> {
  const { vm, exec, signal } = signalParams.parse(params);
  await (await call.vms()).get(vm).getExec(exec).signal(signal);
  return {};
}

export async function resizeExec(params: FrameHeader, call: ControlCall): Promise<object> {
  const { vm, exec, cols, rows } = resizeParams.parse(params);
  await (await call.vms()).get(vm).getExec(exec).resize(cols, rows);
  return {};
}

async function readCommand(
  input: AsyncIterator<ControlInput>,
  signal: AbortSignal,
): Promise<string> {
  const first = await input.next();
  signal.throwIfAborted();
  if (first.done === true) throw new Error("A call of exec sends its command first.");
  return Buffer.from(first.value.body).toString("utf8");
}

async function findOrCreate(vms: Vms, name: string): Promise<{ vm: Vm; isNew: boolean }> {
  const vm = vms.find(name);
  if (vm !== undefined) return { vm, isNew: false };
  try {
    return { vm: await vms.create({ name }), isNew: true };
  } catch (error) {
    // Somebody else has made it in the meantime.
    if (!(error instanceof HostError) || error.code !== "VM_EXISTS") throw error;
    return { vm: vms.get(name), isNew: false };
  }
}

function feed(exec: Exec, { call, input, output, isOnDemand }: Service): ExecFeeding {
  const next = async (): Promise<IteratorResult<ControlInput>> => {
    if (isOnDemand) {
      await exec.waitForDemand(call.signal);
      if (exec.isStdinOpen) await output.demandInput();
    }
    return await input.next();
  };
  return new ExecFeeding(exec, async () => {
    for (let piece = await next(); piece.done !== true; piece = await next()) {
      await exec.write(piece.value.body);
    }
    await exec.closeStdin();
  });
}

function endOf(exec: Exec): ExecEnded {
  const { state, exitCode = 0 } = exec.status();
  if (state === "lost" || state === "running") throw new Error("The command has no end.");
  return { state, exitCode };
}
